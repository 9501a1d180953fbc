/** Whether a person's message adds to the task at hand or sets another: what is taken for another is no longer quoted whole. */
import type { JudgmentState } from "../verdict/Judgment.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { imperative } from "../../session/task/Intent.ts"

const goesOn =
  /\b(?:continue|carry on|go on|go ahead|keep (?:going|at it|it up)|proceed|resume|pick up|looks? good|lgtm|sounds good|next (?:step|one|item|part)|(?:step|phase|part|item|option) \d|the (?:rest|remaining|others?|next)|try again|again)\b|weiter|fahre? fort|contin[uú]|sigue|poursui|vas-y|prosegu|avanti|kontynuuj|dalej|doorgaan|ga door|fortsätt|fortsæt|devam|lanjut|tiếp tục|继续|繼續|接着|続け|진행|계속|продолж|дальше|продовж|واصل|استمر|जारी/iu

const corrects =
  /^(?:no|nope|nah|not|nein|doch|non|wait|actually|sorry|but|aber|mais|pero|still|wrong|instead|rather|hmm+|oh|also|and|plus|or|und|auch|y|et|e|you (?:forgot|missed|broke|left|did|have|should|can|skipped)|that(?:'s| is)|it(?:'s| is)|this|there(?:'s| is| are)|undo|revert|use|keep|make sure|don't|do not|please don't|never|不|不是|还|而且|нет|не|и|а)(?![\p{L}\p{N}])/iu

/** "Now translate the page", "Next: the docs": set apart from what was before. */
const another =
  /^(?:(?:ok(?:ay)?|great|thanks|thank you|good|perfect)[,.! ]{1,3})?(?:now|next|new task|another|different)\b.{3}/i

const question = /^(?:what|why|how|where|who|when|which|is|are|does|do|can|could)\b.*\?$/i

const maxShort = 60
const maxAddition = 300

const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const isShort = (text: string): boolean => text.length <= (dense.test(text) ? maxShort / 3 : maxShort)

const addsTo = (text: string): boolean => {
  if (text.length > maxAddition || another.test(text)) return text.length <= maxShort && goesOn.test(text)
  if (corrects.test(text) || (text.length <= 120 && goesOn.test(text))) return true
  return isShort(text) && !imperative.test(text) && !question.test(text)
}

const unended: ReadonlySet<StopSignal.Reading["closing"]> = new Set([
  "question",
  "announces",
  "cut_off",
  "error",
  "limited",
  "aborted",
  "silent",
  "open_call"
])

/** Whether the agent had come to an end of its own before the message. */
const hadEnded = ({ interrupted, stop }: JudgmentState): boolean =>
  !interrupted && stop.spokeLast && stop.pending.length === 0 && !unended.has(StopSignal.read(stop).closing)

/** A needless quote costs a few lines; a lost task costs the task. */
export const growsTask = (before: JudgmentState, after: JudgmentState, text: string): boolean =>
  before.task.turn >= 0 &&
  (after.task.since === before.task.since || !hadEnded(before) || addsTo(text.slice(0, 1000).trim()))
