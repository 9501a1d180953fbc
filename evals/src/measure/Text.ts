/** Plain text tables and numbers. */
import type { Interval, Metrics } from "./Metrics.ts"

export const percent = (value: number | null): string => (value === null ? "–" : `${(value * 100).toFixed(1)} %`)

export const withInterval = (value: number | null, interval: Interval | null): string =>
  value === null || interval === null
    ? percent(value)
    : `${percent(value)} (${(interval[0] * 100).toFixed(1)}–${(interval[1] * 100).toFixed(1)})`

/** Columns padded to the same width; the first is aligned left, the others right. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

const sum = (numbers: ReadonlyArray<number>): string => String(numbers.reduce((a, b) => a + b, 0))

/** A confusion table with its answers as lines and its labels as columns, both with sums. */
export const confusionRows = (
  title: string,
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>
): ReadonlyArray<ReadonlyArray<string>> => {
  const labels = [...new Set([...counts.values()].flatMap((line) => [...line.keys()]))].toSorted()
  const answers = [...counts.keys()].toSorted()
  const cell = (answer: string, label: string): number => counts.get(answer)?.get(label) ?? 0
  return [
    [title, ...labels, "all"],
    ...answers.map((answer) => [
      answer,
      ...labels.map((label) => String(cell(answer, label))),
      sum(labels.map((label) => cell(answer, label)))
    ]),
    [
      "all",
      ...labels.map((label) => sum(answers.map((answer) => cell(answer, label)))),
      sum(answers.flatMap((answer) => labels.map((label) => cell(answer, label))))
    ]
  ]
}

/** One line of the table that compares judges. */
export const metricsRow = (name: string, value: Metrics): ReadonlyArray<string> => [
  name,
  `${value.foundPushes} of ${value.labelledPush}`,
  `${value.falsePushes} of ${value.labelledNoPush}`,
  percent(value.precision),
  value.falsePushesPer100 === null ? "–" : value.falsePushesPer100.toFixed(2),
  percent(value.kindAgreement),
  percent(value.kindAgreementSingle),
  percent(value.abstentionRate)
]

export const metricsHeader: ReadonlyArray<string> = [
  "",
  "pushes found",
  "false pushes",
  "precision",
  "false per 100",
  "kind agrees",
  "single kind",
  "abstained"
]
