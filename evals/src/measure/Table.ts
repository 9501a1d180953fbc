/** Plain text tables and shares. */
import * as ExactBound from "./ExactBound.ts"

/** Columns padded to the same width; the first is aligned left, the others right. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(padded).join("  ").trimEnd()).join("\n")
}

/** 90 % of such intervals contain the true share. */
const confidence = 0.95

const percent = (value: number): string => (100 * value).toFixed(0)

/** Formats a share with its exact 90 % interval, for example "47 % (35–60)". */
export const share = (hits: number, trials: number): string => {
  const [low, high] = [ExactBound.lower(hits, trials, confidence), ExactBound.upper(hits, trials, confidence)]
  return trials === 0 ? "–" : `${percent(hits / trials)} % (${percent(low)}–${percent(high)})`
}
