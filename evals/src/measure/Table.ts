/** Plain text tables and shares. */
import * as ExactBound from "./ExactBound.ts"

export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(padded).join("  ").trimEnd()).join("\n")
}

/** Each bound has 95 % confidence, so 90 % of the intervals contain the true share. */
const confidence = 0.95

const percent = (value: number): string => (100 * value).toFixed(0)

/** For example "47 % (35–60)", with the exact 90 % interval. */
export const share = (hits: number, trials: number): string => {
  const [low, high] = [ExactBound.lower(hits, trials, confidence), ExactBound.upper(hits, trials, confidence)]
  return trials === 0 ? "–" : `${percent(hits / trials)} % (${percent(low)}–${percent(high)})`
}
