/** What the user allowed to be done to checks, in the words of the task and of orders that stand. */
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { spoken } from "../../ground/text/UserSentences.ts"
import type { CheckChange } from "./model.ts"
import { literalsOf, plainValue } from "./statements.ts"

const leaving: ReadonlyArray<Row> = [
  row(
    "skip|delet|remov|drop|disabl|quarantin|mute|xfail|exclud|deselect|comment|pending|prun|clean|ignor|deactivat|get rid",
    /(?<!\b(?:not|never|n't|without|instead of|than) (?:\w+ )?)\b(?:skip|delet|remov|drop|disabl|quarantin|mut(?:e|ing)\b|xfail|exclud|deselect|comment|mark|prun|clean up|ignor|deactivat|get rid)\w{0,4}\b[^.?!\n]{0,80}\b(?:tests?|specs?|suites?|cases?|assertions?|it|them|those|that one|flaky)\b/i,
    "Skip the flaky tests for now.",
    "Do not skip the tests."
  ),
  row(
    "test|spec|suite",
    /\b(?:tests?|specs?|suites?)\b[^.?!\n]{0,80}\b(?:can|may|should|must|to) (?:be )?(?:go\b|skipp|delet|remov|dropp|disabl|quarantin|ignor|exclud|be gone)/i,
    "The legacy tests can be deleted.",
    "The tests should pass."
  ),
  row("quarantine|xfail", /\b(?:quarantine|xfail)\b/i, "Put it into quarantine.", "It is quarantined."),
  row(
    "skip|überspring|omet|omit|ignorar|sauter|pular|跳过|スキップ",
    /\b(?:überspring\w{0,3}|omite|omitir|ignora\w{0,2}|saute\w{0,2}|pule|pular)\b[^.?!\n]{0,60}\btests?\b|跳过|スキップ/i,
    "Überspringe den Test.",
    "Der Test ist rot.",
    "de"
  )
]

const rewriting: ReadonlyArray<Row> = [
  row(
    "test|spec|expect|assert|snapshot|golden|fixture",
    /(?<!\b(?:not|never|n't|without) (?:\w+ )?)\b(?:loosen|relax|weaken|soften|updat|adjust|adapt|chang|rewrit|refactor|correct|edit|modif|migrat|port|convert|split|simplif|merg|mov|renam|regenerat|replac|accept|re-?record|align|bump|revis|clean)\w{0,4}\b[^.?!\n]{0,60}\b(?:tests?|specs?|suites?|expect\w{0,6}|assert\w{0,6}|snapshots?|goldens?|fixtures?)\b/i,
    "Update the tests to the new format.",
    "Do not change the tests."
  ),
  row(
    "fix|repair|mend",
    /(?<!\b(?:not|never|n't|without) )\b(?:fix|repair|mend)(?:ing)? (?:up )?(?:the |this |that |these |those |my |our |your |both |all |any )?(?:(?!failing|broken|red\b)[\w/.-]{1,40} )?(?:unit |e2e )?(?:tests?|specs?|assertions?|expectations?)(?=[.,;!)]|$| (?:in|for|of|to|so|itself|themselves|and|not|too|instead|which|that)\b)/i,
    "Fix the test in cart.test.js.",
    "Fix the failing test."
  ),
  row(
    "test|spec|expect|assert",
    /\b(?:tests?|specs?|assertions?|expectations?|expected values?)\b[^.?!\n]{0,40}\b(?:is|are|was|were|looks?|seems?|got)\b[^.?!\n]{0,30}\b(?:wrong|outdated|stale|obsolete|incorrect|out of date|too strict|bogus|broken by design|old)\b/i,
    "The test is wrong.",
    "The test is right."
  ),
  row(
    "wrong|outdated|stale|obsolete|incorrect",
    /\b(?:wrong|outdated|stale|obsolete|incorrect|flaky) (?:\w+ )?(?:tests?|specs?|assertions?|expectations?|snapshots?)\b/i,
    "There is an outdated test.",
    "There is a wrong total."
  ),
  row(
    "wrong",
    /\bmatch(?:es|ing)? (?:the )?(?:new|current|actual) (?:behaviou?r|output|values?|format)\b/i,
    "Match the new behaviour, the old one was wrong.",
    "It is wrong."
  )
]

const laxer: ReadonlyArray<Row> = [
  row(
    "ignor|suppress|disabl|silenc|allow|relax|loosen|lower|rais|increas|exclud|turn|off|skip|bypass|permit|tolerat|warn|nolint|noqa",
    /(?<!\b(?:not|never|n't|without|instead of|than|no) (?:\w+ )?)\b(?:ignor|suppress|disabl|silenc|allow|relax|loosen|lower|rais|increas|exclud|switch|turn|skip|bypass|permit|tolerat|downgrad|reduc|drop|remov|replac)\w{0,4}\b[^.?!\n]{0,80}\b(?:rules?|warnings?|lint\w{0,5}|errors?|types?|checks?|hooks?|thresholds?|coverage|strict\w{0,5}|eslint|ruff|mypy|clippy|off|failures?|fail|jobs?|steps?|ci|scripts?|director\w{1,4}|folders?|files?|no-[\w-]{2,30}|[A-Z]{1,4}\d{2,4})\b/i,
    "Disable the rule for this line.",
    "Do not disable the rule."
  ),
  row(
    "retr|rerun|flaky",
    /\b(?:add|use|set|configure|enable|with|allow|give)\b[^.?!\n]{0,30}\b(?:retr(?:y|ies)|reruns?)\b|\bretry (?:it|them|the|failed|failing|flaky)\b/i,
    "Add retries to the flaky suite.",
    "It is flaky."
  ),
  row(
    "no-verify|continue-on-error|non-blocking|eslint-disable|ts-ignore|ts-expect-error|noqa|type: ignore|nolint|non blocking|allow_failure|optional||| true",
    /--no-verify|\bcontinue-on-error\b|\bnon-?\s?blocking\b|\beslint-disable\b|\bts-(?:ignore|expect-error)\b|\bnoqa\b|\btype: ?ignore\b|\bnolint\b|\ballow_failure\b|\boptional\b|\|\| true/i,
    "Commit with --no-verify.",
    "The work is done."
  ),
  row(
    "strict|coverage|threshold",
    /\b(?:coverage|threshold|strict(?: mode)?)\b[^.?!\n]{0,40}\b(?:to|down|lower|off|less|\d{1,3} ?%)/i,
    "Set the coverage threshold to 70 %.",
    "The coverage is fine."
  )
]

const mocking = row(
  "mock|stub|fake",
  /(?<!\b(?:not|never|n't|without) (?:\w+ )?)\b(?:mock|stub|fake|spy)(?:s|ed|ing|bed|bing)?\b/i,
  "Mock the gateway in the test.",
  "Do not mock the gateway."
)

const removing = row(
  "remov|delet|drop|deprecat|retire|rip|get rid|kill|strip|no longer|instead|replac|sunset",
  /(?:^|[,;:.] ?|\b(?:please|then|and|also|now|should|must|can you|could you|let's|to|we) )(?:remov|delet|drop|deprecat|retir|rip out|get rid|kill|strip|sunset|replac)\w{0,4} (?!(?:the )?(?:bugs?|errors?|failures?|failing|warnings?)\b)/i,
  "Remove the CSV export.",
  "Remove the bug."
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

const rowsFor = (change: CheckChange): ReadonlyArray<Row> => {
  switch (change.kind) {
    case "test":
      return [...leaving, ...rewriting.slice(0, 1), removing]
    case "skip":
      return leaving
    case "assert":
      return [...leaving, ...rewriting, removing]
    case "expected":
    case "snapshot":
      return rewriting
    case "mock":
      return [mocking, ...rewriting.slice(0, 1)]
    case "mark":
      return laxer
    case "silence":
      return [...laxer, ...leaving]
    case "special":
      return []
  }
}

const base = (path: string): string => path.split(/[/\\]/).pop() ?? path

/** Whether the user wants this change, or what brings it about. */
export const isAllowed = (change: CheckChange, texts: ReadonlyArray<string>): boolean => {
  const rows = rowsFor(change)
  return texts.some((text) => {
    const said = spoken(text)
    if (said.some((sentence) => takes(rows, sentence.slice(0, 600)))) return true
    if (change.kind === "silence" && change.path !== "" && text.includes(base(change.path))) return true
    return (
      (change.kind === "expected" || change.kind === "silence" || change.kind === "assert") &&
      isOrdered(said.join(" ").slice(0, 4000), change)
    )
  })
}
