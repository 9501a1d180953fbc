/** Whether a person's message adds to the task at hand or sets another: what is taken for another is no longer quoted whole. */
import type { JudgmentState } from "../verdict/Judgment.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { isImperative } from "../../session/task/Intent.ts"

const goesOn: ReadonlyArray<Row> = [
  row(
    "on|ahead|going|it|proceed|resume|pick|continue",
    /\b(?:continue|carry on|go on|go ahead|keep (?:going|at it|it up)|proceed|resume|pick up)\b/i,
    "go on with the second part",
    "going home"
  ),
  row("good|lgtm", /\b(?:(?:looks?|sounds) good|lgtm)\b/i, "looks good", "a good page"),
  row(
    "next|step|phase|part|item|option|rest|remaining|other|again",
    /\b(?:next (?:step|one|item|part)|(?:step|phase|part|item|option) \d|the (?:rest|remaining|others?|next)|again)\b/i,
    "now the rest",
    "restart it"
  )
]

const corrects: ReadonlyArray<Row> = [
  row(
    "n|wait|actually|sorry|but|still|wrong|instead|rather|hmm|oh|also|and|plus|or|undo|revert|use|keep|make sure",
    /^(?:no|nope|nah|not|never|(?:please )?(?:don't|do not)|wait|actually|sorry|but|still|wrong|instead|rather|hmm+|oh|also|and|plus|or|undo|revert|use|keep|make sure)(?!\w)/i,
    "no, the other one",
    "nothing else"
  ),
  row(
    "you|that|it|this|there",
    /^(?:you (?:forgot|missed|broke|left|did|have|should|can|skipped)|that(?:'s| is)|it(?:'s| is)|this|there(?:'s| is| are))(?!\w)/i,
    "you forgot the footer",
    "your footer"
  )
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
  if (text.length > maxAddition || another.test(text)) return text.length <= maxShort && takes(goesOn, text)
  if (takes(corrects, text) || (text.length <= 120 && takes(goesOn, text))) return true
  return isShort(text) && !isImperative(text) && !question.test(text)
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
