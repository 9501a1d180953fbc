/** What the user allowed to be done to checks, in the words of the task and of orders that stand. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { spoken } from "../../ground/text/UserSentences.ts"
import type { CheckChange } from "./model.ts"
import { literalsOf, plainValue } from "./statements.ts"

/** What is done to a check that is to be there no more, or not to run. */
const leaves: ReadonlyArray<Row> = [
  row(
    "skip|delet|remov|drop|disabl|quarantin|xfail|exclud|deselect|ignor|deactivat",
    /\b(?:skip|delet|remov|drop|disabl|quarantin|xfail|exclud|deselect|ignor|deactivat)\w{0,6}\b/i,
    "skip the flaky tests for now",
    "run the tests"
  ),
  row(
    "mute|prune|pruning|muting|rid of|comment",
    /\b(?:mut(?:e|ing)|prun(?:e|ing)|get rid of|comment (?:\w+ ){0,3}out)\b/i,
    "mute the flaky tests",
    "a comment on the tests"
  ),
  row(
    "clean|pending",
    /\bclean (?:\w+ )?up\b|\bmark (?:\w+ ){1,6}pending\b/i,
    "clean up the old tests",
    "a clean test"
  ),
  row("überspring", /überspring/i, "überspringe den Test", "der Test ist rot", "de"),
  row("omit|omite|ignora", /\b(?:omit[ea]\w{0,2}|ignora\w{0,2})\b/i, "omite el test", "el test falla", "es"),
  row("跳过", /跳过/, "跳过这个测试", "运行测试", "zh"),
  row("スキップ", /スキップ/, "テストをスキップして", "テストを実行して", "ja")
]

/** What is done to a check that is to say something else. */
const changes: ReadonlyArray<Row> = [
  row(
    "updat|adjust|adapt|chang|rewrit|rewrote|refactor|correct|edit|modif|migrat|port|convert|renam",
    /\b(?:updat|adjust|adapt|chang|rewrit|refactor|correct|edit|modif|migrat|port|convert|renam)\w{0,5}\b/i,
    "update the tests",
    "run the tests"
  ),
  row(
    "regenerat|replac|accept|record|align|bump|revis|loosen|relax|weaken|soften|simplif|merg|mov|split",
    /\b(?:regenerat|replac|accept|re-?record|align|bump|revis|loosen|relax|weaken|soften|simplif|merg|mov|split)\w{0,5}\b/i,
    "regenerate the snapshots",
    "the tests are recorded"
  )
]

const tests: ReadonlyArray<Row> = [
  row(
    "test|spec|suite|case|assert|expect",
    /\b(?:tests?|specs?|suites?|cases?|assert\w{0,8}|expect(?:ed|ations?))\b/i,
    "skip the tests",
    "skip the build"
  ),
  row(
    "snapshot|golden|fixture|測|テスト|测试",
    /\b(?:snapshots?|goldens?|fixtures?)\b|テスト|测试/i,
    "update the snapshots",
    "update the docs"
  )
]

/** A test that was named before. */
const that = row(
  "it|them|those|these|this|one",
  /\b(?:it|them|those|these|this|that one|this one)\b/i,
  "just skip it",
  "just skip"
)

const wrong: ReadonlyArray<Row> = [
  row(
    "wrong|outdated|stale|obsolete|incorrect|out of date|too strict|bogus",
    /\b(?:wrong|outdated|stale|obsolete|incorrect|out of date|too strict|bogus)\b/i,
    "the test is wrong",
    "the test is right"
  )
]

/** How a check is made to look away. */
const relaxes: ReadonlyArray<Row> = [
  row(
    "ignor|suppress|disabl|silenc|allow|relax|loosen|lower|exclud|skip|bypass|permit|tolerat",
    /\b(?:ignor|suppress|disabl|silenc|allow|relax|loosen|lower|exclud|skip|bypass|permit|tolerat)\w{0,5}\b/i,
    "disable the rule",
    "run the linter"
  ),
  row(
    "rais|increas|switch|turn|downgrad|reduc|drop|remov|replac|set",
    /\b(?:rais|increas|switch|turn|downgrad|reduc|drop|remov|replac|set)\w{0,5}\b/i,
    "turn the rule off",
    "run the rule"
  )
]

const demands: ReadonlyArray<Row> = [
  row(
    "rule|warn|lint|error|type|check|hook|threshold|coverage|strict",
    /\b(?:rules?|warnings?|lint\w{0,5}|errors?|types?|checks?|hooks?|thresholds?|coverage|strict\w{0,5})\b/i,
    "disable the rule",
    "disable the button"
  ),
  row(
    "eslint|ruff|mypy|clippy|failure|job|step|ci|script|director|folder|file",
    /\b(?:eslint|ruff|mypy|clippy|failures?|jobs?|steps?|ci|scripts?|director(?:y|ies)|folders?|files?)\b/i,
    "exclude the folder",
    "exclude the user"
  ),
  row("no-", /\bno-[\w-]{2,30}\b/i, "turn no-unused-vars off", "turn it off")
]

/** What says it all by itself. */
const saysAll: ReadonlyArray<Row> = [
  row(
    "no-verify|continue-on-error|eslint-disable|ts-ignore|ts-expect-error|noqa|type: ignore|nolint|allow_failure",
    /--no-verify|\b(?:continue-on-error|eslint-disable|ts-ignore|ts-expect-error|noqa|type: ignore|nolint|allow_failure)\b/i,
    "commit with --no-verify",
    "commit it"
  ),
  row(
    "non-blocking|non blocking|optional|true",
    /\bnon[- ]blocking\b|\boptional\b|\|\| true/i,
    "make the job non-blocking",
    "make the job true"
  ),
  row("retr|rerun", /\b(?:retry|retries|reruns?)\b/i, "add retries to the suite", "try the suite")
]

const mocking = row("mock|stub|fake|spy", /\b(?:mock|stub|fake|spy)\w{0,4}\b/i, "mock the gateway", "call the gateway")

/** An order to take something away, which takes its tests along. */
const removing: ReadonlyArray<Row> = [
  row(
    "remov|delet|drop|deprecat|retir|rip|rid|strip|sunset|replac",
    /^(?:(?:please|also|now|first|just|let's|we|should|must|can|could|you|to|i|want) ){0,4}(?:remov|delet|drop|deprecat|retir|rip|get rid|strip|sunset|replac)\w{0,5} /i,
    "remove the export",
    "the export was removed"
  )
]

const notOrdered = row(
  "bug|error|fail|warning",
  /\b(?:bugs?|errors?|failures?|failing|warnings?)\b/i,
  "remove the bug",
  "remove the export"
)

const negated =
  /(?:\b(?:not|never|without|cannot|avoid|no|than)|n't|\binstead of) (?:\w+ )??(?:skip|delet|remov|drop|disabl|ignor|chang|edit|modif|updat|touch|weaken|mock|suppress|silenc|lower|exclud|bypass)\w{0,5}\b/gi

/** Parts of a sentence that say one thing each, without what is forbidden in them. */
const partsOf = (text: string): ReadonlyArray<string> =>
  spoken(text).flatMap((sentence) =>
    sentence
      .slice(0, 600)
      .replaceAll(negated, " ")
      .split(/[,;:.!?()]+\s|\s[-–—]\s|\b(?:and|then|but|so that|because)\b/)
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .slice(0, 12)
  )

const turns = /\b(?:to|becomes?|now)\b|→|->|=>/
const contrasts = /\b(?:instead of|rather than|not|was|were|used to|replaces?|from)\b/
const wants = /\b(?:should|must|make|set|want|use|change|shall|needs?|expect)\b/i

/** "from 45 to 49.9", "49.9 instead of 45" */
const isOrdered = (text: string, change: CheckChange): boolean => {
  const pool = literalsOf(text.replaceAll(/["`]/g, "'")).map(plainValue)
  const values = new Set([
    ...pool,
    ...(text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((one) => plainValue(one.replaceAll(",", "")))
  ])
  const was = literalsOf(change.was).map(plainValue)
  const fresh = literalsOf(change.now).map(plainValue)
  const pairs = fresh.flatMap((now, index) => (now === was[index] ? [] : [[was[index] ?? "", now] as const]))
  return pairs.some(([old, now]) => {
    const isSaid = values.has(now) || (now.length > 3 && text.includes(now))
    if (!isSaid || now === "") return false
    const knowsOld = values.has(old) || (old.length > 3 && text.includes(old))
    if (!knowsOld) return true
    const from = text.indexOf(old)
    const to = text.indexOf(now)
    if (from < 0 || to < 0) return false
    if (from < to) return turns.test(text.slice(from + old.length, to).slice(-60))
    // "It is 49.9 instead of 45" complains, "make it 49.9 instead of 45" orders.
    return contrasts.test(text.slice(to + now.length, from).slice(-60)) && wants.test(text.slice(0, to).slice(-60))
  })
}

const takesBoth = (verbs: ReadonlyArray<Row>, nouns: ReadonlyArray<Row>, part: string): boolean =>
  takes(verbs, part) && takes(nouns, part)

/** "Fix the test", not "fix the failing test", which is to pass. */
const fixesTest = (part: string): boolean =>
  /\b(?:fix|repair|mend) (?:up )?(?:the |this |that |these |those |my |our |both |all )?(?:unit |e2e )?(?:tests?|specs?|assertions?|expectations?)\b(?! (?:failures?|errors?|suite|run))/i.test(
    part
  )

const letsGo = (part: string): boolean => takesBoth(leaves, [...tests, that], part)

const letsChange = (part: string): boolean => takesBoth([...changes, ...wrong], tests, part) || fixesTest(part)

const removes = (part: string): boolean => takes(removing, part) && !takes([notOrdered], part)

const looksAway = (part: string): boolean => takesBoth(relaxes, demands, part) || takes(saysAll, part)

/** What allows a change, by its kind, in one part of a sentence. */
const allows: Readonly<Record<CheckChange["kind"], (part: string) => boolean>> = {
  test: (part) => letsGo(part) || takesBoth(changes, tests, part) || removes(part),
  skip: letsGo,
  assert: (part) => letsGo(part) || letsChange(part) || removes(part),
  expected: letsChange,
  snapshot: letsChange,
  mock: (part) => takes([mocking], part) || takesBoth(changes, tests, part),
  mark: looksAway,
  silence: (part) => looksAway(part) || letsGo(part),
  special: () => false
}

const base = (path: string): string => path.split(/[/\\]/).pop() ?? path

/** Whether the user wants this change, or what brings it about. */
export const isAllowed = (change: CheckChange, texts: ReadonlyArray<string>): boolean => {
  return texts.some((text) => {
    if (partsOf(text).some(allows[change.kind])) return true
    if (change.kind === "silence" && change.path !== "" && text.includes(base(change.path))) return true
    return (
      (change.kind === "expected" || change.kind === "silence" || change.kind === "assert") &&
      isOrdered(spoken(text).join(" ").slice(0, 4000), change)
    )
  })
}
