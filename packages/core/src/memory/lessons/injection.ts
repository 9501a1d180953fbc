/**
 * Finds text that gives orders to its reader (prompt injection) in an output or a reflection. It catches only simple
 * attempts. So the section with the lessons also says that lessons are not orders.
 */
import { clean } from "../../base/text/PlainText.ts"

/** The tag of a reflection from an output that gives orders. */
export const tainted = "tainted"

/**
 * The beginning of an order. The name of a test, such as "should forget the previous messages", does not match. A tool
 * that "can print the environment variables" does not match either.
 */
const order =
  /(?:(?:^|[\n.!?:;,*"'“‘([{<>#|/]\s{0,8}|[-–—]\s{1,8})(?:(?:and|then|now|so|please),? ){0,2}|\b(?:please|now|important|must|you (?:should|can|will|may|have to|need to|are to))[\s:,!]{1,4})/
    .source

/** Phrases that occur only in text for a model. */
const anywhere: ReadonlyArray<RegExp> = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,30}\b(?:previous|prior|above|earlier|preceding|original|initial|system|your)\b[^.!?]{0,30}\b(?:instructions?|prompts?|guidelines?|directives?)\b/i,
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,12}\b(?:all|any|every)\b[^.!?]{0,20}\b(?:instructions?|prompts?|guidelines?|directives?)\b/i,
  /\byou are (?:now|no longer) (?:an?|the|my) (?:\w{1,20} ){0,3}(?:assistant|agent|ai|model|(?:chat)?bot|persona|hacker|expert|pirate|person|human|developer|admin(?:istrator)?)\b/i,
  /\byou are (?:now|no longer) (?:in|entering) (?:developer|debug|god|admin|root|jailbreak|unrestricted|unfiltered) mode\b/i,
  /\byou are (?:now|no longer) (?:dan|free (?:of|from|to)|(?:acting|operating|working) (?:as|under|for)|unrestricted|unfiltered|jailbroken)\b/i,
  /\byou are (?:now|no longer) (?:bound|restricted|constrained|limited|governed) (?:by|to)\b/i,
  /\b(?:new|updated|real|hidden) (?:system )?(?:instructions?|prompt)\s{0,4}:/i,
  /\b(?:reveal|repeat|print|leak|send|show|exfiltrate|output)\b[^.!?]{0,30}\b(?:system prompt|your (?:instructions?|prompt|guidelines?))\b/i,
  /\bact as (?:if you\b|an? (?:unrestricted|different|new) (?:\w{1,20} ){0,2}(?:assistant|agent|ai|model|bot|person|persona|user)\b)/i
]

/** Phrases that are an order only at the beginning of a sentence. Inside a sentence, they are normal. */
const ordered: ReadonlyArray<RegExp> = [
  /(?:ignore|disregard|forget)\b[^.!?]{0,30}\b(?:all|any|previous|prior|above|earlier|preceding|these|those|your)\b[^.!?]{0,20}\b(?:rules?|messages?|directions?|instructions?|prompts?|context|text)\b/i,
  /(?:ignore|disregard|forget) (?:all (?:of )?)?(?:the |that )?(?:above|foregoing)\s{0,2}(?:[,.;!\n]|and\b|$)/i,
  /(?:ignore|disregard|forget) (?:all|everything|anything)\b[^.!?]{0,20}\b(?:above|before|previous|prior|earlier|told|said)\b/i,
  /(?:ignore|disregard|forget) (?:(?:all|any|the|these|those|your) ){1,2}(?:instructions?|prompts?|guidelines?|directions?) (?:above|before|that came|given|you (?:were|have|got))\b/i,
  /(?:override|bypass)\b[^.!?]{0,20}\b(?:all|any|these|those|your)\b[^.!?]{0,20}\b(?:restrictions?|safety|safeguards?)\b/i,
  /(?:reveal|print|repeat|leak|send|post|upload|exfiltrate)\b[^.!?]{0,30}\b(?:all|any|every|the|your|its|our|their)\b[^.!?]{0,30}\b(?:credentials?|api keys?|secrets?|passwords?)\b/i,
  /(?:reveal|print|repeat|leak|send|post|upload|exfiltrate)\b[^.!?]{0,30}\b(?:all|any|every|the|your|its|our|their)\b[^.!?]{0,30}\b(?:tokens?|private keys?|environment variables?)\b/i,
  /(?:do not|don['’]t|never) (?:tell|inform|notify|alert|warn|ask|mention\b[^.!?]{0,20}\bto)\b[^.!?]{0,10}\b(?:user|human|developer|operator)\b/i,
  /(?:mark|report|declare|consider|treat)\b[^.!?]{0,30}\b(?:task|work|this|everything|it)\b[^.!?]{0,20}\b(?:completed?|done|passed|finished)\b[^.!?]{0,40}\b(?:regardless|without|anyway)\b/i,
  /(?:mark|report|declare|consider|treat)\b[^.!?]{0,30}\b(?:task|work|this|everything|it)\b[^.!?]{0,20}\b(?:completed?|done|passed|finished)\b[^.!?]{0,40}\b(?:no matter|immediately|even if)\b/i
].map((rule) => new RegExp(order + rule.source, "i"))

const rules = [...anywhere, ...ordered]

const most = 65_536

/** A sentence may continue on the next line, and the beginning of a line counts as the beginning of a sentence. */
export const isTainted = (text: string): boolean => {
  const said = clean(text.length <= most ? text : `${text.slice(0, most / 2)}\n${text.slice(-most / 2)}`)
  return rules.some((rule) => rule.test(said))
}
