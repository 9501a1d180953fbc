/** Results for a person: on the terminal. */
import type { CaseResult, CaseSummary } from "../case/CaseSuite.ts"
import type { JudgedStop } from "../sessions/Corpus.ts"
import { confusion } from "../measure/Metrics.ts"
import { kindLabel, type PushedTurn, pushLabel, type StopResult, type StopSummary } from "../stops/StopSuite.ts"
import { confusionRows, metricsHeader, metricsRow, table, withInterval } from "../measure/Text.ts"

export const cases = (summary: CaseSummary, results: ReadonlyArray<CaseResult>): string =>
  [
    `Hand-written cases: ${summary.passed} of ${summary.cases} as expected`,
    table(Object.entries(summary.suites).map(([suite, value]) => [`  ${suite}`, `${value.passed} of ${value.cases}`])),
    ...results.filter((result) => result.differences.length > 0).map(missedCase)
  ].join("\n")

const missedCase = ({ case: self, differences }: CaseResult): string =>
  `  ✗ ${self.id}: ${differences.join("; ")}\n      ${self.why}`

const inWords = (name: string, rows: ReadonlyArray<JudgedStop>): ReadonlyArray<string> => [
  `${name}: ${rows.length}`,
  ...rows.map(stopLine)
]

const stopLine = (row: JudgedStop): string =>
  [
    `  ${row.session}:${row.turn}  ${row.status}/${row.kind}${row.pattern === null ? "" : `/${row.pattern}`}, label ${kindLabel(row)}`,
    `      ${row.reason}`,
    `      readers: ${row.why.join(" · ")}`
  ].join("\n")

/** The whole account of one suite of labelled stops. */
export const stops = (
  suite: string,
  result: StopResult,
  summary: StopSummary,
  options: { readonly misses: boolean; readonly pushes: boolean }
): string => {
  const { rows } = result
  return [
    `\nLabelled stops: ${suite} (${summary.judge.stops} judged, ${summary.unmatched} unmatched)\n`,
    table([
      metricsHeader,
      metricsRow("this judge", summary.judge),
      ...Object.entries(summary.samples).map(([name, value]) => metricsRow(`  sample ${name}`, value)),
      ...Object.entries(summary.baselines).map(([name, value]) => metricsRow(name, value))
    ]),
    "",
    `precision ${withInterval(summary.judge.precision, summary.intervals.precision)}, recall ${withInterval(summary.judge.recall, summary.intervals.recall)}, kind agreement ${withInterval(summary.judge.kindAgreement, summary.intervals.kindAgreement)}; 95 % intervals over resampled sessions`,
    "",
    table(
      confusionRows(
        "stop.kind \\ label",
        confusion(rows, (row) => row.kind, kindLabel)
      )
    ),
    "",
    table(
      confusionRows(
        "shouldContinue \\ label",
        confusion(rows, (row) => (row.pushed ? "pushed" : "not pushed"), pushLabel)
      )
    ),
    "",
    table(
      confusionRows(
        "status \\ label",
        confusion(rows, (row) => row.status, kindLabel)
      )
    ),
    "",
    `Pushes at which the rules find a reason, whatever level they have earned: ${summary.atUtmost} of ${summary.judge.labelledPush}`,
    ...inWords(
      "Found pushes",
      rows.filter((row) => row.push === true && row.pushed)
    ),
    ...inWords(
      "Missed pushes",
      rows.filter((row) => row.push === true && !row.pushed)
    ),
    ...inWords(
      "False pushes",
      rows.filter((row) => row.push === false && row.pushed)
    ),
    ...inWords(
      "Pushes where the readers differ",
      rows.filter((row) => row.push === null && row.pushed)
    ),
    ...(options.misses
      ? inWords(
          "Other kinds than the readers'",
          rows.filter((row) => !row.kinds.includes(row.kind))
        )
      : []),
    pushRate(summary),
    ...(options.pushes ? result.pushed.filter((turn) => !turn.labelled).map(pushedTurn) : []),
    ...(result.unmatched.length > 0 ? [`Unmatched: ${result.unmatched.join(", ")}`] : [])
  ].join("\n")
}

const pushRate = ({ pushedTurns, turns }: StopSummary): string =>
  `Over all ${turns} turns of the sessions, labelled or not: ${pushedTurns} pushes, ${((pushedTurns / Math.max(1, turns)) * 100).toFixed(2)} per 100`

const clip = (text: string, length: number): string => {
  const line = text.replace(/\s{1,1000}/gu, " ")
  return line.length <= length ? line : `… ${line.slice(-length)}`
}

const pushedTurn = (turn: PushedTurn): string =>
  [
    `  ${turn.session}:${turn.turn}  unlabelled`,
    `      ${turn.reason}`,
    `      prompt: ${clip(turn.prompt, 200)}`,
    `      final: ${clip(turn.finalText, 300)}`,
    `      next: ${clip(turn.nextPrompt, 150)}`
  ].join("\n")
