/** The JSON lines of the log of questions to models: questions, commands to ask again, and tokens. Pure. */
import * as Json from "../../base/json/Json.ts"

/** `unreadable`: the answer was not usable. `overtaken`: the answer was no longer needed. */
export type AskEnd = (typeof ends)[number]

const ends = ["answered", "late", "failed", "unreadable", "overtaken"] as const

/**
 * One question at the end of a turn. The line contains no text of the user or the model.
 *
 * @category models
 */
export interface AskLine {
  /** In ISO 8601. */
  readonly at: string
  readonly host: string
  readonly session: string
  /** Null if no model could be reached. */
  readonly model: string | null
  readonly ms: number
  readonly end: AskEnd
  readonly inputTokens: number
  readonly outputTokens: number
  readonly attended: boolean
  /** True if the user later gave the command to ask again. */
  readonly forgiven?: true
}

/**
 * The user's command to ask again after unanswered questions.
 *
 * @category models
 */
export interface AgainLine {
  readonly at: string
  readonly host: string
  /** Null for all sessions of the host. */
  readonly session: string | null
}

const parsed = (line: string): Json.Json => {
  try {
    return Json.object(JSON.parse(line))
  } catch {
    return {}
  }
}

const count = (value: unknown): number => Math.max(0, Json.number(value) ?? 0)

const lineOf = (given: Json.Json): AskLine | null => {
  const at = Json.time(given["at"])
  const end = ends.find((one) => one === given["end"])
  if (at === null || end === undefined) return null
  return {
    at,
    host: Json.text(given["host"]),
    session: Json.text(given["session"]),
    model: Json.string(given["model"]),
    ms: count(given["ms"]),
    end,
    inputTokens: count(given["inputTokens"]),
    outputTokens: count(given["outputTokens"]),
    attended: given["attended"] === true
  }
}

/** `texts` are the files, oldest first. Invalid lines are skipped. */
export const parse = (...texts: ReadonlyArray<string>): ReadonlyArray<AskLine> => {
  const askedAgain = new Set<unknown>()
  const newestFirst = texts.flatMap((text) => text.split("\n")).toReversed()
  return newestFirst
    .flatMap((text): ReadonlyArray<AskLine> => {
      const value = parsed(text)
      if (value["again"] === true) askedAgain.add(value["session"] ?? value["host"])
      const line = lineOf(value)
      if (line === null) return []
      return [askedAgain.has(line.session) || askedAgain.has(line.host) ? { ...line, forgiven: true } : line]
    })
    .toReversed()
}

export const tokensIn = (text: string): number =>
  text.split("\n").reduce((total, line) => total + (line.includes('"tokens"') ? count(parsed(line)["tokens"]) : 0), 0)

export const print = ({ at, attended, end, host, inputTokens, model, ms, outputTokens, session }: AskLine): string =>
  JSON.stringify({ at, host, session, model, ms: Math.round(ms), end, inputTokens, outputTokens, attended })

export const printAgain = ({ at, host, session }: AgainLine): string =>
  JSON.stringify({ at, host, session, again: true })

export const printTokens = (at: string, tokens: number): string =>
  JSON.stringify({ at, tokens: Math.max(0, Math.ceil(tokens)) })

/** Uses the UTC day, because the local time zone may change. A number is in milliseconds. */
export const fileOf = (time: number | string): string => `asks-${new Date(time).toISOString().slice(0, 10)}.jsonl`

const keptDays = 30

const isOurs = (name: string): boolean => /^asks-\d{4}-\d{2}-\d{2}\.jsonl$/u.test(name)

/** Both lists are sorted oldest first. */
export const filesIn = (names: ReadonlyArray<string>, now: number) => {
  const oldest = fileOf(now - (keptDays - 1) * 86_400_000)
  const ours = names.filter(isOurs).toSorted()
  return { recent: ours.filter((name) => name >= oldest), outdated: ours.filter((name) => name < oldest) }
}

export const today = (lines: ReadonlyArray<AskLine>, now: number): ReadonlyArray<AskLine> =>
  lines.filter(({ at }) => fileOf(at) === fileOf(now))

/**
 * The totals of a list of questions.
 *
 * @category models
 */
export interface AskSummary {
  readonly calls: number
  readonly answered: number
  /** The median waiting time in milliseconds. Null if nothing was asked. */
  readonly medianMs: number | null
  readonly inputTokens: number
  readonly outputTokens: number
}

const median = (values: ReadonlyArray<number>): number | null => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[middle - 1], sorted[middle]]
  if (high === undefined) return null
  return sorted.length % 2 === 0 && low !== undefined ? (low + high) / 2 : high
}

const total = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

export const summary = (lines: ReadonlyArray<AskLine>): AskSummary => ({
  calls: lines.length,
  answered: lines.filter(({ end }) => end === "answered").length,
  medianMs: median(lines.map(({ ms }) => ms)),
  inputTokens: total(lines.map(({ inputTokens }) => inputTokens)),
  outputTokens: total(lines.map(({ outputTokens }) => outputTokens))
})

const inARow = 3

/** True if the session's last three questions had no answer. The command to ask again resets this. */
export const isOff = (lines: ReadonlyArray<AskLine>, session: string): boolean => {
  const last = lines
    .filter((line) => line.session === session && line.end !== "overtaken" && line.forgiven !== true)
    .slice(-inARow)
  return last.length === inARow && last.every(({ end }) => end !== "answered")
}
