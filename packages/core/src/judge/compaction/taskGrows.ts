/** Whether a person's message adds to the task at hand or sets another: what is taken for another is no longer quoted whole. */
import type { JudgmentState } from "../verdict/Judgment.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { matchesAny } from "../../ground/text/Text.ts"
import { isImperative } from "../../session/task/Intent.ts"

const goesOn: ReadonlyArray<RegExp> = [
  /\b(?:continue|carry on|go on|go ahead|keep (?:going|at it|it up)|proceed|resume|pick up)\b/i,
  /\b(?:(?:looks?|sounds) good|lgtm)\b/i,
  /\b(?:next (?:step|one|item|part)|(?:step|phase|part|item|option) \d|the (?:rest|remaining|others?|next)|again)\b/i
]

const corrects: ReadonlyArray<RegExp> = [
  /^(?:no|nope|nah|not|never|(?:please )?(?:don't|do not)|wait|actually|sorry|but|still|wrong|instead|rather|hmm+|oh|also|and|plus|or|undo|revert|use|keep|make sure)(?!\w)/i,
  /^(?:you (?:forgot|missed|broke|left|did|have|should|can|skipped)|that(?:'s| is)|it(?:'s| is)|this|there(?:'s| is| are))(?!\w)/i
]

/** "Now translate the page", "Next: the docs": set apart from what was before. */
const another =
  /^(?:(?:ok(?:ay)?|great|thanks|thank you|good|perfect)[,.! ]{1,3})?(?:now|next|new task|another|different)\b.{3}/i

const question = /^(?:what|why|how|where|who|when|which|is|are|does|do|can|could)\b.*\?$/i

const maxShort = 60
const maxAddition = 300

const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const isShort = (text: string): boolean => text.length <= (dense.test(text) ? maxShort / 3 : maxShort)

const addsTo = (text: string): boolean => {
  if (text.length > maxAddition || another.test(text)) return text.length <= maxShort && matchesAny(goesOn, text)
  if (matchesAny(corrects, text) || (text.length <= 120 && matchesAny(goesOn, text))) return true
  return isShort(text) && !isImperative(text) && !question.test(text)
}

const unended: ReadonlySet<StopSignal.Reading["closing"]> = new Set([
  "question",
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
