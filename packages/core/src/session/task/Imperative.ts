/** Whether a sentence is an order: what it begins with, behind the words that lead up to it. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"

/** What may stand before the verb. */
const openings: ReadonlyArray<Row> = [
  row(
    "please|now|then|also|ok|so|and|next|first|great|yes|no|just|actually|but|alright|thanks|again|finally|yeah|good|cool|perfect|right|hey|hi",
    /^(?:please|now|then|also|ok(?:ay)?|so|and|next|first|great|yes|yeah|no|nope|good|cool|perfect|right|hey|hi|just|actually|but|alright|thanks|again|finally)(?:[,.!:] ?| )\s{0,3}/i,
    "ok, fix it",
    "nothing works"
  ),
  row(
    "looks|lgtm|sounds|task|todo|note|important|quickly|simply|always|in addition|afterwards",
    /^(?:(?:looks|sounds) (?:good|great|fine)|lgtm|task|todo|note|important|quickly|simply|always|in addition|afterwards)[,.!:]? /i,
    "looks good, push it",
    "it looks good"
  ),
  row(
    "you|we|let",
    /^(?:(?:can|could|would|will) (?:you|we)|let'?s|(?:you|we) (?:should|need to|must|have to)) /i,
    "can you fix it",
    "can it be fixed"
  ),
  row(
    "like|want|need|expect",
    /^i(?:'d| would)? (?:like|want|need|expect)(?: you)? to /i,
    "I want you to fix it",
    "I want the fix"
  ),
  row(
    "based on",
    /^based on (?:(?:the|these|this|all) )?(?:[\w-]+ ){0,2}(?:above|changes|diff|context)(?: above)?, /i,
    "based on the above changes, fix it",
    "based on the docs, it works"
  ),
  row("go and|go ahead|help|remember", /^(?:go (?:ahead )?and|help me|remember to) /i, "go ahead and fix it", "go on")
]

/** A sentence from its own first word on: "please also fix it" is "fix it". */
export const withoutOpening = (sentence: string): string => {
  let rest = sentence.trimStart()
  for (let round = 0; round < 6; round++) {
    const next = openings.reduce((text, { pattern }) => pattern.replace(text, ""), rest)
    if (next === rest) break
    rest = next
  }
  return rest
}

const verbs: ReadonlySet<string> = new Set(
  (
    "adapt add address adjust allow annotate append apply benchmark build bump cache catch change clean combine complete configure connect continue convert copy correct create " +
    "debounce debug deduplicate delete disable display document download downgrade drop duplicate enable encrypt escape expose extend extract filter finish fix follow format " +
    "generate group handle hide ignore implement improve increase inline insert install instrument integrate introduce keep limit load localise localize log " +
    "make migrate mock move normalise normalize optimise optimize paginate parse patch persist plug polish port prepare prevent print put raise record redesign reduce refactor reject " +
    "remove rename render reorganise reorganize replace reproduce require resolve restore retry revert rework rewrite rollback sanitise sanitize save send set setup shorten simplify skip sort speed split " +
    "start store stub style support swap switch throttle throw tidy track translate try tweak turn undo unify update upgrade use validate wire wrap write " +
    "checkout cherry-pick close commit deploy ensure execute fetch force-push merge open publish pull push rebase rebuild recompile release rerun re-run run ship squash stash submit tag"
  ).split(" ")
)

/** These order only with some of what may follow them. */
const bound: ReadonlyArray<Row> = [
  row(
    "lint|test|type",
    /^(?:lint|test|type-?check)(?: (?:it|this|that|the|them|everything|all|your)\b|,|$)/i,
    "test it",
    "test failures"
  ),
  row("let ", /^let (?!me\b|us\b)/i, "let the scheduler skip paused jobs", "let me know"),
  row(
    "git |force",
    /^(?:git|force) (?:add|commit|push|pull|rebase|merge|checkout|stash|fetch)\b(?! (?:is|was|does|has|says|fails))/i,
    "git push",
    "git fetch is run without a timeout"
  ),
  row("do ", /^do (?!(?:we|you|i|they|not|me|the users?)\b)/i, "do it", "do we have one"),
  row(
    "get&pass|green|work|compil|build",
    /^get\b.{0,60}\b(?:pass(?:ing)?|green|work(?:ing)?|compiled?|build)\b/i,
    "get it to work",
    "get me a list"
  ),
  row("show", /^show (?!me\b|us\b)/i, "show the total in the header", "show me the log"),
  row("check", /^check out /i, "check out the branch", "check the log"),
  row("go on|carry on|keep", /^(?:go on|carry on|keep (?:going|on))\b/i, "go on with the tests", "go with it")
]

/** "Find the cause and fix it" */
const searches =
  /^(?:find|locate|track down|identify|diagnose|investigate|figure out|look into|check)\b[^?!]{0,60}? and /i

/** Whether a sentence begins with an order to do something. */
export const isImperative = (sentence: string): boolean => {
  const head = withoutOpening(sentence.slice(0, 400))
  const first = /^[a-z-]+(?![\w(]|\.\w)/i.exec(head)?.[0].toLowerCase() ?? ""
  const found = searches.exec(head)?.[0].length ?? 0
  return verbs.has(first) || takes(bound, head) || (found > 0 && isImperative(head.slice(found)))
}

/** Words that a verb is not taken for. */
const others: ReadonlySet<string> = new Set(
  (
    "i we they he she it you as at because before after by do does did for from how if in into is are was were of on onto over since than that though " +
    "to under until what when where which while who whose why with without within about against during like not all both half has have had let"
  ).split(" ")
)

/** A thing or a direction stands behind the verb. */
const withObject =
  /^([a-z-]{2,20}(?<!ed|ing)) (?:the|an?|this|that|these|those|all|every|each|our|my|its|it|them|down|up|out|off|back|away|instead)\b/i

/** Whether a sentence begins with what looks like an order, whatever its verb: "Round the total down". */
export const seemsImperative = (sentence: string): boolean => {
  const verb = withObject.exec(withoutOpening(sentence.slice(0, 400)))?.[1]
  return verb !== undefined && !others.has(verb.toLowerCase())
}

/** The same under the interface of an expression. */
export const imperative = { test: isImperative }
