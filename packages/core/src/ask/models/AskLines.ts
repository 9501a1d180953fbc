/**
 * What was asked of models, as lines of JSON: the questions at stops, the user's word to ask again, and the tokens of every
 * question, whatever it was for. Pure.
 */
import * as Json from "../../base/json/Json.ts"

/**
 * How a question ended. `unreadable`: there was an answer, and no use in it; `overtaken`: nobody waited for it any more.
 *
 * @category models
 */
export type AskEnd = "answered" | "late" | "failed" | "unreadable" | "overtaken"

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
 * The user's word to ask again whoever did not answer, in a session or, where that is null, in all of a host's.
 *
 * @category models
 */
export interface AgainLine {
  readonly at: string
  readonly host: string
  readonly session: string | null
}

const ends: ReadonlyArray<AskEnd> = ["answered", "late", "failed", "unreadable", "overtaken"]

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0

const parsed = (line: string): Json.Json => {
  try {
    return Json.object(JSON.parse(line))
  } catch {
    return {}
  }
}

const lineOf = ({ at, attended, end, host, inputTokens, model, ms, outputTokens, session }: Json.Json) => {
  const how = ends.find((one) => one === end)
  const isLine =
    typeof at === "string" &&
    !Number.isNaN(Date.parse(at)) &&
    typeof host === "string" &&
    typeof session === "string" &&
    (model === null || typeof model === "string") &&
    isCount(ms) &&
    how !== undefined &&
    isCount(inputTokens) &&
    isCount(outputTokens) &&
    typeof attended === "boolean"
  return isLine ? { at, host, session, model, ms, end: how, inputTokens, outputTokens, attended } : null
}

/**
 * The questions of files, which are given oldest first; what is none of ours, or was cut off, is passed over.
 *
 * @category decoding
 */
export const parse = (...texts: ReadonlyArray<string>): ReadonlyArray<AskLine> => {
  const askedAgain = new Set<unknown>()
  const newestFirst = texts.flatMap((text) => text.split("\n")).toReversed()
  return newestFirst
    .flatMap((text): ReadonlyArray<AskLine> => {
      const value = parsed(text)
      if (value["again"] === true) askedAgain.add(value["session"] ?? value["host"])
      const line = lineOf(value)
      if (line === null) return []
      const forgiven = askedAgain.has(line.session) || askedAgain.has(line.host)
      return [forgiven ? { ...line, forgiven: true } : line]
    })
    .toReversed()
}

/**
 * The tokens of a file: what every question cost, those at stops among them.
 *
 * @category decoding
 */
export const tokensIn = (text: string): number =>
  text.split("\n").reduce((total, line) => {
    const { tokens } = line.includes('"tokens"') ? parsed(line) : {}
    return isCount(tokens) ? total + tokens : total
  }, 0)

/**
 * A question as a line of a file, with its end.
 *
 * @category encoding
 */
export const print = ({ at, attended, end, host, inputTokens, model, ms, outputTokens, session }: AskLine): string =>
  `${JSON.stringify({ at, host, session, model, ms: Math.round(ms), end, inputTokens, outputTokens, attended })}\n`

/**
 * The word to ask again as a line of a file, with its end.
 *
 * @category encoding
 */
export const printAgain = ({ at, host, session }: AgainLine): string =>
  `${JSON.stringify({ at, host, session, again: true })}\n`

/**
 * What a question cost as a line of a file, with its end.
 *
 * @category encoding
 */
export const printTokens = (at: string, tokens: number): string =>
  `${JSON.stringify({ at, tokens: Math.max(0, Math.ceil(tokens)) })}\n`

/**
 * The day of UTC of a time in ms since the epoch, as 2026-11-27: a journey makes no day longer.
 *
 * @category accessors
 */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * The name of a day's file.
 *
 * @category accessors
 */
export const fileOf = (day: string): string => `asks-${day}.jsonl`

const isOurs = (name: string): boolean => /^asks-\d{4}-\d{2}-\d{2}\.jsonl$/u.test(name)

/** So many days are kept. */
const keptDays = 30

const oldest = (now: number): string => fileOf(dayOf(now - (keptDays - 1) * 86_400_000))

/**
 * Which of a folder's files have the questions of the last 30 days, oldest first.
 *
 * @category accessors
 */
export const recent = (names: ReadonlyArray<string>, now: number): ReadonlyArray<string> =>
  names.filter((name) => isOurs(name) && name >= oldest(now)).toSorted()

/**
 * Which of a folder's files are older than 30 days.
 *
 * @category accessors
 */
export const outdated = (names: ReadonlyArray<string>, now: number): ReadonlyArray<string> =>
  names.filter((name) => isOurs(name) && name < oldest(now))

/**
 * The questions since midnight UTC. `now` in ms since the epoch.
 *
 * @category queries
 */
export const today = (lines: ReadonlyArray<AskLine>, now: number): ReadonlyArray<AskLine> =>
  lines.filter(({ at }) => dayOf(Date.parse(at)) === dayOf(now))

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

/**
 * What many questions come to.
 *
 * @category queries
 */
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
 *
 * @category queries
 */
export const isOff = (lines: ReadonlyArray<AskLine>, session: string): boolean => {
  const last = lines
    .filter((line) => line.session === session && line.end !== "overtaken" && line.forgiven !== true)
    .slice(-inARow)
  return last.length === inARow && last.every(({ end }) => end !== "answered")
}
