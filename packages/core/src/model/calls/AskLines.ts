/**
 * What was asked of models, as lines of JSON: the questions at stops, the user's word to ask again, and the tokens of every
 * question, whatever it was for. Pure.
 */
import * as Json from "../../base/json/Json.ts"

/** How a question ended. `unreadable`: there was an answer, and no use in it; `overtaken`: nobody waited for it any more. */
export type AskEnd = (typeof ends)[number]

const ends = ["answered", "late", "failed", "unreadable", "overtaken"] as const

/**
 * One question at a stop. `at` is when it was asked, as ISO 8601; `model` is null where none could be reached; `attended` says
 * whether somebody was there; `forgiven`, that the user said afterwards to ask again. No text of anybody's is in it.
 *
 * @category models
 */
export interface AskLine {
  readonly at: string
  readonly host: string
  readonly session: string
  readonly model: string | null
  readonly ms: number
  readonly end: AskEnd
  readonly inputTokens: number
  readonly outputTokens: number
  readonly attended: boolean
  readonly forgiven?: true
}

/**
 * The user's word to ask again after questions without an answer, in a session or, where that is null, in all of a host's.
 *
 * @category models
 */
export interface AgainLine {
  readonly at: string
  readonly host: string
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

/** The questions of files, which are given oldest first; what is not a whole line of ours is passed over. */
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

/** The tokens of a file: what every question cost, those at stops among them. */
export const tokensIn = (text: string): number =>
  text.split("\n").reduce((total, line) => total + (line.includes('"tokens"') ? count(parsed(line)["tokens"]) : 0), 0)

/** A question as a line of a file. */
export const print = ({ at, attended, end, host, inputTokens, model, ms, outputTokens, session }: AskLine): string =>
  JSON.stringify({ at, host, session, model, ms: Math.round(ms), end, inputTokens, outputTokens, attended })

/** The word to ask again as a line of a file. */
export const printAgain = ({ at, host, session }: AgainLine): string =>
  JSON.stringify({ at, host, session, again: true })

/** What a question cost as a line of a file. */
export const printTokens = (at: string, tokens: number): string =>
  JSON.stringify({ at, tokens: Math.max(0, Math.ceil(tokens)) })

/** The name of the file for a day of UTC, by a time in ms since the epoch or in ISO 8601: a journey makes no day longer. */
export const fileOf = (time: number | string): string => `asks-${new Date(time).toISOString().slice(0, 10)}.jsonl`

/** So many days are kept. */
const keptDays = 30

const isOurs = (name: string): boolean => /^asks-\d{4}-\d{2}-\d{2}\.jsonl$/u.test(name)

/** A folder's files with questions, oldest first: those of the last 30 days, and those before. */
export const filesIn = (names: ReadonlyArray<string>, now: number) => {
  const oldest = fileOf(now - (keptDays - 1) * 86_400_000)
  const ours = names.filter(isOurs).toSorted()
  return { recent: ours.filter((name) => name >= oldest), outdated: ours.filter((name) => name < oldest) }
}

/** The questions since midnight UTC. `now` in ms since the epoch. */
export const today = (lines: ReadonlyArray<AskLine>, now: number): ReadonlyArray<AskLine> =>
  lines.filter(({ at }) => fileOf(at) === fileOf(now))

/**
 * `medianMs` is the wait for an answer or for nothing, null where nobody was asked.
 *
 * @category models
 */
export interface AskSummary {
  readonly calls: number
  readonly answered: number
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

/** What many questions come to. */
export const summary = (lines: ReadonlyArray<AskLine>): AskSummary => ({
  calls: lines.length,
  answered: lines.filter(({ end }) => end === "answered").length,
  medianMs: median(lines.map(({ ms }) => ms)),
  inputTokens: total(lines.map(({ inputTokens }) => inputTokens)),
  outputTokens: total(lines.map(({ outputTokens }) => outputTokens))
})

/** So many questions in a row without an answer turn a session's off. */
const inARow = 3

/**
 * Whether no model is asked in a session any more, for the last three questions of it were not answered since the user last
 * said to ask.
 */
export const isOff = (lines: ReadonlyArray<AskLine>, session: string): boolean => {
  const last = lines
    .filter((line) => line.session === session && line.end !== "overtaken" && line.forgiven !== true)
    .slice(-inARow)
  return last.length === inARow && last.every(({ end }) => end !== "answered")
}
