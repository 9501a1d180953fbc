/**
 * What the end of a text asks of somebody, where nobody is there: what the agent can decide within its task, and what only a
 * person can give. What is neither waits, for no default is obvious.
 */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { type HumanAct, needsHuman } from "../stop/HumanAction.ts"
import { isOutward, isRisky } from "../stop/irreversibleActions.ts"
import { bare, isOffer, listsOptions, wh } from "../stop/Questions.ts"
import { either, stated } from "../stop/questionRows.ts"
import { leave } from "../stop/waitRows.ts"
import type { Question } from "../stop/model.ts"
import { asksFirst } from "../task/Intent.ts"
import * as StandingOrders from "../task/StandingOrders.ts"
import type { Facts } from "./model.ts"

/** `by` whom it can be settled. */
export interface Unanswered {
  readonly by: "agent" | "person"
  readonly text: string
}

/** What costs money, whoever offers to spend it. */
const spends: ReadonlyArray<Row> = [
  row(
    "buy|purchas|order|pay|subscri|upgrade|spend|top up|charge|billed|paid plan",
    /\b(?:i|to|and|me) (?:(?:now|also|then|just) ){0,2}(?:buy|purchase|order (?:an?|more|the)|pay|subscribe|upgrade (?:\w+ ){0,3}(?:plan|tier|account|subscription)|spend|top up|charge)\b|\b(?:be (?:charged|billed)|paid (?:plan|tier))\b/i,
    "Should I upgrade the plan?",
    "Should I upgrade the parser?"
  ),
  row(
    "$|€|£|usd|eur",
    /[$€£] ?\d|\b\d+(?:\.\d+)? ?(?:usd|eur|dollars|euros)\b/i,
    "That costs $40. Should I?",
    "Is it $HOME?"
  )
]

/** "Stop after this step", "do step 1, then wait for me": where the user wants to be asked again. */
const stops: ReadonlyArray<Row> = [
  row(
    "stop|pause|halt",
    /\b(?:stop|pause|halt) (?:(?:there|here) )?(?:after|at the end of) (?:this|that|each|every|the (?:first|next|\w+)|step|part|phase)\b/i,
    "Stop after this step.",
    "The loop stops after it."
  ),
  row(
    "stop|pause|halt|wait",
    /\b(?:then|and) (?:stop|pause|halt)(?: there| here)?(?=[.,;!]|$| (?:and|so|until|for) )|\bwait for (?:me\b|my (?:ok|okay|approval|review|go|confirmation|answer|reply|feedback|word|signal|input)\b)/i,
    "Do the first one, then stop.",
    "Make it start and stop the server."
  ),
  row(
    "at a time|one by one",
    /\b(?:one|a) (?:step|part|phase|file|module) at a time\b|\bstep by step and (?:ask|wait|check)\b/i,
    "Take it one step at a time.",
    "Take it at that time."
  )
]

/** Yes or no, or this or that, about what is to be made. */
const closed: ReadonlyArray<Row> = [
  row(
    "should|shall|do you|would you|is it|are you",
    /^(?:[^?]{0,60}[:,] |so |and |but |also )?(?:should|shall|(?:do|would) you (?:want|like|prefer|rather)|(?:is it|are you) (?:ok|okay|fine)|is that (?:ok|okay|fine|right))\b/i,
    "Do you want the total with tax?",
    "Do you have a key?"
  )
]

/** The agent names what it would do. */
const leans: ReadonlyArray<Row> = [
  row(
    "recommend|suggest|default|unless|lean|i'd|i would|prefer|otherwise",
    /\bi(?:'d| would)? (?:recommend|suggest|lean|prefer|go with)\b|\bmy (?:recommendation|suggestion|preference)\b|\bby default\b|\bunless you\b|\b(?:default|recommended)\)|\botherwise i(?:'ll| will)\b/i,
    "I'd go with the first.",
    "The default is 3."
  )
]

/** What nobody but the user has; offers of a step and a choice of how a thing is made only speak of it. */
const owned: ReadonlySet<HumanAct> = new Set(["login", "device", "credentials", "payment", "access"])

const isOwned = (text: string): boolean => {
  const kind = needsHuman(text)
  return kind !== null && owned.has(kind)
}

/** The user wants to be asked, or to look at it, before it goes on. */
const wantsSay = ({ message, standing }: Facts["task"]): boolean =>
  asksFirst(message) || StandingOrders.wantAsking(standing) || takes(stops, message.slice(0, 4000))

type Said = Pick<Facts, "reading" | "task">

/** Only what is to be done is decided within: an answer, an idea that was to be discussed, and a plan are the user's. */
const isWork = ({ task: { intent, mode } }: Said): boolean =>
  intent !== "ask" && intent !== "discuss" && mode !== "plan"

const hasDefault = ({ kind, text }: Question, { reading }: Said): boolean => {
  const said = reading.prose.closing.slice(-4).map((sentence) => sentence.slice(0, 400))
  if (said.some((sentence) => takes(leans, sentence))) return true
  if (kind === "offer" || bare.test(text) || takes(either, text) || isOffer(text)) return true
  return listsOptions(reading.prose) || (!wh.test(text) && takes(closed, text))
}

const ofQuestion = (question: Question, said: Said): Unanswered["by"] | null => {
  const { kind, text } = question
  if (kind === "risk" || isRisky(text) || takes(spends, text)) return "person"
  const isChoice = isOffer(text) || takes(either, text)
  if (isOwned(text) && !isChoice) return "person"
  return isWork(said) && hasDefault(question, said) ? "agent" : null
}

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

/** "Let me know which one to take", "once you agree, I'll go on" */
const ofWait = (text: string, said: Said): Unanswered["by"] | null => {
  if (isRisky(text) || isOutward(text) || takes(spends, text) || isOwned(text)) return "person"
  const decided =
    takes(leave, text) || takes(stated, text) || /\b(?:which|whether|your (?:call|choice|pick|decision))\b/i.test(text)
  return isWork(said) && decided ? "agent" : null
}

/**
 * What the text waits for that nobody will answer; null where it waits for nothing, or where only the user can say what is
 * meant.
 */
export const unanswered = (facts: Facts): Unanswered | null => {
  const { task } = facts
  const { question } = facts.reading
  const text = putToUser(facts)
  if (facts.attended || text === null || question?.kind === "extra") return null
  if (wantsSay(task) || StandingOrders.forbid(task.standing, text)) return { by: "person", text }
  // It was told that nobody is there, and asks the same again: it cannot go on without an answer.
  if (facts.askedBefore !== null && letters(facts.askedBefore) === letters(text)) return { by: "person", text }
  const by = question === null ? ofWait(text, facts) : ofQuestion(question, facts)
  return by === null ? null : { by, text }
}
