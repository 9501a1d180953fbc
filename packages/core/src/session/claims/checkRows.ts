/** How a check went, as a sentence says it in English. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"

export interface GateRow extends Row {
  readonly gate: string
}

export const gateRow = (gate: string, ...rest: Parameters<typeof row>): GateRow => ({ gate, ...row(...rest) })

/** The checks by their words; "the build directory" is none, and one test says nothing of the others. */
export const subjects: ReadonlyArray<GateRow> = [
  gateRow(
    "tests",
    "test|spec|suite|examples",
    /\b(?:tests|test (?:results?|files|run|cases)|(?:test )?suite|specs|examples(?=,? (?:all )?(?:pass|0 failures)))\b(?! (?:data|director|folder|fixture|helper|output))/i,
    "all tests",
    "one test"
  ),
  gateRow(
    "build",
    "build|compil|it|project|code|everything|change",
    /\b(?:build|compilation|(?:it|project|code|everything|change)(?= (?:now |still )?compiles)|everything(?= builds))\b(?! (?:director|folder|file|script|config|output|step))/i,
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
    /(?<![:./-]|npm )\b(?:ci|pipeline|(?:(?<=\b(?:all|the|these|both|ci|status|pr|required|\d) )|^)checks|workflow)\b(?![=/])(?! (?:file|config|script|whether|if|that|for|the))/i,
    "the pipeline",
    "type checks"
  ),
  gateRow("ci", "actions", /\bgithub actions\b/i, "GitHub Actions", "the actions"),
  gateRow(
    "tests",
    "pytest|jest|vitest| test|rspec|phpunit|ctest|tox",
    /\b(?:pytest|jest|vitest|rspec|phpunit|ctest|(?:npm|yarn|pnpm|bun|go|cargo|mvn|gradle|dotnet|swift|mix|sbt|flutter|deno|make|rake|composer)(?: run)? test)\b/i,
    "`cargo test`",
    "the go tests"
  ),
  gateRow(
    "build",
    " build|tsc -b",
    /\b(?:npm|yarn|pnpm|bun|go|cargo|mvn|gradle|dotnet|swift|make|next|vite)(?: run)? build\b/i,
    "`npm run build`",
    "the building"
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
    /^[^.?!;]{0,40}\b(?:(?<!\b(?:an?|the|uses?) )(?:green|clean)|succeed(?:s|ed)?|successful(?:ly)?|(?<!\ban )ok(?!\()|compiles|(?<!\/)builds|(?:runs?|ran) without (?:any )?(?:failures?|errors?))\b/i,
    " is clean",
    " uses a clean folder"
  ),
  row(
    "no|0|zero|without|free",
    /^[^.?!;]{0,40}\b(?:no|0|zero|without|free (?:of|from))(?: any)?(?: \w{1,12})? (?:failures|errors|issues|warnings|complaints|problems)\b/i,
    " reports no errors",
    " finds the errors"
  ),
  row(
    "through|clean|fine|right|green",
    /^[^.?!;]{0,30}\b(?:go(?:es)?|went|gets?|got|c[ao]mes?|runs?|ran) (?:all |\w{2,10}ly )?(?:(?:back|out) )?(?:through|clean(?:ly)?|fine|right|green)\b(?! (?:the|an?|each|every)\b)/i,
    " go through with no failures",
    " go through the list"
  ),
  row(
    "fine|happy|good|order|satisf|quiet|silent",
    /^[^.?!;]{0,30}(?:\b(?:is|are|looks?|all|stays?|remains?)\b|:)(?: \w{2,8})? ?\b(?:fine|happy|quiet|silent|in order|satisfied|all good|good(?= (?:now|locally|again|with)|[.,]?$))\b/i,
    " is happy with it",
    " is a good idea"
  ),
  row(
    "exit|return code|rc",
    /^[^.?!;]{0,30}\b(?:exit(?:s|ed)?(?: (?:code|status|with))*|return code|rc)[ =:]{1,2}0\b/i,
    " exits with 0",
    " exits with 1"
  ),
  row("100", /^[^.?!;]{0,20}\b100\s?% (?:pass(?:ed|ing)?|green|success\w*)/i, ": 100% passed", ": 100% covered"),
  row(
    "ok|pass|clean|green|good|fine|success|no |0 ",
    /^[^.?!;:]{0,20}(?::|→|->|—|–) ?(?:all )?(?:ok|pass(?:es|ed)?|clean|green|good|fine|success\w*|(?:no|0) (?:new )?(?:errors?|issues?|warnings?|problems?|failures?))\b/i,
    ": no issues",
    ": some issues"
  ),
  row(
    "fail|error",
    /^[^.?!;]{0,40}\b(?:failures?|failed|errors)\s?[:=]\s?0\b/i,
    " run: 128, Failures: 0",
    " run: 128, Failures: 2"
  ),
  row("/", /^[`*:\s]{0,4}(?:all )?\(?(\d{1,6})\s?\/\s?\1\b/, ": 42/42", ": 41/42"),
  row("✅|✓|✔", /^[^.?!;]{0,20}[✅✓✔]/u, ": ✅", ": ❌")
]

/** "No errors from" */
const noneFrom = row(
  "error|warning|issue|problem|complaint",
  /\b(?:no|0|zero) (?:errors|warnings|issues|problems|complaints) (?:from|in|by|under)\b[^.?!;]{0,12}$/i,
  "no errors from ",
  "the errors from "
).pattern

const goodBefore = row(
  "passing|passed|green|successful|clean",
  /\b(?:passing|passed|green|successful|(?:got|have|had|with) a clean)\b[^.?!;]{0,12}$/iu,
  "passing ",
  "the clean "
).pattern

/** A mark says how a check went only where it stands right before its name, and behind that no more than a result. */
const ticked = row(
  "✅|✓|✔",
  /[✅✓✔]\W{0,4}(?:(?:all|the|my|our|unit|integration|e2e|end-to-end|full|new|existing|backend|frontend|\d{1,6}(?:\/\d{1,6})?) ){0,3}$/iu,
  "✅ All ",
  "✅ Added "
).pattern

const isTicked = (gate: string, before: string, after: string): boolean =>
  ticked.test(before) && (gate === "ci" ? /^\W{0,6}$/ : /^\W{0,4}(?:$|[([:,]|\d)/).test(after)

/** "No tests" */
const noneOf = /\b(?:no|without|keine?|ohne|aucun\w?|sans|ning\w{1,3}|sin|nenhum\w?|sem)\s(?:\w{1,12}\s)?$/i

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
    "tests",
    "all green|everything |checks|gates",
    /^(?:all green|everything (?:passes|passed|is green)|all (?:the )?(?:checks|gates) (?:pass|are (?:ok|green|clean)))\b|; all green\b/i,
    "All green!",
    "Not all green"
  )
]

/** Counted by a runner, in its words; what fails beside them takes that back. */
const counted: ReadonlyArray<GateRow> = [
  gateRow(
    "tests",
    "test|spec",
    /(?<![\d/])\b([1-9]\d{0,5})\s?\/\s?\1(?: \w{1,12})? (?:tests|specs|test cases)\b/i,
    "54/54 tests",
    "53/54 tests"
  ),
  gateRow(
    "build",
    "compiles",
    /^(?:(?:it|everything|the code|the project) )?(?:now |still )?compiles (?:clean(?:ly)?|without|fine|with no)\b/i,
    "Compiles without warnings",
    "compiles to JavaScript"
  ),
  gateRow(
    "tests",
    "pass",
    /\b[1-9]\d{0,5}(?: unit| integration| e2e)?(?: tests?| specs?)?,? pass(?:ed|ing)\b(?! (?:to|in(?! ?\d)|through|the|an?|by)\b)/i,
    "18 passed in 0.4s",
    "3 passed to it"
  ),
  gateRow(
    "typecheck",
    "type",
    /\b(?:no|0|zero) (?:new )?type(?:script)? errors\b/i,
    "no type errors",
    "the type errors"
  ),
  gateRow(
    "lint",
    "lint",
    /\b(?:no|0|zero) (?:new )?(?:es)?lint(?:er|ing)? (?:errors|warnings|issues)\b/i,
    "no lint warnings",
    "the lint warnings"
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

/** What a sentence says of a check, clause by clause, if it says it plainly; `all` is the sentence around it. */
const saidOf = (text: string, all: string, { gate, pattern }: GateRow): "passed" | "failed" | null => {
  for (const clause of text.split("; ")) {
    const found = pattern.exec(clause)
    if (found === null) continue
    const before = clause.slice(0, found.index)
    const after = clause.slice(found.index + found[0].length)
    if ((takes(bad, after) || badBefore.test(before)) && !takes(explained, clause)) return "failed"
    if (noneOf.test(before)) continue
    const isGood =
      takes(good, after) || goodBefore.test(before) || noneFrom.test(before) || isTicked(gate, before, after)
    if (isGood && !fails.test(all) && !isPartial(all)) return "passed"
  }
  return null
}

/** A check, and how the text says that it went; `everything`: it speaks of no check by name. */
export interface Said {
  readonly gate: string
  readonly outcome: "passed" | "failed"
  readonly everything: boolean
}

/** "Both checks are green: …", "All pass:": what is listed behind is as well. */
const heads = row(
  "green|pass|clean|ok|ran",
  /^(?:\w{2,10} )?(?:both|all|the|these|everything)\b[^.;:]{0,40}\b(?:green|pass(?:es|ed|ing)?|clean|ok|ran (?:clean|through))\b[^.;:]{0,30}:\s/i,
  "Both checks are green with that: the linter, 12 tests",
  "Both are done: the linter is new"
)

/** What a list of checks that all went well says of each. */
export const listed = (text: string): ReadonlyArray<Said> => {
  const head = heads.pattern.exec(text)
  if (head === null || fails.test(text) || isPartial(text)) return []
  const items = text.slice(head[0].length, head[0].length + 200)
  return subjects
    .filter(({ pattern }) => pattern.test(items))
    .map(({ gate }) => ({ gate, outcome: "passed", everything: false }))
}

const everything = (pattern: GateRow): boolean => pattern === stated[stated.length - 1]

/** "Checkov passes: 15 passed" counts something else than tests. */
const ofAnother = /^\W{0,4}([A-Za-z][\w.-]{1,30})\W{0,2}\s?(?:pass(?:es|ed)?|is (?:clean|green)|reports?|says)\b/

const ofTests = /^(?:\w{0,6}tests?|specs?|suite|all|both|everything|they|it|runs?|results?|output)$/i

/** A program stands in a text by the word for its check. */
const isLabelled = /^\W{0,4}(?:lint|build|typecheck|types|format)\b\W{0,3}:/i

const isOther = (gate: string, text: string): boolean =>
  gate === "tests" &&
  (isLabelled.test(text) || !ofTests.test(ofAnother.exec(text)?.[1] ?? "tests")) &&
  !/\b(?:tests?|specs?|suite)\b/i.test(text)

/** What a part of a sentence says of the checks. */
export const checksIn = (text: string, all: string): ReadonlyArray<Said> => {
  const found: Array<Said> = []
  for (const one of stated)
    if (one.pattern.test(text) && !isPartial(all))
      found.push({ gate: one.gate, outcome: "passed", everything: everything(one) })
  for (const { gate, pattern } of counted)
    if (pattern.test(text) && !fails.test(all) && !isPartial(all) && !isOther(gate, all))
      found.push({ gate, outcome: "passed", everything: false })
  for (const subject of subjects) {
    const outcome = saidOf(text, all, subject)
    if (outcome !== null) found.push({ gate: subject.gate, outcome, everything: false })
  }
  return found
}
