/** What is measured of stuckness and compaction, for a person: on the terminal. */
import type { CaseSummary, Written } from "../case/CaseSuite.ts"
import type { NudgeRow, NudgeSummary } from "./NudgeSuite.ts"
import { table } from "../measure/Text.ts"

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
