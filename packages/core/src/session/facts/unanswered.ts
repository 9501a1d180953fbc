/**
 * What the end of a text puts to somebody, where nobody is there to answer: what the agent can settle within its task, and what
 * only a person can do or allow.
 */
import { isBlocked, isDanger, isOutward, needsPerson } from "../stop/HumanAction.ts"
import type { Facts } from "./model.ts"

/** `by` whom it can be settled. */
export interface Unanswered {
  readonly by: "agent" | "person"
  readonly text: string
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Money is the user's. */
const spends =
  /\b(?:costs?|billed|charged?|pay(?:s|ment)?|paid plan|purchase|buy|subscri(?:be|ption))\b|[$€£] ?\d|\b\d[\d.,]* ?(?:EUR|USD|GBP|euros?|dollars?)\b/i

const isTheirs = (sentence: string): boolean =>
  isDanger(sentence) || isOutward(sentence) || spends.test(sentence) || (isBlocked([sentence]) && needsPerson(sentence))

/** Null where somebody is there, and where nothing is asked that keeps the task from going on. */
export const unanswered = (facts: Facts): Unanswered | null => {
  const { askedBefore, attended, reading, task } = facts
  const { dependsOn, prose, question } = reading
  if (attended || question?.kind === "extra") return null
  const text = question?.text ?? (dependsOn?.kind === "word" ? dependsOn.text : null)
  if (text === null) return null
  const isPersons =
    question?.kind === "risk" ||
    task.asksLeave ||
    needsPerson(text) ||
    // It was told that nobody is there, and asks the same again: it cannot go on without an answer.
    (askedBefore !== null && letters(askedBefore) === letters(text)) ||
    // What is in its way stands before the question as often as in it.
    prose.closing.slice(-4).some(isTheirs)
  if (isPersons) return { by: "person", text }
  // An answer, an idea that was to be discussed, and a plan are the user's.
  return task.intent !== "act" || task.mode === "plan" ? null : { by: "agent", text }
}
