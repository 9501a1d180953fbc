/** The steps that a final text names at its end, and whether they are work that its agent left undone. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { isImperative } from "../task/Intent.ts"
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { contentWords, isHeading, isListItem, plain, sentences } from "../../ground/text/Text.ts"

const stepsHeads: ReadonlyArray<Row> = [
  row(
    "next step|remaining",
    /^(?:(?:the|my|here are|these are) (?:the )?)?(?:(?:immediate|planned|remaining) )?(?:next steps?|remaining (?:steps?|work|tasks?|items?))\s?(?:are|is)?\s?:?(?:\s|$)/i,
    "Remaining work:",
    "The next stepper"
  ),
  row(
    "to do|todo|next|what",
    /^(?:(?:still|left) to do|to ?do|up next|what(?:'s| is) (?:next|left)|what remains)(?: to do)?\s?:?(?:\s|$)/i,
    "What's left:",
    "What leftovers are"
  )
]

const isHead = (sentence: string): boolean => takes(stepsHeads, sentence.slice(0, 200))

/** Whose steps they are, where a heading or the words before them tell. */
export const othersHead = row(
  "you|optional|possible|potential|suggest|recommend|future|later|team|else|follow|nice to|beyond|idea|consider",
  /\b(?:(?:for|if) you|you (?:can|may|might|need|should)|your|optional(?:ly)?|possible|potential|(?:suggest|recommend)\w*|future|later|teams?|else|follow-?ups?|nice to have|beyond|ideas?|consider)\b/i,
  "Next steps for you:",
  "Next steps:"
).pattern

/** Work in the imperative or as a gerund, not what the user does with it. */
const own = (item: string): boolean =>
  isImperative(item.replace(/^(?:then |finally |and |i(?:'ll| will| need to| have to)? )/i, "")) ||
  /^(?:(?!nothing|pending|string)\w+ing\b|test|verify|check|investigate|polish|cover|ensure)/i.test(item)

/** Whether it is not done in the working copy: in an account, in a running system, by asking somebody. */
export const elsewhere = row(
  "you|ask|tell|contact|production|monitor|sign up|dashboard|secret|key|credential|env|token",
  /\byou(?:r|'ll|'d)?\b|^(?:ask|tell|contact)\b|\b(?:in production|monitor|sign up|dashboard|secrets?|api keys?|credentials|env(?:ironment)? var\w*)\b|\.env\b|_(?:key|token|secret)\b/i,
  "Set `STRIPE_KEY`",
  "Set the width"
).pattern

const shared = row(
  "commit|push|merge|publish|release|ship|open|if|optional|consider|deploy|review|ready",
  /^(?:commit|push|merge|publish|release|ship|open (?:a|the) (?:pr|pull|merge))\b|\b(?:if|optional(?:ly)?|consider|deploy|review the|when ready)\b/i,
  "Add a cache if it is slow",
  "Add a cache"
).pattern

const isOthers = (item: string): boolean => elsewhere.test(item) || shared.test(item)

/** The steps that a text names at its end, and whose they are. */
interface Steps {
  readonly own: ReadonlyArray<string>
  readonly others: number
}

export const itemsBelow = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => isListItem(line)).map((line) => plain(line))

const itemsWithin = (rest: string): ReadonlyArray<string> =>
  rest
    .split(/[,;]\s|\s(?:and then|then)\s|(?<=[a-z])\.\s/)
    .map((item) => item.trim().replace(/^(?:and|then)\s/i, ""))
    .filter((item) => item !== "")

interface Found {
  readonly head: string
  readonly items: ReadonlyArray<string>
}

/** The part of a line from the sentence on that begins with such a heading. */
const headOf = (line: string): string | null => {
  if (isListItem(line)) return null
  const said = sentences(plain(line))
  const at = said.findIndex((sentence) => isHead(sentence))
  return at < 0 ? null : said.slice(at).join(" ")
}

/** The last heading of steps, unless more than a closing remark follows its list. */
const findSteps = (prose: Prose): Found | null => {
  const lines = prose.paragraphs.slice(-6).flat()
  const at = lines.findLastIndex((line) => headOf(line) !== null)
  const head = headOf(lines[at] ?? "")
  if (head === null) return null
  const below = lines.slice(at + 1)
  const items = itemsBelow(below)
  const remarks = below.filter((line) => !isListItem(line) && !line.startsWith(" "))
  if (remarks.length > 2 || remarks.some((line) => isHeading(line))) return null
  const inline = head.slice(head.indexOf(":") + 1).trim()
  if (items.length > 0) return { head: `${head} ${remarks.join(" ")}`, items }
  return head.includes(":") && inline !== "" && sentences(inline).length <= 3
    ? { head, items: itemsWithin(inline) }
    : null
}

const nextSteps = (prose: Prose): Steps | null => {
  const found = findSteps(prose)
  if (found === null) return null
  if (othersHead.test(found.head.slice(0, 600))) return { own: [], others: found.items.length }
  const mine = found.items.filter((item) => own(item.slice(0, 120)) && !isOthers(item.slice(0, 300)))
  return { own: mine, others: found.items.filter((item) => isOthers(item.slice(0, 300))).length }
}

const done: ReadonlyArray<Row> = [
  row(
    "complete|done|finished|implemented|in place|fixed|merged|deployed|working|works|ready|live|set up|green",
    /\b(?:is|are|was|were|been|now|everything|all|fully) (?:now )?(?:completed?|done|finished|implemented|in place|fixed|merged|deployed|work(?:s|ing)|ready|live|set up|green)\b/i,
    "It is done.",
    "The finished page"
  ),
  row(
    "all|every|whole|entire|full",
    /(?:^|\bi(?:'ve| have)? )(?:now )?(?:finished|completed|implemented|did|done|fixed|added|built|migrated) (?:all|every\w*|the (?:whole|entire|full))\b/i,
    "I've migrated all of them.",
    "I've migrated one of them."
  ),
  row(
    "all|done|finished|complete|✅",
    /\ball (?:\d+ )?(?:tests?|checks?) (?:pass|are green)|^(?:done|finished|completed?|all set)[.!:]|✅/im,
    "Done.",
    "Done so far is one."
  )
]

/** Whether the text calls the work done, in so many words. */
export const callsDone = (prose: Prose): boolean => takes(done, prose.said.slice(-12).flat().join("\n").slice(-4000))

const everything = /\b(?:all|every|everything|whole|entire|fully|completely)\b/i

const spared = /\b(?:except|but|apart from|other than|not|n't|left|remain\w*|until|once|when)\b/i

/** Whether the text calls all of the work done. */
export const callsAllDone = (prose: Prose): boolean =>
  prose.said
    .slice(-12)
    .flat()
    .map((sentence) => sentence.slice(0, 400))
    .some((sentence) => everything.test(sentence) && takes(done, sentence) && !spared.test(sentence))

/** The words of a text by their beginnings, so that "port" is in "ported". */
const stems = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/\b(?!(?:the|and|for|with|that|this|from|your?)\b)[a-z]{3,30}/g) ?? []).map((word) =>
    word.slice(0, 4)
  )

/** Whether the text tells two words of the task at least, and no step has one that it does not tell. */
const tellsAll = (said: string, steps: string, task: string): boolean => {
  const told = new Set(stems(said))
  const words = new Set(stems(task))
  return (
    [...words].filter((word) => told.has(word)).length > 1 &&
    !stems(steps).some((word) => words.has(word) && !told.has(word))
  )
}

/** A look at what is done, which may be anyone's. */
const looks = /^(?:re-?)?(?:run|test|try|verify|check|review)\b/i

/** Steps of an agent's own that it named and did not take: `asked` share a word with the task. */
export interface StepsLeft {
  readonly own: ReadonlyArray<string>
  readonly asked: ReadonlyArray<string>
  /** False where the text calls the work done, or names as many steps for others. */
  readonly sure: boolean
}

/** The steps that the text leaves to nobody else, null where it names none. */
export const stepsLeft = (prose: Prose, task: string): StepsLeft | null => {
  const steps = nextSteps(prose)
  if (steps === null || steps.own.length === 0) return null
  const words = contentWords(task)
  const said = prose.said.slice(-12).flat()
  const before = said.slice(0, said.findLastIndex(isHead))
  return {
    own: steps.own,
    asked: steps.own.filter((step) => [...contentWords(step)].some((word) => words.has(word))),
    sure:
      steps.own.some((step) => !looks.test(step)) &&
      !callsDone(prose) &&
      !tellsAll(before.join(" "), steps.own.join(" "), task) &&
      steps.others < steps.own.length
  }
}

/** What is said of an agent that named its steps, and to it. */
export const sayOf = ({ asked, own }: StepsLeft): Record<"missing" | "fact" | "action", string> => {
  const first = asked[0] ?? own[0] ?? ""
  return {
    missing: `next steps are announced and none was taken: ${first}`,
    fact: `You named next steps and took none of them: ${own.slice(0, 3).join("; ")}.`,
    action: `Take the steps that you named, beginning with: ${first}`
  }
}
