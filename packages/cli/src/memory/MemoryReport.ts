/** Formats the output of `reflexion memory`. Pure: the terminal is a parameter. */
import type { Reflection } from "@reflexion/core/Reflection"
import type { Stats } from "@reflexion/core/ReflexionStore"
import { clip, counted, oneLine, pad, wrap } from "../terminal/Layout.ts"
import { paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

/** Who wrote a lesson to a database. The server checked the role. */
export interface Writer {
  readonly author: string
  readonly machine: string | null
}

export interface ShownLesson {
  readonly reflection: Reflection
  /** "open": the failure may still exist. "settled": its task was completed later. "resolved": the user said so. */
  readonly status: "open" | "settled" | "resolved"
  /** True if the lesson was not learned here and is not trusted. */
  readonly foreign: boolean
  readonly writer: Writer | null
  /** How many times the lesson was in a prompt. */
  readonly given: number
  readonly succeeded: number
  readonly failed: number
}

export const empty = (path: string, unreadable: number): string =>
  unreadable > 0
    ? `${counted(unreadable, "line")} in ${path} cannot be read, and there are no other lessons`
    : `no lessons in ${path} yet; lessons come from unfinished tasks, and from \`reflexion memory add\``

const rateOf = (rate: number | null): string => (rate === null ? symbols.none : `${Math.round(rate * 100)} %`)

const head = (style: TerminalStyle, stats: Stats, path: string): ReadonlyArray<string> => {
  const { all, categories, reflections, subtasks, tasks, without } = stats
  const tallies = Object.entries(categories).toSorted(([, one], [, other]) => other.of - one.of)
  const rows = [
    ["", "kept", "given", "succeeded", "failed", "success rate"],
    ...[...tallies, ["all", all] as const].map(([name, { failed, injected, of, rate, succeeded }]) => [
      name.replaceAll("_", " "),
      ...[of, injected, succeeded, failed].map(String),
      rateOf(rate)
    ])
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map(([name = "", ...cells]) =>
    [pad(name, widths[0] ?? 0), ...cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0))].join("  ")
  )
  // Hosts have one task (the project) with many subtasks. Another program may have many tasks and one subtask.
  const count = `${counted(reflections, "lesson")} of ${counted(Math.max(tasks, subtasks), "task")}`
  const compared = `Attempts without lessons: ${without.succeeded} succeeded, ${without.failed} failed, ${rateOf(without.rate)}.`
  return [
    `${paint(style, ["bold"], count)} in ${path}`,
    "",
    ...lines.map((line, index) => (index === 0 ? paint(style, ["dim"], line) : line)),
    ...(without.rate === null ? [] : [compared]),
    ...(all.rate === null
      ? ["`reflexion cycle add --lessons ID,ID` records the result of an attempt that had lessons."]
      : [])
  ]
}

const maxListed = 50

export const lessons = (
  style: TerminalStyle,
  all: ReadonlyArray<ShownLesson>,
  { path, stats }: { readonly path: string; readonly stats: Stats }
): string => {
  const shown = all.slice(0, maxListed)
  const idWidth = Math.max(...shown.map(({ reflection }) => oneLine(reflection.id).length))
  const rows = shown.map(({ foreign, reflection, status }) => {
    const whose = foreign ? "not learned here: " : ""
    const lead = `${pad(oneLine(reflection.id), idWidth)}  ${pad(status, 8)}  ${reflection.createdAt.slice(0, 10)}  ${whose}`
    return `${lead}${clip(oneLine(reflection.analysis), Math.max(20, style.width - lead.length), "…")}`
  })
  const more = all.length - shown.length
  return [
    ...head(style, stats, path),
    "",
    ...rows,
    ...(more > 0 ? [paint(style, ["dim"], `${counted(more, "older one")} left out: --format json has all`)] : []),
    "",
    "`reflexion memory show ID` shows a lesson; edit, resolve and rm change it."
  ].join("\n")
}

export const lesson = (style: TerminalStyle, shown: ShownLesson): string => {
  const { actionItems, analysis, attemptNumber, category, createdAt, id, source, suggestion } = shown.reflection
  const said = (title: string, text: string): ReadonlyArray<string> => [
    paint(style, ["dim"], title),
    ...wrap(oneLine(text), style.width - 2).map((line) => `  ${line}`)
  ]
  return [
    `${paint(style, ["bold"], oneLine(id))}  ${shown.status}`,
    `${category.replaceAll("_", " ")}, by ${source ?? "an unknown source"}, from attempt ${attemptNumber}, ${oneLine(createdAt)}`,
    ...(shown.foreign
      ? [
          "not learned here: the lesson goes into no prompt until you trust the memory as it is (`reflexion allow workspace`)"
        ]
      : []),
    ...(shown.writer === null
      ? []
      : [
          `in the database by the role ${oneLine(shown.writer.author)}${shown.writer.machine === null ? "" : `, from the machine ${oneLine(shown.writer.machine)}`}`
        ]),
    `given ${counted(shown.given, "time")}; of these attempts, ${shown.succeeded} succeeded and ${shown.failed} failed`,
    ...said("What went wrong", analysis),
    ...said("What to do instead", suggestion),
    ...(actionItems.length === 0 ? [] : said("Steps", actionItems.join(" ")))
  ].join("\n")
}

export const unreadable = (style: TerminalStyle, path: string, count: number): string => {
  const { failed, passed } = symbols
  return count === 0
    ? `${paint(style, ["green"], passed)} ${path}: every line can be read`
    : `${paint(style, ["red"], failed)} ${path}: ${counted(count, "line")} cannot be read and ${count === 1 ? "is" : "are"} ignored`
}
