/**
 * Finds what the end of a text asks if nobody is there to answer. Separates questions that the agent can
 * decide from acts that need a person.
 */
import { isBlocked, isDanger, isOutward, needsPerson } from "../stop/HumanAction.ts"
import type { Facts } from "./model.ts"

/** An open question. */
export interface OpenQuestion {
  /** Who can answer the question. */
  readonly by: "agent" | "person"
  readonly text: string
  /** True if the question is about the rest of the order. */
  readonly isRest: boolean
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Only the user decides about money. */
const spends =
  /\b(?:costs?|billed|charged?|pay(?:s|ment)?|paid plan|purchase|buy|subscri(?:be|ption))\b|[$€£] ?\d|\b\d[\d.,]* ?(?:EUR|USD|GBP|euros?|dollars?)\b/i

const isTheirs = (sentence: string): boolean =>
  isDanger(sentence) || isOutward(sentence) || spends.test(sentence) || (isBlocked([sentence]) && needsPerson(sentence))

const goesOn = /\b(?:go(?:ing)? on|continue|carry on|proceed|keep going|the rest|remaining)\b/i

/** Says that the work is finished. For example, "Done." or "All renamed." */
const finishes =
  /^(?:it(?:'s| is) |(?:all|everything)(?: (?:two|three|four|five|\d+|of (?:it|them)))?(?: (?:is|are|has been|have been))? )?(?:done|finished|complete|in|\w+ed)(?=[.,;:!]|$)/i

const saysDone = ({ reading }: Facts): boolean => reading.prose.closing.some((sentence) => finishes.test(sentence))

const isRest = (sentence: string, facts: Facts): boolean =>
  goesOn.test(sentence) && (facts.reading.question !== null || !saysDone(facts))

/** A question that asks for approval. For example, "Does that look right to you?" */
const approval =
  /^(?:does|do|is|are) (?:that|this|it|these|they|everything|the \w+) [^?]{0,40}\b(?:looks?|right|ok(?:ay)?|good|fine|correct|works?|sense|what you)\b/i

/**
 * True if the text offers more than was ordered, or only asks for approval or review. The task does not depend on an
 * answer.
 */
const isMore = (text: string, facts: Facts): boolean => {
  const { question } = facts.reading
  const asksMore = question === null ? saysDone(facts) : question.kind === "offer" || approval.test(question.text)
  return asksMore && facts.evidence.actions > 0 && !isRest(text, facts)
}

/** Returns what stops the task. Null if somebody is there, or if no question stops the task. */
export const unanswered = (facts: Facts): OpenQuestion | null => {
  const { askedBefore, attended, reading, task } = facts
  const { dependsOn, prose, question } = reading
  if (attended || question?.kind === "extra") return null
  const text = question?.text ?? (dependsOn?.kind === "word" ? dependsOn.text : null)
  if (text === null || (question?.kind !== "risk" && isMore(text, facts))) return null
  const isPersons =
    question?.kind === "risk" ||
    task.asksLeave ||
    needsPerson(text) ||
    // The agent was told that nobody is there and asks the same again. So the agent cannot continue without an answer.
    (askedBefore !== null && letters(askedBefore) === letters(text)) ||
    // The obstacle is often named before the question, not in it.
    prose.closing.slice(-4).some(isTheirs)
  const is = { text, isRest: isRest(text, facts) }
  if (isPersons) return { ...is, by: "person" }
  // If the user wanted an answer, a discussion or a plan, the question is for the user.
  return task.intent !== "act" || task.mode === "plan" ? null : { ...is, by: "agent" }
}
