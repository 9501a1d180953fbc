/** If nobody is there to answer, finds what the last words of a text ask or postpone. Also says who can decide that. */
import { contentWords } from "../../base/text/Text.ts"
import { isImperative } from "../task/Intent.ts"
import { isBlocked, isDanger, isOutward, needsPerson } from "../stop/HumanAction.ts"
import type { Facts } from "./model.ts"

export interface OpenQuestion {
  readonly by: "agent" | "person"
  readonly text: string
  /** True if the question or the work is about the rest of the order. */
  readonly isRest: boolean
  /** True for a question. False for work that the text only announces. */
  readonly isAsked: boolean
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

/** Names in a text. For example, "part 2" or "src/cart.ts". */
const naming = /\b[a-z]{3,12} #?\d{1,2}\b|\b[\w/-]{1,80}\.[a-z]{1,5}\b/g

/** True if a sentence names a part of the order that neither the other sentences nor the edited files name. */
const isOfOrder = (sentence: string, { evidence, reading, task }: Facts): boolean => {
  const others = reading.prose.said.flat().filter((other) => !other.includes(sentence))
  const told = [...others, ...evidence.edits.map(({ path }) => path.slice(path.lastIndexOf("/") + 1))].join(" ")
  const ordered = `${task.text} ${task.message}`.toLowerCase()
  const parts = (sentence.toLowerCase().match(naming) ?? []).filter((part) => ordered.includes(part))
  const [wanted, done] = [contentWords(ordered), contentWords(told)]
  return (
    parts.some((part) => !told.toLowerCase().includes(part)) ||
    [...contentWords(sentence)].some((word) => wanted.has(word) && !done.has(word))
  )
}

/** Says that the work is finished. For example, "Done." or "All renamed." */
const finishes =
  /^(?:it(?:'s| is) |(?:all|everything)(?: (?:two|three|four|five|\d+|of (?:it|them)))?(?: (?:is|are|has been|have been))? )?(?:done|finished|complete|in|\w+ed)(?=[.,;:!]|$)/i

const saysDone = ({ reading }: Facts): boolean => reading.prose.closing.some((sentence) => finishes.test(sentence))

const isRest = (sentence: string, facts: Facts): boolean =>
  (goesOn.test(sentence) && (facts.reading.question !== null || !saysDone(facts))) || isOfOrder(sentence, facts)

/** Finds the work that the agent announces. "Next" counts only at the start of a sentence and before a colon. */
const announces =
  /\b(?:i(?:'ll| will|'m going to| am going to)|let me) (?:(?:now|then|also|next|just) )*(.+)|^next(?: up)?: (.+)/i

/** An announcement that the text itself fulfils, such as "Let me sum up". */
const telling = /^(?:quote|show|mention|note|repeat|paste|point|sum|recap|add (?:that|one|a (?:word|note|remark)))\b/i

const isWork = (rest: string): boolean =>
  !telling.test(rest) && (isImperative(rest) || /^(?:work on|proceed|tackle)\b/i.test(rest))

const idles = /\b(?:not|leave|stop|wait|keep|watch|monitor|report|know|you|if|when|once|would|could)\b/i

const box = /^\s{0,8}(?:[-*+]|\d{1,3}[.)]) \[([ x])\] (.{1,300})/i

/** Returns an item of a list that is not ticked. Another item must be ticked. */
const unticked = (facts: Facts): string | null => {
  const boxes = facts.reading.prose.paragraphs.flat().flatMap((line) => {
    const [, mark, item = ""] = box.exec(line) ?? []
    return mark === undefined ? [] : { isOpen: mark === " ", item }
  })
  const isOwn = ({ isOpen, item }: (typeof boxes)[number]): boolean =>
    isOpen && !isTheirs(item) && isOfOrder(item, facts)
  return boxes.every(({ isOpen }) => isOpen) ? null : (boxes.find(isOwn)?.item ?? null)
}

/** If the agent did something, returns the text that announces the rest of the order or leaves it open. */
const announced = (facts: Facts): string | null => {
  const { closing, prose } = facts.reading
  if (closing !== "finished" || facts.evidence.actions === 0) return null
  const open = unticked(facts)
  if (open !== null) return open
  const said = prose.last.slice(0, 300)
  const [, work, item] = announces.exec(said) ?? []
  const isAnnounced = item !== undefined || (work !== undefined && isWork(work))
  return isAnnounced && !idles.test(said) && isRest(said, facts) ? said : null
}

/** A question that asks for approval. For example, "Does that look right to you?" */
const approval =
  /^(?:does|do|is|are) (?:that|this|it|these|they|everything|the \w+) [^?]{0,40}\b(?:looks?|right|ok(?:ay)?|good|fine|correct|works?|sense|what you)\b/i

/** True if a text offers more than was ordered, or asks only for approval. Then the task needs no answer. */
const isMore = (text: string, facts: Facts): boolean => {
  const { question } = facts.reading
  const asksMore = question === null ? saysDone(facts) : question.kind === "offer" || approval.test(question.text)
  return asksMore && facts.evidence.actions > 0 && !isRest(text, facts)
}

/** Returns what stops the task. Null if somebody is there, or if no question or announcement stops the task. */
export const unanswered = (facts: Facts): OpenQuestion | null => {
  const { askedBefore, attended, reading, task } = facts
  const { dependsOn, prose, question } = reading
  if (attended || question?.kind === "extra") return null
  const asked = question?.text ?? (dependsOn?.kind === "word" ? dependsOn.text : null)
  const text = asked ?? announced(facts)
  if (text === null || (asked !== null && question?.kind !== "risk" && isMore(text, facts))) return null
  const isPersons =
    question?.kind === "risk" ||
    task.asksLeave ||
    needsPerson(text) ||
    // The agent was told that nobody is there and asks the same again. So the agent cannot continue without an answer.
    (askedBefore !== null && letters(askedBefore) === letters(text)) ||
    // Often a sentence before the question names the obstacle.
    prose.closing.slice(-4).some(isTheirs)
  const is = { text, isRest: isRest(text, facts), isAsked: asked !== null }
  if (isPersons) return asked === null ? null : { ...is, by: "person" }
  // If the user wanted an answer, a discussion or a plan, the question is for the user.
  return task.intent !== "act" || task.mode === "plan" ? null : { ...is, by: "agent" }
}
