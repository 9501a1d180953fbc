/**
 * What the commands of the memory show to read. Pure: the terminal is a parameter.
 *
 * @since 0.1.0
 */
import { journalOf } from "@reflexion/core/AppendLog"
import type { Stats, Verification } from "@reflexion/core/ReflexionStore"
import { oneLine, pad } from "./Layout.ts"
import { paint, symbols, type TerminalStyle } from "./TerminalStyle.ts"

type Tally = Stats["all"]

/**
 * A count with its noun.
 *
 * @since 0.1.0
 * @category rendering
 */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const percent = (value: number): string => `${Math.round(value * 100)} %`

const rateText = (rate: Tally["rate"]): string =>
  rate === null ? "–" : `${percent(rate.value)} (${percent(rate.low)} to ${percent(rate.high)})`

/** Of a column: what it says of a tally, and what stands above. */
type Column = readonly [head: string, cell: (tally: Tally) => string]

/** Only a program says what an agent went by, so there is mostly nothing to show of that. */
const columnsOf = ({ used }: Tally): ReadonlyArray<Column> => [
  ["kept", ({ of }) => String(of)],
  ["given", ({ injected }) => String(injected)],
  ...(used > 0 ? [["used", (tally) => String(tally.used)] as const satisfies Column] : []),
  ["succeeded", ({ succeeded }) => String(succeeded)],
  ["failed", ({ failed }) => String(failed)],
  ["success rate", ({ rate }) => rateText(rate)]
]

const legendOf = ({ used }: Tally): ReadonlyArray<string> => [
  `kept: reflections. given: times they were put into a prompt.${used > 0 ? " used: times the agent went by them." : ""}`,
  "succeeded, failed: how attempts ended that had them, with the rate and its 95 % interval."
]

const table = (style: TerminalStyle, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const heads = rows[0] ?? []
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const last = heads.length - 1
  return rows.map((row, index) => {
    const line = row
      .map((cell, column) => {
        if (column === 0) return pad(cell, widths[0] ?? 0)
        return column === last ? cell : cell.padStart(widths[column] ?? 0)
      })
      .join("  ")
      .trimEnd()
    return index === 0 ? paint(style, ["dim"], line) : line
  })
}

/**
 * @since 0.1.0
 * @category rendering
 */
export const stats = (style: TerminalStyle, found: Stats, path: string): string => {
  const { all, categories, reflections, sources, tasks, without } = found
  const count = `${counted(reflections, "reflection")} of ${counted(tasks, "task")}`
  const head = `${paint(style, ["bold"], count)} in ${path}`
  if (reflections === 0) return `nothing is remembered in ${path}`
  const columns = columnsOf(all)
  const cells = (name: string, tally: Tally): ReadonlyArray<string> => [
    name.replaceAll("_", " "),
    ...columns.map(([, cell]) => cell(tally))
  ]
  const sorted = (tallies: Readonly<Record<string, Tally>>) =>
    Object.entries(tallies)
      .toSorted(([, one], [, other]) => other.of - one.of)
      .map(([name, tally]) => cells(name, tally))
  const shown = symbols(style).none
  const heads = ["", ...columns.map(([head]) => head)]
  const rows = [heads, ...sorted(categories), [], ...sorted(sources), cells("all", all)]
  return [
    head,
    "",
    ...table(
      style,
      rows.map((row) => row.map((cell) => (cell === "–" ? shown : cell)))
    ),
    "",
    ...legendOf(all).map((line) => paint(style, ["dim"], line)),
    "",
    without.rate === null
      ? "No attempt without reflections is recorded, which the others could be compared with."
      : `All attempts without reflections: ${without.succeeded} succeeded, ${without.failed} failed, ${rateText(without.rate)}.`,
    ...(without.rate === null
      ? []
      : [paint(style, ["dim"], "In an agent's sessions only tasks count that failed at least once.")]),
    ...(all.rate === null ? ["`reflexion outcome ID... --success` or `--failure` records how an attempt ended."] : [])
  ].join("\n")
}

/**
 * What a memory lacks that its journal has.
 *
 * @since 0.1.0
 * @category rendering
 */
export const lacks = (path: string, unsettled: number): string =>
  `${path} lacks ${counted(unsettled, "byte")} of whole lines that ${journalOf(path)} has, as after a power cut`

/**
 * `unsettled`: how many bytes only the journal has.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verified {
  readonly path: string
  readonly repair: boolean
  readonly unsettled: number
}

/**
 * @since 0.1.0
 * @category rendering
 */
export const verification = (
  style: TerminalStyle,
  { events, invalid, invalidCount, reflections, replaced }: Verification,
  { path, repair, unsettled }: Verified
): string => {
  const { failed, passed } = symbols(style)
  const isWell = unsettled === 0 && (invalidCount === 0 || repair)
  const sign = isWell ? paint(style, ["green"], passed) : paint(style, ["red"], failed)
  const old = replaced === 0 ? "" : ` (and ${counted(replaced, "older version")})`
  const outcomes = `${counted(events, "record")} of what came of them`
  const head = `${sign} ${path}: ${counted(reflections, "reflection")}${old}, ${outcomes}`
  const journal =
    unsettled === 0
      ? []
      : [`${lacks(path, unsettled)}; whoever can write there puts them back, as \`reflexion verify\` does.`]
  if (invalidCount === 0) return [`${head}; every line can be read`, ...journal].join("\n")
  const lines = invalid.map(({ line, problem }) => `  ${path}:${line}: ${oneLine(problem.slice(0, 300))}`)
  const more = invalidCount - invalid.length
  return [
    `${head}; ${counted(invalidCount, "line")} that cannot be read${repair ? `, moved to ${path}.rejected` : ""}`,
    ...lines,
    ...(more > 0 ? [`  (and ${more} more)`] : []),
    ...journal,
    ...(repair ? [] : ["They do no harm where they are; `reflexion verify --repair` moves them away."])
  ].join("\n")
}
