/** What is measured of stuckness and compaction, for a person: on the terminal and in the documentation. */
import type { CaseSummary, Written } from "../case/CaseSuite.ts"
import type { NudgeRow, NudgeSummary } from "./NudgeSuite.ts"
import { markdown, table } from "../measure/Text.ts"
import type { WatchResults } from "./model.ts"

type AnyWritten = Written<{ readonly id: string; readonly why: string }>

const missed = ({ case: self, differences }: AnyWritten): string =>
  `  ✗ ${self.id}: ${differences.join("; ")}\n      ${self.why}`

/** The hand-written cases of one kind. */
export const cases = (name: string, summary: CaseSummary, results: ReadonlyArray<AnyWritten>): string =>
  [
    `\nHand-written cases of ${name}: ${summary.passed} of ${summary.cases} as expected`,
    table(Object.entries(summary.suites).map(([suite, value]) => [`  ${suite}`, `${value.passed} of ${value.cases}`])),
    ...results.filter((result) => result.differences.length > 0).map(missed)
  ].join("\n")

const header = ["silence", "stops", "nudged", "undecided", "nudges found", "false nudges"]

const row = (summary: NudgeSummary): ReadonlyArray<string> => [
  `${summary.silence} s`,
  `${summary.stops}`,
  `${summary.nudges}`,
  `${summary.undecided}`,
  `${summary.found} of ${summary.labelledPush}`,
  `${summary.false} of ${summary.labelledNoPush}`
]

const labels: Readonly<Record<string, string>> = {
  true: "readers would",
  false: "readers would not",
  null: "readers differ",
  undefined: "no label"
}

const nudged = ({ assessment, push, session, silence, text, turn }: NudgeRow): string =>
  [
    `  ${session}:${turn} after ${silence} s, ${labels[String(push)] ?? "no label"}`,
    `      ${assessment.evidence.join("; ")}`,
    `      … ${text.replaceAll(/\s+/g, " ")}`
  ].join("\n")

/** The nudges at the stops of real sessions. */
export const nudges = (
  summaries: ReadonlyArray<NudgeSummary>,
  rows: ReadonlyArray<NudgeRow>,
  { listed }: { readonly listed: boolean }
): string =>
  [
    "\nNudges at the stops of real sessions, by the silence after each\n",
    table([header, ...summaries.map(row)]),
    ...(listed ? rows.filter(({ assessment }) => assessment.shouldNudge).map(nudged) : [])
  ].join("\n")

/** What came of hand-written sessions, suite by suite. */
export const written = (name: string, summary: CaseSummary): ReadonlyArray<string> => [
  `${name}: ${summary.passed} of ${summary.cases} as expected${summary.missed.length === 0 ? "." : `; not yet: ${summary.missed.map((id) => `\`${id}\``).join(", ")}.`}`,
  "",
  markdown([
    ["suite", "as expected"],
    ...Object.entries(summary.suites).map(([suite, value]) => [suite, `${value.passed} of ${value.cases}`])
  ]),
  ""
]

/** The part of the documentation that is generated from a recorded run. */
export const documentation = ({ compaction, nudges: counted, stuck }: WatchResults): ReadonlyArray<string> => [
  "### Stuck, waiting, working, done",
  "",
  ...(counted === null
    ? []
    : [
        "Nudges at the stops of real sessions, by the silence after each:",
        "",
        markdown([header, ...counted.map(row)]),
        ""
      ]),
  ...(stuck === null ? [] : written("Hand-written sessions", stuck)),
  "### After a compaction",
  "",
  ...(compaction === null ? [] : written("Hand-written sessions", compaction))
]
