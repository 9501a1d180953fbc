/** What a final text claims: that something was changed, or how a check went. */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import type { Claim } from "./model.ts"

interface GateRow extends Row {
  readonly gate: string
}

const gateRow = (gate: string, ...rest: Parameters<typeof row>): GateRow => ({ gate, ...row(...rest) })

/** The checks by their words; "the build directory" is none, and one test says nothing of the others. */
const subjects: ReadonlyArray<GateRow> = [
  gateRow(
    "tests",
    "test|spec|suite",
    /\b(?:tests|test (?:results?|files|run)|(?:test )?suite|specs)\b(?! (?:data|director|folder|fixture|helper|output))/i,
    "all tests",
    "one test"
  ),
  gateRow(
    "build",
    "build|compil|it|project|code|everything",
    /\b(?:build|compilation|(?:it|project|code|everything)(?= (?:now |still )?compiles)|everything(?= builds))\b(?! (?:director|folder|file|script|config|output|step))/i,
    "the build",
    "the build directory"
  ),
  gateRow(
    "typecheck",
    "type|tsc|mypy|pyright",
    /\b(?:type[ -]?check(?:s|ing|er)?|tsc|types|mypy|pyright)\b/i,
    "the type checker",
    "a type"
  ),
  gateRow(
    "lint",
    "lint|ruff|clippy",
    /\b(?:(?:es|golangci-)?lint(?:er|ing|s)?|ruff|clippy)\b(?! (?:config|rule|file|script))/i,
    "the linter",
    "the lint rule"
  ),
  gateRow(
    "ci",
    "ci|pipeline|checks|workflow",
    /\b(?:ci|pipeline|(?<!type[ -])checks|workflow)\b(?! (?:file|config|script))/i,
    "the pipeline",
    "type checks"
  )
]

/** Behind the check's word, in the same clause. "Passes the flag" is no result. */
const good: ReadonlyArray<Row> = [
  row(
    "pass",
    /^[^.?!;]{0,40}\bpass(?:es|ed|ing)?\b(?! (?:an?|the|its?|their|this|these|null|undefined|through|over|to|into|\w{1,20} (?:to|into|through|around))\b)/i,
    " all pass",
    " pass the flag"
  ),
  row(
    "green|clean|succe|ok|compiles|builds|without",
    /^[^.?!;]{0,40}\b(?:(?<!\b(?:an?|the|uses?) )(?:green|clean)|succeed(?:s|ed)?|successful(?:ly)?|(?<!\ban )ok(?!\()|compiles|builds|(?:runs?|ran) without (?:any )?(?:failures?|errors?))\b/i,
    " is clean",
    " uses a clean folder"
  ),
  row("✅|✓|✔", /^[^.?!;]{0,20}[✅✓✔]/u, ": ✅", ": ❌")
]

const goodBefore = row(
  "passing|passed|green|successful|clean|✅|✓|✔",
  /(?:\b(?:passing|passed|green|successful|(?:got|have|had|with) a clean)\b[^.?!;]{0,12}|[✅✓✔]\s{0,3}(?:all\s)?[^.?!;]{0,20})$/iu,
  "✅ All ",
  "the clean "
).pattern

const bad: ReadonlyArray<Row> = [
  row(
    "fail|broken|red|error|❌|✗|✘",
    /^[:\s]{0,2}(?:(?:\w+ )?(?:is|are|still|now|currently|do|does) (?:\w+ )?)?(?:(?:fail(?:s|ed|ing|ures?)?|broken|red|errors? out)\b|[❌✗✘])/iu,
    " still fail",
    " of a failing part"
  ),
  row("fail", /^[^.?!;]{0,40}\b[1-9]\d{0,5} fail(?:ed|ing|ures?)\b/i, ": 12 passed, 2 failed", ": 12 passed, 0 failed")
]

const badBefore = row("❌|✗|✘", /[❌✗✘]\s{0,3}[^.?!;]{0,30}$/u, "❌ ", "✅ ").pattern

/** Claims without such a pair of words. "All green!" can only speak of the checks; of which, the evidence tells. */
const stated: ReadonlyArray<GateRow> = [
  gateRow(
    "pr",
    "open|created|raised|submitted|up&pr|pull|merge",
    /\b(?:opened|created|raised|submitted) (?:an? |the )?(?:draft )?(?:pr|(?:pull|merge) request)\b|\b(?:pr|(?:pull|merge) request)(?: #\d{1,7})? (?:is|has been) (?:open(?:ed)?|created|up)\b/i,
    "I opened a pull request",
    "I read the pull request"
  ),
  gateRow(
    "push",
    "pushed",
    /\bpushed (?:the |it |this |everything |all |my |to |both |your |and )|\b(?:is|are|(?:has|have) been|was) pushed\b|^pushed\b|\band pushed\b/i,
    "I pushed the branch",
    "Pushes the branch"
  ),
  gateRow(
    "tests",
    "all green|everything |all checks ",
    /^(?:all green|everything (?:passes|passed|is green)|all checks pass)\b|; all green\b/i,
    "All green!",
    "Not all green"
  )
]

/** Not a result of now: hypothetical, past, denied, in part, or somebody else's words. */
const unsure: ReadonlyArray<Row> = [
  row(
    "should|would|could|will|may|might|once|if|when|until|unless|expect|to |before|ensure|sure|want me|let me|please|so that|?",
    /\b(?:should|would|could|will|may|might|once|if|when|until|unless|before|expect|to (?:be|make|verify|see|check)|make sure|ensures?|want me|let me|please|so that)\b|\?/i,
    "The tests should pass",
    "The tests pass"
  ),
  row(
    "previous|earlier|was|were|used to|had been|no longer|yet|not|n't|never|unable|says|said|claim",
    /\b(?:previously|earlier|was|were|used to|had been|no longer|yet|not|cannot|never|unable|says|said|claim(?:s|ed)?)\b|n't\b/i,
    "The tests were green",
    "The tests are green"
  ),
  row(
    "none|some|most|nearly|almost|all but|except|but|apart|other than",
    /\b(?:none of|some|most|nearly|almost|all but|except|but|apart from|other than)\b/i,
    "Nearly all tests pass",
    "All tests pass"
  )
]

/** Where something fails as well, what passes is not plain. */
const fails = row(
  "fail",
  /(?<!\b(?:no|0|zero|without|any) )\bfail(?:s|ed|ures?|ing)?\b(?!:? ?0)/i,
  "The build fails",
  "0 failed"
).pattern

/** The failure is over, is told why, or is what the code is about. */
const explained: ReadonlyArray<Row> = [
  row(
    "fix|resolve|address|handle|solve|repair|correct|took|got rid|dealt",
    /\b(?:fix|resolv|address|handl|solv|repair|correct)(?:ed|es)\b|\b(?:took care|got rid|dealt with)\b/i,
    "I fixed the failing tests",
    "The tests fail"
  ),
  row(
    "existing|unrelated|flaky|caus|why|reason|detect|report|that|no|without|0|zero|any",
    /\b(?:pre-?existing|unrelated|flaky|(?:be)?caus(?:e[sd]?|ing)|why|reason|detects?|reports?|that|no|without|0|zero|any)\b/i,
    "The tests fail because of it",
    "The tests fail"
  )
]

/** "41 of 42 tests pass"; of "42/42" nothing is missing. */
const isPartial = (text: string): boolean => {
  const count = /\b(\d{1,6})\s?(?:\/|of|out of)\s?(?:the )?(\d{1,6})\b/.exec(text)
  return count !== null && count[1] !== count[2]
}

/** What a sentence says of a check, clause by clause, if it says it plainly. */
const saidOf = (text: string, { pattern }: GateRow): Claim["outcome"] | null => {
  for (const clause of text.split("; ")) {
    const found = pattern.exec(clause)
    if (found === null) continue
    const before = clause.slice(0, found.index)
    const after = clause.slice(found.index + found[0].length)
    if ((takes(bad, after) || badBefore.test(before)) && !takes(explained, clause)) return "failed"
    if ((takes(good, after) || goodBefore.test(before)) && !fails.test(text) && !isPartial(text)) return "passed"
  }
  return null
}

const changes: ReadonlyArray<Row> = [
  row(
    "i|i've",
    /^(?:(?:done|fixed)[.!:,] )?i(?:'ve| have)?(?: now| also| just| successfully)? (?:fixed|added|implemented|updated|created|removed|refactored|changed|replaced|renamed|moved|wrote|written|deleted)\b/i,
    "I've added a flag",
    "I read the flag"
  ),
  row(
    "ed",
    /^(?:fixed|added|implemented|updated|created|removed|refactored|changed|replaced|renamed|moved)\b(?! by| in v)/i,
    "Added a flag.",
    "Added by Ada."
  )
]

/** The sentence in which the text says that the agent changed something, if any. */
export const changeClaimed = (prose: Prose): string | null => {
  const said = prose.said.slice(0, 3).flat()
  const found = said.find((sentence) => takes(changes, sentence.slice(0, 200)) && !sentence.trimEnd().endsWith("?"))
  return found === undefined ? null : found.slice(0, 200)
}

/** What the closing prose claims of the gates: each sentence alone, nothing hypothetical, nothing past. */
export const readClaims = (prose: Prose): ReadonlyArray<Claim> => {
  const found = new Map<string, Claim>()
  const sentences = prose.said.slice(-12).flat().slice(-80)
  for (const sentence of sentences) {
    const text = sentence.slice(0, 400)
    if (takes(unsure, text)) continue
    const claim = (gate: string, outcome: Claim["outcome"]) =>
      found.has(`${gate}:${outcome}`) || found.set(`${gate}:${outcome}`, { gate, outcome, text: text.slice(0, 200) })
    for (const { gate, pattern } of stated) if (pattern.test(text) && !isPartial(text)) claim(gate, "passed")
    for (const subject of subjects) {
      const outcome = saidOf(text, subject)
      if (outcome !== null) claim(subject.gate, outcome)
    }
  }
  return [...found.values()]
}
