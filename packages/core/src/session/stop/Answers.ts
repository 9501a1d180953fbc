/** Who could answer what the end of a text asks: the agent itself, by an obvious default, or only a person. */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { type HumanAct, needsHuman } from "./HumanAction.ts"
import { isOutward, isRisky } from "./irreversibleActions.ts"
import type { Question } from "./model.ts"
import { bare, isOffer, listsOptions, wh } from "./Questions.ts"
import { either, stated } from "./questionRows.ts"
import { leave } from "./waitRows.ts"

/** What costs money, whoever offers to spend it. */
const spends: ReadonlyArray<Row> = [
  row(
    "buy|purchas|order|pay|subscri|spend|top up|charge",
    /\b(?:i|to|and|me) (?:(?:now|also|then|just) ){0,2}(?:buy|purchase|order (?:an?|more|the)|pay|subscribe|spend|top up|charge)\b/i,
    "Should I buy the licence?",
    "Should I add the order form?"
  ),
  row(
    "upgrade|billed|charged|paid ",
    /\bupgrade (?:\w+ ){0,3}(?:plan|tier|account|subscription)\b|\bbe (?:charged|billed)\b|\bpaid (?:plan|tier)\b/i,
    "Should I upgrade the plan?",
    "Should I upgrade the parser?"
  ),
  row(
    "$|€|£|usd|eur|dollar",
    /\b(?:costs?|charges?|pays?|for|at|about) (?:[$€£] ?\d|\d+(?:\.\d+)? ?(?:usd|eur|dollars|euros)\b)/i,
    "That costs $40. Should I?",
    "Should the price be $5?"
  )
]

/** Yes or no, or this or that, about what is to be made. */
const closed: ReadonlyArray<Row> = [
  row(
    "should|shall|do you|would you",
    /^(?:[^?]{0,60}[:,] |so |and )?(?:should|shall|(?:do|would) you (?:want|like|prefer|rather))\b/i,
    "Do you want the total with tax?",
    "Do you have a key?"
  )
]

/** The agent names what it would do. */
const leans: ReadonlyArray<Row> = [
  row(
    "i |i'd|my ",
    /\bi(?:'d| would)? (?:recommend|suggest|lean|prefer|go with)\b|\bmy (?:recommendation|suggestion|preference|inclination|pick|choice)\b/i,
    "I'd go with the first.",
    "I'd have to ask."
  ),
  row(
    "default|unless|recommended|otherwise",
    /\bby default\b|\bunless you\b|\b(?:default|recommended)\)|\botherwise i(?:'ll| will)\b/i,
    "Otherwise I'll take the first.",
    "The default is 3."
  )
]

/** What nobody but the user has; offers of a step and a choice of how a thing is made only speak of it. */
const owned: ReadonlySet<HumanAct> = new Set(["login", "device", "credentials", "payment", "access"])

/** What nobody but the user has. */
export const isOwned = (text: string): boolean => {
  const kind = needsHuman(text)
  return kind !== null && owned.has(kind)
}

/** "Which one", "whether", "your call": what the agent waits for is a choice, and no thing of the user's. */
const choosing = /\b(?:which|whether|your (?:call|choice|pick|decision))\b/i

const hasDefault = ({ kind, text }: Question, prose: Prose): boolean => {
  if (prose.closing.slice(-4).some((sentence) => takes(leans, sentence.slice(0, 400)))) return true
  if (kind === "offer" || bare.test(text) || takes(either, text) || isOffer(text)) return true
  return listsOptions(prose) || (!wh.test(text) && takes(closed, text))
}

/**
 * Who could answer a question; null where no default is obvious and only the user can say what is meant. A bare "Shall I?"
 * asks for what stands before it.
 *
 * @category accessors
 */
export const ofQuestion = (question: Question, prose: Prose): "agent" | "person" | null => {
  const { kind, text } = question
  const about = bare.test(text) ? prose.closing.slice(-2).join(" ").slice(-600) : text
  if (kind === "risk" || isRisky(about) || takes(spends, about)) return "person"
  if (isOwned(text) && !isOffer(text) && !takes(either, text)) return "person"
  return hasDefault(question, prose) ? "agent" : null
}

/**
 * The same of what a text waits for without a question: "Let me know which one to take", "once you agree, I'll go on".
 *
 * @category accessors
 */
export const ofWait = (text: string): "agent" | "person" | null => {
  if (isRisky(text) || isOutward(text) || takes(spends, text) || isOwned(text)) return "person"
  return takes(leave, text) || takes(stated, text) || choosing.test(text) ? "agent" : null
}
