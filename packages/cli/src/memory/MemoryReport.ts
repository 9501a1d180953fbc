/** What the commands of the memory show to read. Pure: the terminal is a parameter. */
import type { Stats } from "@reflexion/core/ReflexionStore"
import { counted, oneLine, pad, wrap } from "../terminal/Layout.ts"
import { paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import type { Lesson } from "./model.ts"

type Tally = Stats["all"]

const percent = (value: number): string => `${Math.round(value * 100)} %`

const rateText = (rate: Tally["rate"]): string => (rate === null ? "–" : percent(rate))

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
  "succeeded, failed: how attempts ended that had them."
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
 * What is said of a memory without a reflection; `unreadable`: how many of its lines nobody can read.
 *
 * @category rendering
 */
export const empty = (path: string, unreadable: number): string =>
  unreadable > 0
    ? `${counted(unreadable, "line")} in ${path} cannot be read, and nothing else is remembered`
    : `nothing is remembered in ${path} yet; lessons come from stops that were not done, and from \`reflexion reflect\``

const maxListed = 50

const clipped = (text: string, to: number): string => (text.length <= to ? text : `${text.slice(0, to - 1)}…`)

/**
 * All that is remembered, a line each, the newest first.
 *
 * @category rendering
 */
export const lessons = (style: TerminalStyle, all: ReadonlyArray<Lesson>): string => {
  const shown = all.slice(0, maxListed)
  const idWidth = Math.max(...shown.map(({ reflection }) => oneLine(reflection.id).length))
  const rows = shown.map(({ foreign, reflection, status }) => {
    const whose = foreign ? "not learned here: " : ""
    const head = `${pad(oneLine(reflection.id), idWidth)}  ${pad(status, 8)}  ${reflection.createdAt.slice(0, 10)}  ${whose}`
    return `${head}${clipped(oneLine(reflection.analysis), Math.max(20, style.width - head.length))}`
  })
  const more = all.length - shown.length
  return [
    ...rows,
    ...(more > 0 ? [paint(style, ["dim"], `${counted(more, "older one")} left out: --format json has all`)] : []),
    "",
    "`reflexion memory show ID` shows one; edit, resolve and rm change it."
  ].join("\n")
}

/**
 * One of them with everything that it says.
 *
 * @category rendering
 */
export const lesson = (
  style: TerminalStyle,
  { failed, foreign, given, reflection, status, succeeded }: Lesson
): string => {
  const said = (head: string, text: string): ReadonlyArray<string> => {
    const [first = "", ...rest] = wrap(oneLine(text), style.width - 2)
    return [paint(style, ["dim"], head), ...[first, ...rest].map((line) => `  ${line}`)]
  }
  const { actionItems, analysis, attemptNumber, category, createdAt, id, source, suggestion } = reflection
  return [
    `${paint(style, ["bold"], oneLine(id))}  ${status}`,
    `${category.replaceAll("_", " ")}, by ${source ?? "an unknown source"}, of attempt ${attemptNumber}, ${oneLine(createdAt)}`,
    ...(foreign ? ["not learned here: it goes into no prompt until you trust it as it is (`reflexion trust`)"] : []),
    `given ${counted(given, "time")}; of the attempts that had it ${succeeded} succeeded and ${failed} failed`,
    ...said("What went wrong", analysis),
    ...said("What to do instead", suggestion),
    ...(actionItems.length === 0 ? [] : said("Steps", actionItems.join(" ")))
  ].join("\n")
}

export const stats = (style: TerminalStyle, found: Stats, path: string): string => {
  const { all, categories, reflections, sources, subtasks, tasks, without } = found
  // A host calls the project the task, and an orchestrator may call all its subtasks by one name.
  const count = `${counted(reflections, "reflection")} of ${counted(Math.max(tasks, subtasks), "task")}`
  const head = `${paint(style, ["bold"], count)} in ${path}`
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
 * How many lines of a file cannot be read.
 *
 * @category rendering
 */
export const unreadable = (style: TerminalStyle, path: string, count: number): string => {
  const { failed, passed } = symbols(style)
  return count === 0
    ? `${paint(style, ["green"], passed)} ${path}: every line can be read`
    : `${paint(style, ["red"], failed)} ${path}: ${counted(count, "line")} cannot be read, and ${count === 1 ? "does" : "do"} no harm`
}
