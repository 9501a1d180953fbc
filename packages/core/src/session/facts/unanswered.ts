/**
 * What the end of a text asks of somebody, where nobody is there: what the agent can decide within its task, and what only a
 * person can give. What is neither waits, for no default is obvious.
 */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import * as Answers from "../stop/Answers.ts"
import { isBlocked } from "../stop/HumanAction.ts"
import type { Facts } from "./model.ts"

/** `by` whom it can be settled. */
export interface Unanswered {
  readonly by: "agent" | "person"
  readonly text: string
}

/** "Stop after this step", "do step 1, then wait for me": where the user wants to be asked again. */
const stops: ReadonlyArray<Row> = [
  row(
    "stop|pause|halt",
    /\b(?:stop|pause|halt) (?:(?:there|here) )?(?:after|at the end of) (?:this|that|each|every|the (?:first|next|\w+)|step|part|phase)\b/i,
    "Stop after this step.",
    "The loop stops after it."
  ),
  row(
    "stop|pause|halt",
    /\b(?:then|and) (?:stop|pause|halt)(?: there| here)?(?=[.,;!]|$| (?:and|so|until|for) )/i,
    "Do the first one, then stop.",
    "Make it start and stop the server."
  ),
  row(
    "look|review|merge|pick|choose|decide|approve|give|say",
    /(?:^|[,;:.] |\b(?:until|till|after|before|once|when|then|for (?:that|this) one) )i(?:'ll| will| can)? (?:look (?:at|over|through)|review|merge|pick|choose|decide|approve|give|say)\b/i,
    "I look at the diff, then the next.",
    "It fails when I run it."
  ),
  row(
    "i've|i have|i give|i say",
    /\b(?:until|till|after|before|once|when) i(?:'ve| have) (?:seen|looked|read|reviewed|picked|chosen|decided|approved|merged|checked|said)\b|\bi (?:give|say) (?:the|my) (?:go|ok|word)\b/i,
    "Leave those alone until I've seen your estimate.",
    "It broke when I had seen it."
  ),
  row(
    "wait for m",
    /\bwait for (?:me|my (?:ok|okay|approval|review|go|confirmation|answer|reply|feedback|word|signal|input))\b/i,
    "Do the first one and wait for my review.",
    "Make it wait for my server."
  ),
  row(
    "at a time|step by step",
    /\b(?:one|a) (?:step|part|phase|file|module) at a time\b|\bstep by step and (?:ask|wait|check)\b/i,
    "Take it one step at a time.",
    "Take it at that time."
  )
]

/** The user wants to be asked, or to look at it, before it goes on. */
const wantsSay = (task: Facts["task"]): boolean => task.asksLeave || takes(stops, task.message.slice(0, 4000))

type Said = Pick<Facts, "reading" | "task">

/** Only what was ordered is decided within: an answer and a plan are the user's. */
const isWork = ({ task: { intent, mode } }: Said): boolean => intent === "act" && mode !== "plan"

/** What the text puts to the user, asked or said; where they want to be asked, a next step that it announces as well. */
const putToUser = ({ reading, task }: Said): string | null => {
  if (reading.question !== null) return reading.question.text
  if (reading.dependsOn?.kind === "word") return reading.dependsOn.text
  return reading.closing === "announces" && wantsSay(task) ? reading.prose.last.slice(0, 300) : null
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/**
 * What the text waits for that nobody will answer; null where it waits for nothing, or where only the user can say what is
 * meant.
 */
export const unanswered = (facts: Facts): Unanswered | null => {
  const { task } = facts
  const { question } = facts.reading
  const text = putToUser(facts)
  if (facts.attended || text === null || question?.kind === "extra") return null
  if (wantsSay(task)) return { by: "person", text }
  // It was told that nobody is there, and asks the same again: it cannot go on without an answer.
  if (facts.askedBefore !== null && letters(facts.askedBefore) === letters(text)) return { by: "person", text }
  // What is in its way stands before the question as often as in it.
  const closing = facts.reading.prose.closing.slice(-6).map((sentence) => sentence.slice(0, 400))
  if (isBlocked(closing) && closing.some(Answers.isOwned)) return { by: "person", text }
  const by = question === null ? Answers.ofWait(text) : Answers.ofQuestion(question, facts.reading.prose)
  return by === null || (by === "agent" && !isWork(facts)) ? null : { by, text }
}
