/** What a final text says that is not done, of the agent's own work. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { elsewhere, othersHead } from "./ListedSteps.ts"
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { isQuestion } from "./Questions.ts"
import { isListItem, plain } from "../../ground/text/Text.ts"

/** The agent says it of itself, or puts it under such a heading. */
const leftovers: ReadonlyArray<Row> = [
  row(
    "left|remaining|still|outstanding|unfinished|not|todo",
    /^(?:what(?:'s| is) left|left to do|still (?:to do|missing|open|pending)|(?:remaining|outstanding|unfinished) (?:work|items?|tasks?|steps?)|not (?:yet )?(?:done|finished|implemented)|todo)\b/i,
    "Remaining work:",
    "Not one remains."
  ),
  row(
    "i have|i haven|i still",
    /\bi (?:still (?:need|have) to|(?:have not|haven't)(?= [^.?!;]{0,80}\byet\b)) (?:yet )?(?:\w+ )?(?:implement|finish|complet|updat|document|writ|add|migrat|port)\w*/i,
    "I have not implemented it yet",
    "I have not added a dependency"
  ),
  row(
    "left |still ",
    /\bi(?:'ve| have)? left (?:an?|the) `?(?:todo|placeholder|stub)\b|\bstill (?:needs?|has|have) to be (?:written|implemented|filled in|finished|done)\b/i,
    "I left a TODO there.",
    "The todo page is left."
  )
]

/** Something is not there yet; of whose task it is a part, only the task tells. */
const unfinished: ReadonlyArray<Row> = [
  row(
    "yet",
    /^(?!.*\b(?:where|at (?:that|which|this)|so it)\b).*(?<!\b(?:that|which|who|may|might) )\b(?:have|has|is|are)(?: not|n't)\b[^.?!;]{1,60}\byet\b|\byet to be \w/i,
    "The parser is not ported yet.",
    "Not yet"
  ),
  row(
    "still|remain",
    /\b(?:(?:is|are) still (?:missing|to do|outstanding|(?:an? )?(?:stub|placeholder)s?)|still (?:needs?|has|have|are|is) to be|remains? to be|i still (?:need|have) to (?:run|do|fix|write|add)) ?\w*/i,
    "The docs are still missing.",
    "It is still there."
  ),
  row(
    "next|later|separately|follow",
    /\b(?:is|are) next[.!]?$|\b(?:i'll|i will|will be) (?:\w+ ){1,6}(?:next|later|separately|in a follow-?up)\b/i,
    "The parser is next.",
    "Next is the parser."
  ),
  row(
    "so far",
    /\b(?:one|two|three|\d+|some|half|most) of [^.?!;]{1,60}\bso far\b/i,
    "Two of three so far",
    "None so far"
  ),
  row(
    "skipped|omitted|postponed",
    /\bi(?:'ve| have)? (?:skipped|omitted|postponed)\b/i,
    "I skipped it.",
    "It skipped it."
  )
]

const others = row(
  "maintainer|owner|team|ops|review|admin|legal|author|customer|colleague|else",
  /\b(?:maintainers?|owners?|teams?|(?:dev)?ops|reviewers?|admins?|legal|authors?|customers?|colleagues?|(?:some(?:body|one)|others?) else)\b/i,
  "The platform team has to do it.",
  "The steam is not shown yet."
)

/** It was left out on purpose, never was to be done, is another's, or depends on something. */
const intended: ReadonlyArray<Row> = [
  others,
  row(
    "you|as ",
    /\b(?:you (?:asked|told|wanted|said)|(?:as|by|for) you|your|as (?:asked|requested|agreed|specified|intended)|as the (?:ticket|plan|spec|issue|task))\b/i,
    "as you asked",
    "the youth page"
  ),
  row(
    "any|intentional|deliberate|purpose|design|not |no need|scope",
    /\b(?:any|intentional(?:ly)?|deliberately|on purpose|by design|not (?:needed|necessary|required|mine)|no need|out of scope)\b/i,
    "I left it on purpose.",
    "I left it."
  ),
  row(
    "if|when|unless|once|until|because|since|while|in case|due to",
    /\b(?:if|when(?:ever)?|unless|once|until|because|since|while|in case|due to)\b/i,
    "If the page is not cached yet, it takes longer.",
    "The page is not cached yet."
  ),
  row(
    "none|nothing|n/a|-",
    /:\s{0,3}(?:none|nothing|n\/a|-)\.?$/i,
    "Remaining work: none.",
    "Remaining work: the docs."
  )
]

const isIntended = (sentence: string): boolean => takes(intended, sentence.slice(0, 400))

/** The last sentences without those under a heading that leaves what follows to somebody else, or takes it for done. */
const ownWords = (prose: Prose): ReadonlyArray<string> => {
  const said = prose.said.slice(-8)
  const heads = said.map((sentences) =>
    sentences.findIndex((sentence) => /[:)]$/.test(sentence) && isIntended(sentence))
  )
  return said.flatMap((sentences, at) => {
    const head = heads[at] ?? -1
    if (head >= 0) return sentences.slice(0, head)
    return heads[at - 1] === (said[at - 1]?.length ?? 0) - 1 && at > 0 ? [] : sentences
  })
}

const isLeft = (rows: ReadonlyArray<Row>, sentence: string): boolean =>
  takes(rows, sentence.slice(0, 400)) && !isIntended(sentence) && !isQuestion(sentence)

/** Sentences by which something is not there yet; of whose task it is a part, only the task tells. */
export const unfinishedParts = (prose: Prose): ReadonlyArray<string> =>
  ownWords(prose)
    .filter((sentence) => isLeft(unfinished, sentence))
    .slice(-5)
    .map((sentence) => sentence.slice(0, 300))

/** "Ops: …", "@kim: …" */
const assigned = /^(?:\[ \] )?(?:@[\w-]+|[A-Z]\w{1,20}(?: team)?):/

const isOthers = (item: string): boolean =>
  assigned.test(item) || others.pattern.test(item.slice(0, 300)) || elsewhere.test(item.slice(0, 300))

const openBox = /^\s{0,8}[-*] \[ \]\s/

/** A heading of what is not of this task. */
const isPutAside = (line: string): boolean =>
  othersHead.test(line) ||
  /\b(?:(?:not|beyond|out(?:side)?)\b[^.]{0,12} (?:part|scope|in this)|separate|deferred|backlog|another)\b/i.test(line)

/** Unchecked boxes under a line that says that they are what remains, or beside ticked ones. */
const openBoxes = (prose: Prose): ReadonlyArray<string> => {
  const lines = prose.paragraphs.slice(-6).flat()
  const at = lines.findIndex((line) =>
    /^(?:remaining|still open|todo|to do|left|open|not done(?: yet)?):?$/i.test(plain(line).slice(0, 60))
  )
  const ticked = lines.some((line) => /^\s{0,8}[-*] \[x\]\s/i.test(line.slice(0, 20)))
  if (at < 0 && !ticked) return []
  const headOf = (index: number): string => lines.slice(0, index).findLast((line) => !isListItem(line)) ?? ""
  return lines
    .filter(
      (line, index) => index > at && openBox.test(line.slice(0, 20)) && !isPutAside(plain(headOf(index)).slice(0, 200))
    )
    .map((line) => line.replace(openBox, "").slice(0, 200))
    .filter((line) => !isOthers(line))
    .slice(0, 5)
}

const isHead = (sentence: string): boolean => /^[\w' ]{3,40}:?$/.test(sentence)

/** What stands under a heading in its place, without what is somebody else's. */
const below = (said: ReadonlyArray<string>, at: number): ReadonlyArray<string> => {
  const items = said.slice(at + 1)
  if (items.length === 0 || !isHead(said[at] ?? "")) return said.slice(at, at + 1)
  return items
    .filter((item) => !isOthers(item))
    .slice(0, 1)
    .map((item) => item.replace(/^\[ \] /, ""))
}

/** The sentences that say of the agent's own work that some is left; of a heading, what stands under it. */
export const leftWork = (prose: Prose): ReadonlyArray<string> => {
  const left = ownWords(prose)
    .flatMap((sentence, at, all) => (isLeft(leftovers, sentence) ? below(all, at) : []))
    .slice(-5)
  return left.length > 0 ? left : openBoxes(prose)
}
