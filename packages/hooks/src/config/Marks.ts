/** The nudges that the user marked as wrong. After two marks in a project, the rule only informs the user there. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import { isRuleName, type RuleName } from "@reflexion/core/internal/judge/rules/Rules"
import { lower } from "@reflexion/core/internal/session/config/Levels"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as FS from "node:fs"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as UserDirectories from "../places/UserDirectories.ts"

type Directories = Pick<UserDirectories.UserDirectories, "state">

export interface Mark {
  /** In ISO 8601. */
  readonly at: string
  readonly host: string
  /** The number of the nudge since the user's message. Null if the log does not have the number. */
  readonly attempt: number | null
  /** A hash that identifies the stop. */
  readonly stop: string
  readonly rules: ReadonlyArray<string>
}

export interface Marks {
  readonly marks: ReadonlyArray<Mark>
  /** Lines that cannot be read as a mark. */
  readonly damaged: number
}

export const enough = 2

export const fileOf = (directories: Directories, root: string): string =>
  UserDirectories.ofProject(directories, { folder: "marks", ending: ".jsonl", root })

const isText = (value: unknown): value is string => typeof value === "string"

const markOf = (line: string): Mark | null => {
  const { at, attempt, host, rules, stop } = Json.object(JsonScan.parse(line))
  return isText(at) && isText(host) && isText(stop)
    ? { at, host, attempt: Json.number(attempt), stop, rules: Json.list(rules).filter(isText) }
    : null
}

const textOf = (mark: Mark): string => JSON.stringify({ version: 1, ...mark })

export const read = (directories: Directories, root: string): Marks => {
  const text = PlainFiles.read(fileOf(directories, root)) ?? ""
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const marks = lines.flatMap((line) => markOf(line) ?? [])
  return { marks, damaged: lines.length - marks.length }
}

export const add = (directories: Directories, root: string, mark: Mark): void =>
  PlainFiles.appendLine(fileOf(directories, root), textOf(mark))

/** Removes the rule from all marks. Returns how many marks had it. */
export const clear = (directories: Directories, root: string, rule: string): number => {
  const { marks } = read(directories, root)
  const marked = marks.filter(({ rules }) => rules.includes(rule)).length
  if (marked === 0) return 0
  const left = marks.flatMap((mark) => {
    const rules = mark.rules.filter((one) => one !== rule)
    return rules.length === 0 ? [] : [`${textOf({ ...mark, rules })}\n`]
  })
  const file = fileOf(directories, root)
  if (left.length === 0) FS.rmSync(file, { force: true })
  else PlainFiles.write(file, left.join(""))
  return marked
}

/** Counts the marked nudges of each rule. A nudge counts once, even if the user marked it several times. */
export const counts = (marks: ReadonlyArray<Mark>): ReadonlyMap<string, number> => {
  const stops = new Map<string, Set<string>>()
  for (const { rules, stop } of marks)
    for (const rule of rules) stops.set(rule, (stops.get(rule) ?? new Set()).add(stop))
  return new Map(Array.from(stops, ([rule, { size }]) => [rule, size]))
}

export const lowered = (marks: ReadonlyArray<Mark>): ReadonlyArray<RuleName> =>
  [...counts(marks)].flatMap(([rule, count]) => (count >= enough && isRuleName(rule) ? [rule] : []))

export const limit = (config: ReflexionConfig, rules: ReadonlyArray<RuleName>): ReflexionConfig => {
  if (rules.length === 0) return config
  const limits = rules.map((rule) => [rule, lower(config.ruleLimits[rule] ?? "nudge", "tell")] as const)
  return { ...config, ruleLimits: { ...config.ruleLimits, ...Object.fromEntries(limits) } }
}
