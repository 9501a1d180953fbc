import { anyGuarded, guarded } from "../../ground/text/Guarded.ts"
import { lazy } from "../../ground/text/Lazy.ts"
import { elsewhere, othersHead } from "./ListedSteps.ts"
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { isQuestion } from "./Questions.ts"
import { isListItem, plain } from "../../ground/text/Text.ts"

const leftovers = anyGuarded(() => [
  [
    "left|remaining|missing|still|outstanding|unfinished|not|n't|todo",
    "^(?:(?:what(?:'s| is) (?:left|remaining|missing)|still (?:to do|todo|missing|open|pending)|(?:remaining|outstanding|unfinished) (?:work|items?|tasks?|steps?|todos?)|not (?:yet )?(?:done|finished|implemented|complete[d]?)|todo|left to do)\\b|(?:however|but|note(?: that)?|unfortunately)?[,:]?\\s{0,2}i (?:have not|haven't|did not|didn't|was not able to|wasn't able to|could not|couldn't|still (?:need|have) to)\\s(?:yet\\s|get to\\s|manage to\\s|finish\\s)?(?:\\w+\\s){0,1}(?:implement\\w{0,3}|finish\\w{0,2}|complet\\w{1,3}|update\\w?|fix\\w{0,2}|add\\w{0,2}|migrate\\w?|wire\\w?))\\b"
  ],
  [
    "still ",
    "\\bstill (?:needs?|has|have) to be (?:written|implemented|done|added|fixed|finished|completed|migrated|wired|handled)\\b"
  ],
  ["filled in", "\\b(?:logic|bod(?:y|ies)|code|implementations?) (?:still \\w+|has yet) to be filled in\\b"],
  ["left ", "\\bi(?:'ve| have)? left (?:a|an|the) `?(?:todo|placeholder|stub)\\b"],
  ["placeholder|stub", "\\bwith (?:a|an) (?:placeholder|stub) that\\b"]
])

const deferred = guarded(
  "if you ",
  () =>
    /\bif you (?:do )?(?:want|need|'d like|would like) (?:the |a |an |to (?:show|see|have|include) )?([\w` -]{3,40}?),? (?:we|i)(?:'d| would|'ll| will)? (?:need|have) to\b/i
)

/** What the text makes conditional on the user's wish, in the user's words for it. */
export const deferredWork = (prose: Prose): ReadonlyArray<{ readonly what: string; readonly text: string }> =>
  prose.said
    .slice(-6)
    .flat()
    .flatMap((text) => {
      const what = deferred.exec(text.slice(0, 400))?.[1]
      return what === undefined ? [] : [{ what: what.trim().toLowerCase(), text: text.slice(0, 300) }]
    })

/** What was left out on purpose, or never was to be done, is not left over. */
const intended =
  /\b(?:any|because you|since you|as (?:the|your) (?:ticket|plan|spec|issue|task)\w*|as (?:you )?(?:asked|requested|instructed|agreed|specified|intended)|as per your|per your (?:request|instructions?)|you (?:asked|told|wanted|said)|intentional(?:ly)?|deliberately|on purpose|by design|not (?:needed|necessary|required|mine)|no need|on your (?:side|end|part)|for you|by your?|(?:for|by) (?:some(?:body|one) else|(?:the |an?other )?(?:[\w-]+ )?(?:team|owners?|maintainers?|colleagues?)))\b|:\s{0,3}(?:none|nothing|n\/a|-)\.?$/i

const participle =
  "(?:implemented|written|done|added|updated|finished|completed|migrated|documented|handled|wired|covered|converted|fixed|supported|connected|validated|replaced|ported|translated)"

const unfinished = anyGuarded(() => [
  [
    "not |n't",
    `\\b(?:not|haven't|hasn't|isn't|aren't)(?: yet)?(?: been)? (?:\\w+ ){0,2}${participle}\\b[^.?!;]{0,40}(?:\\byet\\b|$)`
  ],
  ["still ", "\\b(?:is|are) still (?:missing|to do|outstanding|to be \\w+)\\b"],
  [
    "to be ",
    `\\b(?:still \\w+|\\w+ (?:still|yet)|remains?) to be ${participle}\\b(?![^.?!;]{0,80}\\b(?:once|when|after|until|if|because|by)\\b)`
  ],
  ["i still ", "\\bi still (?:need|have) to (?!mention|say|note|tell|wait|hear|know|see|ask)\\w+"],
  ["run", "\\bha(?:s|ve)(?:n't| not) (?:yet )?(?:been )?run\\b[^.?!;]{0,40}\\byet\\b"],
  [" next", "\\b(?:is|are) next[.!]?$"],
  [
    "skipped|omitted|postponed",
    "\\bi(?:'ve| have)? (?:skipped|omitted|postponed)\\b(?![^.?!;]{0,160}\\b(?:because|since|as|due|so|would|per)\\b)"
  ],
  [
    "so far",
    "\\b(?:one|two|three|four|five|six|\\d{1,3}) (?:out )?of (?:the )?(?:\\w+ )?(?:two|three|four|five|six|seven|eight|nine|ten|\\d{1,3})\\b[^.?!;]{0,60}\\bso far\\b"
  ],
  [
    "stub|placeholder|mocked",
    "\\b(?:is|are) (?:currently |still |only )?(?:an? )?(?:stubs?|placeholders?|mocked|stubbed)\\b"
  ],
  ["except|but", "\\b(?:everything|all(?: of them)?) (?:except|but)\\b"],
  ["left &todo", "\\bleft (?:the |a |an )?(?:\\w+ ){1,4}as (?:a )?todo\\b"],
  ["ran out of", "\\bran out of time\\b"],
  [
    "n't&yet",
    "(?<!\\b(?:that|which|who)\\s)\\b(?:haven't|hasn't|isn't|aren't)(?: been)? \\w{3,20}(?:ed|en)\\b[^.?!;]{0,40}\\byet\\b"
  ],
  [
    "are still ",
    "\\bare still (?!passing|green|valid|working|the same|supported|available|in place|here|there|running|fine|ok|un)\\w+"
  ],
  ["placeholder ", "\\bplaceholder (?:data|values?|text|implementation)\\b"],
  [
    " of ",
    `\\b${participle} (?:only |just )?(?:one|two|three|four|five|six|\\d{1,3}) (?:out )?of (?:the )?(?:two|three|four|five|six|seven|eight|nine|ten|\\d{1,3})\\b`
  ],
  ["next|later|separately", `\\b(?:will be|'ll be|gets?) (?:\\w+ ){0,2}${participle} (?:next|later|separately)\\b`],
  [
    "i'll |i will |we'll &next|later|afterwards|in a ",
    "\\b(?:i'll|i will|we'll) (?:\\w+ ){1,6}(?:next|later|afterwards|in a (?:follow-?up|second step))\\b"
  ]
])

/** The last sentences without those under a heading that leaves what follows to somebody else, or takes it for done. */
const ownWords = (prose: Prose): ReadonlyArray<string> => {
  const said = prose.said.slice(-8)
  const heads = said.map((sentences) =>
    sentences.findIndex((sentence) => /[:)]$/.test(sentence) && intended.test(sentence.slice(0, 400)))
  )
  return said.flatMap((sentences, at) => {
    const head = heads[at] ?? -1
    if (head >= 0) return sentences.slice(0, head)
    return heads[at - 1] === (said[at - 1]?.length ?? 0) - 1 && at > 0 ? [] : sentences
  })
}

/** "If the site isn't enabled yet, the step passes" tells how the work behaves, not what it lacks. */
const condition =
  /^(?:(?:and|but|so|note that|also)[,:]? )?(?:if|when|whenever|unless|even if|in case|where|while) [^,]{1,200}, /i

/** "Maintainers to give the date", "TODO: the ops team has to rotate it" */
const othersDo =
  /(?:^|[:,;–—-] )(?:the |an? )?(?:\w+ )?(?:maintainers?|owners?|team|ops|reviewers?|admins?|legal|authors?|customer|stakeholders?|colleagues?) (?:to|will|should|must|can|(?:needs?|has|have) to) [a-z]/i

/** Sentences by which something is not there yet; of whose task it is a part, only the task tells. */
export const unfinishedParts = (prose: Prose): ReadonlyArray<string> =>
  ownWords(prose)
    .filter(
      (sentence) =>
        unfinished(sentence.slice(0, 400).replace(condition, "")) &&
        !othersDo.test(sentence.slice(0, 400)) &&
        !intended.test(sentence.slice(0, 400)) &&
        !isQuestion(sentence)
    )
    .slice(-5)
    .map((sentence) => sentence.slice(0, 300))

const openBox = /^\s{0,8}[-*] \[ \]\s/

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
      (line, index) =>
        index > at && openBox.test(line.slice(0, 20)) && !putAside().test(plain(headOf(index)).slice(0, 200))
    )
    .map((line) => line.replace(openBox, "").slice(0, 200))
    .filter((line) => !isOthers(line))
    .slice(0, 5)
}

/** "Ops: …", "@kim: …" */
const assigned =
  /^(?:\[ \] )?(?:@[\w-]+|you|user|(?:dev)?ops|sre|qa|dbas?|infra|platform|security|legal|product|design|marketing|\w+ team)\W{0,3}:/i

/** A heading of what is not of this task. */
const putAside = lazy(
  () =>
    new RegExp(
      `${othersHead.source}|\\b(?:(?:not|beyond|out(?:side)?)\\b[^.]{0,12} (?:part|scope|in this)|separate|deferred|backlog|another|limitations)\\b`,
      "i"
    )
)

const isOthers = (item: string): boolean =>
  assigned.test(item) || othersDo.test(item.slice(0, 300)) || elsewhere.test(item.slice(0, 300))

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
    .flatMap((sentence, at, all) =>
      leftovers(sentence.slice(0, 400)) &&
      !othersDo.test(sentence.slice(0, 400)) &&
      !intended.test(sentence.slice(0, 400)) &&
      !isQuestion(sentence)
        ? below(all, at)
        : []
    )
    .slice(-5)
  return left.length > 0 ? left : openBoxes(prose)
}
