/** The patterns by which a message asks for a check, built from the names of checks. */
import type { Ask } from "./model.ts"
import { type Guarded, guarded } from "../../ground/text/Guarded.ts"
import { lazy } from "../../ground/text/Lazy.ts"

interface AskPattern {
  readonly gate: string
  readonly how: Ask["how"]
  readonly pattern: Guarded
}

export const bounded = (pattern: string): RegExp => new RegExp(pattern, "i")

export const checks: Readonly<Record<string, string>> = {
  tests:
    "(?:only |just |unit |integration |e2e |end-to-end |regression |whole |full |entire |existing |failing |broken |new |go |npm |all |the |these |those |our |of |my )*(?:tests?|test[ -]suite|suite|specs?|test:[\\w:-]{1,30}|pytest|jest|vitest|go test)",
  build: "(?:the |a |our |full |project |production |release )*(?:build|compilation|compile)",
  typecheck: "(?:the |all |any |our )*(?:type[ -]?check(?:er|ing|s)?|type errors?|typescript errors?|tsc|mypy|pyright)",
  lint: "(?:the |all |any |our |go |eslint )*(?:lint(?:er|ers|ing|s)?|lint(?:er|ing)? (?:errors?|issues?|warnings?|failures?)|eslint|golangci-lint|ruff|clippy)",
  ci: "(?:the |our |gh |github |all )*(?:ci|pipelines?|github actions|gh actions|pr checks|status checks|workflow run)"
}

/** Of these words each noun has one. */
export const nouns: Readonly<Record<string, string>> = {
  tests: "test|spec|suite|jest",
  build: "build|compil",
  typecheck: "type|tsc|mypy|pyright",
  lint: "lint|ruff|clippy",
  ci: "ci|pipeline|actions|checks|workflow"
}

const starts = "run|rerun|re-run|execute|launch|try|use|start"
export const runVerbs = `(?:${starts})`
const fixes = "fix|repair|resolve|address|unbreak|solve|correct|get rid of|clean up|handle|sort out"
const fixVerbs = `(?:${fixes})`
const sure = "make sure|ensure|verify|confirm|check|validate|see|make|get|keep|be sure"
const sureVerbs = `(?:${sure})`
const duty = "must|have to|has to|should|shall|need to|needs to"
const passing =
  "(?:pass(?:es|ed|ing)?|green|succeeds?|works?|working|clean|ok|go(?:es)? through|runs?|happy|compil(?:es|ing))"

const pass = "pass|green|succeed|work|clean|ok|through|run|happy|compil"

const anyCheck = `(?:${Object.values(checks).join("|")})`

/** "The test data", "the build script" and "the CI badge" name a file or a thing on the screen, not a check. */
export const notThing =
  "(?!\\s{1,2}(?:data|helpers?|fixtures?|folders?|director(?:y|ies)|config\\w{0,9}|badges?|names?|labels?|buttons?|pages?|tabs?|generators?|utils?|files?)\\b)"
const notTool =
  "(?!\\s{1,2}(?:scripts?|commands?|targets?|setup|rules?|plugins?|templates?|dependenc(?:y|ies)|docs|documentation)\\b)"

const order = (gate: string, words: string, make: () => RegExp): AskPattern => ({
  gate,
  how: "run",
  pattern: guarded(words, make)
})

const otherAsks: ReadonlyArray<AskPattern> = [
  order(
    "build",
    "builds|compiles",
    () =>
      /\b(?:make sure|ensure|verify|check|confirm)\b[^.?!]{0,40}\b(?:it|this|that|everything|the \w{1,20})\s(?:still\s|also\s)?(?:builds|compiles)\b/i
  ),
  order(
    "tests",
    "with|using|running|against&test|suite|spec",
    () =>
      /\b(?:verify|check|confirm|validate)\b(?:\s\w{1,15}){0,3}\s(?:with|using|by running|against)\s(?:the\s|our\s|all\s|full\s){0,3}(?:[\w-]{1,20}\s)?(?:tests?|test[ -]suite|suite|specs?)\b/i
  ),
  order(
    "build",
    "build|compile",
    () =>
      /(?:^|\b(?:and|then|please|,)\s)(?:build|compile)\s(?:it|this|that|everything|the (?:project|app|code|repo))\b/i
  ),
  order(
    "tests",
    "give&test|suite|spec",
    () => /\bgive\s(?:it|the|all|our|those)\b[^.?!]{0,30}\b(?:tests?|suite|specs?)\b[^.?!]{0,10}\b(?:run|go|spin)\b/i
  ),
  order(
    "tests",
    "test",
    () => /(?:^|,\s|\b(?:and|then)\s)test(?:\s(?:it|this|that|everything|them|again|afterwards)\b|,|[.!]?$)/i
  ),
  order(
    "commit",
    "commit",
    () =>
      /(?:^|[,;.&]\s|\b(?:and|then|please|now|also|just|to|you)\s)commit(?:\s(?:&|it|this|that|them|the|your|these|all|everything|changes?|and|with|as|in|to)\b|,\s|[.!,?]?$)(?!\s(?:message|hash|history|log|sha|id)\b)/i
  ),
  order(
    "tests",
    "write|add|create|update|extend&test&run|execute",
    () =>
      /\b(?:write|add|create|update|extend)\b[^.?!]{0,60}\btests?\b[^.?!]{0,60}\b(?:and|then) (?:run|execute) (?:them|it all)\b/i
  ),
  order(
    "tests",
    "test&run|execute",
    () => /\btests?\b.{0,80}\band (?:then )?(?:run|execute) (?:them|it|those|these)\b/i
  ),
  // To rebuild something from scratch mostly is to write it anew.
  order(
    "build",
    "rebuild|recompile",
    () => /(?:^|\b(?:and|then|please|,)\s)(?:rebuild|recompile)\b(?![^.?!]{0,40}\bfrom (?:scratch|the ground up)\b)/i
  ),
  order(
    "pr",
    "pr|pull|mr|merge",
    () =>
      /(?<!\b(?:the|an|our|my|your|this|that|any|each|every|all|existing|of)\s)\b(?:open|create|make|raise|submit|file|put up|send|prepare|cut)\s(?:[\w-]{1,15}\s){0,4}(?:pr|pull[ -]request|mr|merge[ -]request)\b(?!-|\s(?:description|body|title|comment|template|summary|review|text))/i
  ),
  order(
    "push",
    "push",
    () =>
      /(?:^|[,;.&]\s|\b(?:and|then|please|now|also|just|to|you|commit)\s)(?:(?:git|force)[ -])?push(?![^.?!,;]{0,60}\b(?:into|onto|down)\b)(?:\s(?:it|this|that|them|up|your|my|all|changes|again|everything|origin|branch)\b|\sto\s(?!(?:the |an? )?(?:queue|list|array|stack|registry|channel|topic|production|prod)\b|(?:both|all|each|every|either)\b)|\sthe\s(?:[\w-]{1,20}\s){0,2}(?:branch(?:es)?|changes?|commits?|fix(?:es)?|code|work|updates?|tags?)\b|\s(?:and|then)\s(?:then\s)?(?:open|create|make|raise|submit|send|wait|watch|check|tell|let|merge|report|give)\b|\s(?:please|pls|thanks|thank you|now|when|once|afterwards|too|as well)\b|,\s(?:please|thanks)|[.!,?]?$)/i
  ),
  order(
    "ci",
    "wait|watch|monitor&ci|checks|pipeline|workflow|actions",
    () => /\b(?:wait (?:for|until)|watch|monitor)\s(?:[\w-]{1,12}\s){0,3}(?:ci|checks|pipeline|workflow|actions)\b/i
  )
]

/** The words of a pattern's groups, then its source. */
type Row = readonly [how: Ask["how"], words: string, source: string]

const ofCheck = (noun: string, words: string): ReadonlyArray<Row> => [
  [
    "run",
    `${starts}&${words}`,
    `\\b${runVerbs}\\s+(?:${anyCheck}(?:,|,? and)\\s+){0,3}${noun}\\b(?![-/.\\w]{0,3}(?:file|case|data|helper))${notThing}`
  ],
  [
    "fix",
    `${fixes}&${words}`,
    `\\b${fixVerbs}\\s+(?:(?!(?:without|before|by|after|instead|not|run|rerun|re-run|execute|make|ensure|verify|confirm|check|add|write|update|commit|push|so|that|until|when|if|because)\\b)[\\w-]{1,20}\\s+){0,3}${noun}\\b${notThing}${notTool}`
  ],
  ["run", `${sure}&${pass}&${words}`, `\\b${sureVerbs}\\b[^.?!]{0,40}\\b${noun}\\b[^.?!]{0,30}\\b${passing}\\b`],
  ["run", `${duty}&${pass}&${words}`, `\\b${noun}\\b\\s+(?:${duty})(?: all| still| also)? (?:be )?${passing}\\b`],
  [
    "fix",
    `fail|broken|red&${words}`,
    `\\b${noun}\\b\\s+(?:is|are|still|now|is still|are still|keeps?|keep|just)?\\s{0,2}(?:fail(?:s|ing|ed)?|broken|red)\\b`
  ]
]

export const askPatterns = lazy((): ReadonlyArray<AskPattern> => [
  ...Object.entries(checks).flatMap(([gate, noun]) =>
    ofCheck(noun, nouns[gate] ?? "").map(([how, words, source]) => ({
      gate,
      how,
      pattern: guarded(words, () => bounded(source))
    }))
  ),
  ...otherAsks
])

export const startsWithVerb = new RegExp(`^(?:${runVerbs}|${sureVerbs})\\b`, "i")
