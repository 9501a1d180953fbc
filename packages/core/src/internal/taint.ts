/**
 * Words that speak to whoever reads them, instead of saying what happened: in the output of a failed run, or in a
 * reflection made of it, they are no lesson. A filter of the plain attempts, not a defence against clever ones: the
 * prompt's section says of itself that it is no order, and takes marks of roles apart.
 */
import { clean } from "../PlainText.ts"

/** The tag of a reflection that was made of such an output. */
export const tainted = "tainted"

const orders =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|these|those|your|the)\b.{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|messages?|directions?)\b|\byou are (?:now|no longer)\b.{0,60}|\b(?:new|updated|real|hidden) (?:system )?(?:instructions?|prompt)\s*:|\b(?:reveal|print|repeat|leak|send|exfiltrate)\b.{0,40}\b(?:system prompt|instructions|credentials|api keys?|secrets?|passwords?|environment variables)\b|\b(?:do not|don't|never) (?:tell|inform|mention|show)\b.{0,30}\b(?:user|human|developer|operator)\b|\bact as (?:if you|an? (?:unrestricted|different|new))\b|\b(?:mark|report|declare|consider|treat)\b.{0,30}\b(?:task|work|this|everything)\b.{0,20}\b(?:complete|done|passed|finished)\b.{0,40}\b(?:regardless|without|anyway|no matter|immediately)\b/is

const most = 65_536

export const isTainted = (text: string): boolean =>
  orders.test(clean(text.length <= most ? text : `${text.slice(0, most / 2)}\n${text.slice(-most / 2)}`))
