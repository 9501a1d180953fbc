import { nouns } from "../task/RequestPatterns.ts"
import { guarded, type Guarded } from "../../ground/text/Guarded.ts"
import { lazy } from "../../ground/text/Lazy.ts"
import type { Prose } from "../../ground/text/AgentSentences.ts"
import type { Claim } from "./model.ts"

const subjects: Readonly<Record<string, string>> = {
  tests: "(?:tests?|test suite|specs?|unit tests?|integration tests?|test run|suite)",
  build: "(?:build|compilation|it compiles|project compiles|code compiles|everything compiles)",
  typecheck: "(?:type[ -]?check(?:s|ing|er)?|tsc|types|mypy|pyright)",
  lint: "(?:lint(?:er|ing|s)?|eslint|golangci-lint|ruff|clippy)",
  ci: "(?:ci|pipeline|(?<!type[ -])checks|workflow)"
}

/** One test that passes says nothing of the others. */
const whole: Readonly<Record<string, string>> = {
  ...subjects,
  tests: "(?:tests|test (?:results?|files)|test suite|specs|test run|suite)"
}

/** "The build directory" is no build, and "passes the flag" no result. */
const notThing =
  "(?!\\s(?:director(?:y|ies)|folders?|data|files?|scripts?|config\\w{0,9}|fixtures?|helpers?|output|names?)\\b)"
const noObject =
  "(?!\\s(?:an?|the|its?|their|this|these|null|undefined|through|over|to|into|\\w{1,20} (?:to|into|through|around))\\b)"

const good = `(?:pass(?:es|ed|ing)?\\b${noObject}|(?<!\\b(?:an?|the|use|uses)\\s)(?:green|clean)|succeed(?:s|ed)?|successful(?:ly)?|(?<!\\ban\\s)ok(?!\\()|compiles?|(?:runs?|ran) without (?:any )?(?:failures?|errors?)|✅|✓|✔)`
const bad = "(?:fail(?:s|ed|ing|ures?)?|broken|red|errors? out|❌|✗|✘)"

interface Statement {
  readonly gate: string
  readonly pattern: Guarded
}

const states = (gate: string, words: string, make: () => RegExp): Statement => ({ gate, pattern: guarded(words, make) })

const stated: ReadonlyArray<Statement> = [
  states(
    "pr",
    "open|created|raised|submitted|put up|up&pull|pr|merge",
    () =>
      /\b(?:opened|created|raised|submitted|put up) (?:a |the |an? draft |draft )?(?:pull request|pr|merge request)\b|\b(?:pull request|pr|merge request)(?: #\d{1,7})? (?:is|has been|was) (?:open|opened|created|up|submitted)\b/i
  ),
  states(
    "push",
    "pushed",
    () =>
      /\b(?:i(?:'ve| have)? )?pushed (?:the |it |this |everything |all |my |to |both |your |and )|\b(?:branch|change|commit|everything|it)s? (?:is|are|has been|have been|was) pushed\b|^pushed\b|\band pushed\b/i
  ),
  states("typecheck", "no&type", () => /\bno (?:more )?type(?:script)? errors?\b/i),
  states(
    "lint",
    "no&lint|ruff|clippy",
    () =>
      /\b(?:lint\w{0,4}|eslint|ruff|clippy|golangci-lint)\b[^.?!;]{0,20}\bno (?:more )?(?:problems?|errors?|issues?|warnings?)\b|\bno (?:more )?lint(?:ing|er)? (?:errors?|issues?|problems?|warnings?)\b/i
  ),
  states(
    "tests",
    "no|0&fail|broken",
    () =>
      /\bno (?:more )?(?:failing|failed|broken) tests?\b|\bno (?:test )?failures?\b|\b0 (?:failures?|failed|failing)\b/i
  )
]

/** "All green!" can only speak of the checks; of which, the evidence tells. */
const general = guarded(
  "all|everything&green|pass",
  () => /^(?:all green|everything (?:passes|passed|is green|is passing)|all (?:checks|tests) (?:pass|green))\b/i
)

const notYet =
  /\b(?:not|n't|should|would|could|will|if|once|when|until|before|after|to be|ready to|want me to|can be)\b|\?/i

const everything = guarded(
  "ran &pass|green|succe",
  () =>
    /\bran (?:the |all |full )*(?:tests?|test suite|suite|specs?)\b[^.?!]{0,30}\b(?:everything|all|they|it) (?:pass|green|succe)/i
)

const positive = lazy((): ReadonlyArray<Statement> =>
  Object.entries(whole).map(([gate, subject]) => ({
    gate,
    pattern: guarded(
      `${nouns[gate]}&pass|green|clean|succe|ok|compile|without|build|✅|✓|✔`,
      () =>
        new RegExp(
          `\\b${subject}\\b${notThing}[^.?!;]{0,40}(?:\\b|\\s)${good}|\\b(?:passing|passed|green|successful|(?:got|have|had|with) a clean)\\b[^.?!;]{0,12}\\b${subject}\\b${notThing}|${gate === "build" ? "\\b(?:it|project|code|everything|app) (?:now |still |also )?(?:compiles|builds)\\b|" : ""}[✅✓✔]\\s{0,3}(?:all\\s|\\*\\*)?[^.?!;]{0,20}\\b${subject}\\b`,
          "iu"
        )
    )
  }))
)

const negative = lazy((): ReadonlyArray<Statement> =>
  Object.entries(subjects).map(([gate, subject]) => ({
    gate,
    pattern: guarded(
      `${nouns[gate]}&fail|broken|red|error|❌|✗|✘`,
      () =>
        new RegExp(
          `\\b${subject}\\b[^.?!;:]{0,30}\\b(?:is|are|still|now|currently|do|does|remain)\\b[^.?!;:]{0,15}\\b${bad}|\\b${subject}\\b\\s{0,2}(?:${bad})|[❌✗✘]\\s{0,3}(?:\\*\\*)?[^.?!;]{0,30}\\b${subject}\\b|\\b${subject}\\b[^.?!;]{0,40}\\b[1-9]\\d{0,5} fail(?:ed|ing|ures?)\\b|\\b\\d{1,5} (?:[\\w-]{1,20} ){0,3}${subject} (?:\\w{1,12} ){0,2}(?:fail|failing|failed)\\b`,
          "iu"
        )
    )
  }))
)

const unsure =
  /\b(?:not (?:all|every|yet)|none of|some|most|nearly|almost|virtually|all but \w{1,9} (?:out )?of|should|would|could|will|may|might|once|if|when|until|unless|to (?:make|ensure|verify|see|check)|before|make sure|ensure that|verify that|expect(?:ed)?|previously|earlier|was|were|used to|had been|originally|without (?!(?:any )?(?:errors?|warnings?|issues?|problems?|failures?))|want me|let me|please|can you|so that|says|said|claim(?:s|ed)?|readme|badge|did(?:n't| not)|do(?:n't| not)|does(?:n't| not)|is(?:n't| not)|are(?:n't| not)|never|cannot|can't|unable|not (?:run|been|yet|tested)|no longer|except|but|apart from|aside from|other than)\b|(?<!\b(?:no|0|zero|without|any)\s)\bfail(?:s|ed|ures?)?\b(?!:?\s0)|\?/i

/** "41 of 42 tests pass"; of "42/42" nothing is missing. */
const isPartial = (text: string): boolean => {
  const count = /\b(\d{1,6})\s?(?:\/|of|out of)\s?(?:the )?(\d{1,6})\b/.exec(text)
  return count !== null && count[1] !== count[2]
}

const doubtful = (text: string): boolean => unsure.test(text) || isPartial(text)

const unsureOfFailure =
  /\b(?:should|would|could|will|may|might|once|if|when|until|unless|previously|before|earlier|was|were|used to|had been|originally|no|without|fixed|resolved|no longer|pre-?existing|unrelated|flaky|cause|caused|causing|causes|why|because|reason|expected|detects?|handles?|reports?|simulat\w{1,4}|verif\w{1,4}|ensures?|checks? that|tests? that|0|zero|never|not|don't|doesn't|any)\b|\?/i

/** "I've addressed the two test failures" tells of what failed before. */
const mended =
  /\b(?:addressed|handled|solved|repaired|mended|corrected|eliminated|(?:dealt|done) with|took care of|taken care of|got rid of)\b (?:[\w-]{1,20} ){0,5}(?:fail(?:ures?|ing|ed)|errors?|broken)\b/i

const isPresentFailure = (text: string): boolean => !unsureOfFailure.test(text) && !mended.test(text)

const plainChanges =
  "fixed|added|implemented|updated|created|removed|refactored|changed|replaced|renamed|migrated|moved|converted"
const changes = `${plainChanges}|rewrote|rewritten|wrote|written|deleted|extracted|introduced`

const changeClaim = guarded(
  changes,
  () =>
    new RegExp(
      `^(?:(?:done|fixed|great|perfect|ok)[.!:,—-]{0,3}\\s{0,2})?(?:i(?:'ve| have)?(?: now| also| just| successfully)? (?:${changes})\\b|(?:${plainChanges})\\b(?! by| in v))`,
      "i"
    )
)

/** The sentence in which the text says that the agent changed something, if any. */
export const changeClaimed = (prose: Prose): string | null => {
  const said = prose.said.slice(0, 3).flat()
  const found = said.find((sentence) => changeClaim.test(sentence.slice(0, 200)) && !sentence.trimEnd().endsWith("?"))
  return found === undefined ? null : found.slice(0, 200)
}

/** What the closing prose claims of the gates: each sentence alone, nothing hypothetical, nothing past. */
export const readClaims = (prose: Prose): ReadonlyArray<Claim> => {
  const found = new Map<string, Claim>()
  const said = prose.said.slice(-12).flat()
  for (const sentence of said.slice(-80)) {
    const text = sentence.slice(0, 400)
    const claim = (gate: string, outcome: Claim["outcome"]) =>
      found.set(`${gate}:${outcome}`, { gate, outcome, text: text.slice(0, 200) })
    const passed = (gate: string) => found.has(`${gate}:passed`) || claim(gate, "passed")
    for (const { gate, pattern } of negative()) if (pattern.test(text) && isPresentFailure(text)) claim(gate, "failed")
    for (const { gate, pattern } of stated) if (pattern.test(text) && !notYet.test(text)) passed(gate)
    if (general.test(text) && !doubtful(text)) passed("tests")
    if (everything.test(text) && !doubtful(text)) claim("tests", "passed")
    for (const { gate, pattern } of positive()) if (pattern.test(text) && !doubtful(text)) passed(gate)
  }
  return [...found.values()]
}
