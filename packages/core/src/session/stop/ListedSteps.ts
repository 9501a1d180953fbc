/** The steps that a final text names at its end, and whether they are work that its agent left undone. */
import { guarded } from "../../ground/text/Guarded.ts"
import { imperative } from "../task/Intent.ts"
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { contentWords, isHeading, isListItem, plain, sentences } from "../../ground/text/Text.ts"

const stepsHead = guarded(
  "next step|remaining|to do|todo|up next|what",
  () =>
    /^(?:(?:the|my|our|here are|here's|these are)\s(?:the\s)?)?(?:(?:immediate|planned|remaining)\s)?(?:next steps?|remaining (?:steps?|work|tasks?|items?)|still to do|to ?do|what(?:'s| is) next|up next|what(?:'s| is| remains)(?: left| still)?(?: to do| open)?|left to do)\s?(?:are|is|include)?\s?:?(?:\s|$)/i
)

/** Whose steps they are, where a heading or the words before them tell. */
export const othersHead =
  /\b(?:for you|you (?:can|could|may|might|need|should)|your|optional(?:ly)?|possible|potential|suggest(?:ed|ions?)|recommend(?:ed|ations?)?|if you|future|later|teams?|(?:some(?:body|one)|others?) else|follow-?ups?|nice to have|beyond|ideas?|consider)\b/i

/** Work in the imperative or as a gerund, not what the user does with it. */
const own = (item: string): boolean =>
  imperative.test(item.replace(/^(?:then |finally |and |i(?:'ll| will| need to| have to)? )/i, "")) ||
  /^(?:(?!nothing|pending|string)\w+ing\b|test|verify|check|investigate|polish|inject|cover|ensure|repeat)/i.test(item)

/** What is not done in the working copy: in an account, in a running system, by asking somebody. */
export const elsewhere =
  /\byou(?:r|'ll|'d)?\b|^(?:ask|tell|contact)\b|\b(?:in production|monitor|sign up|dashboard|(?:set|configure|provide|rotate) [^.]{0,40}(?:\b(?:secrets?|api keys?|credentials|environment variables?|env vars?|\.env)|_(?:url|dsn|key|token|secret|endpoint|id)))\b/i

const shared =
  /^(?:commit|push|merge|publish|release|ship|open (?:a|the) (?:pr|pull|merge))\b|\b(?:if|optional(?:ly)?|consider|deploy|review the|when ready)\b/i

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
  const at = said.findIndex((sentence) => stepsHead.test(sentence.slice(0, 200)))
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

const done =
  /\b(?:(?:is|are|was|were|been|now|everything(?:'s| is)?|work is|all|fully|successfully) (?:now )?(?:complete[d]?|done|finished|implemented|in place|fixed|merged|deployed|working|ready|live|set up|green)|all (?:\d+ )?(?:tests?|checks?) (?:pass|are green)|i(?:'ve| have) (?:now )?(?:implemented|completed|finished|fixed|added|built|migrated) (?:all|everything|the (?:whole|entire|full)))\b|^(?:done|finished|complete[d]?|all set)[.!:]|✅/im

/** Whether the text calls the work done, in so many words. */
export const callsDone = (prose: Prose): boolean => done.test(prose.said.slice(-12).flat().join("\n").slice(-4000))

const everything = /\b(?:all|every|everything|whole|entire|fully|completely)\b/i

const finishedAll =
  /(?:^|\bi(?:'ve| have)? )(?:now )?(?:finished|completed|implemented|did|done) (?:all|everything|every)\b/i

const spared = /\b(?:except|but|apart from|other than|not|n't|left|remain\w*|until|once|when)\b/i

/** Whether the text calls all of the work done. */
export const callsAllDone = (prose: Prose): boolean =>
  prose.said
    .slice(-12)
    .flat()
    .map((sentence) => sentence.slice(0, 400))
    .some(
      (sentence) =>
        (finishedAll.test(sentence) || (everything.test(sentence) && done.test(sentence))) && !spared.test(sentence)
    )

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
  const before = said.slice(
    0,
    said.findLastIndex((sentence) => stepsHead.test(sentence.slice(0, 200)))
  )
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
