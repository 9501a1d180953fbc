/**
 * What `reflexion judge` was asked, made of what was typed.
 *
 * @since 0.1.0
 */
import { Profile } from "@reflexion/core/ReflexionConfig"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { UsageError } from "./CliError.ts"
import type { Given } from "./JudgeCommand.ts"
import { clean } from "./Layout.ts"

/**
 * @since 0.1.0
 * @category models
 */
export const Format = Schema.Literal("text", "json", "jsonl")

/**
 * @since 0.1.0
 * @category models
 */
export type Format = typeof Format.Type

/**
 * A number counts turns from 0.
 *
 * @since 0.1.0
 * @category models
 */
export type Turn = "last" | "all" | number

/**
 * `host` is null where the content tells it.
 *
 * @since 0.1.0
 * @category models
 */
export interface JudgeRequest {
  readonly files: ReadonlyArray<string>
  readonly host: string | null
  readonly turn: Turn
  readonly cwd: string | null
  readonly task: string | null
  readonly profile: Profile | null
  readonly format: Format
  readonly now: string | null
}

const refuse = (problem: string) => Either.left(new UsageError({ command: "reflexion judge", problem }))

const quote = (value: string): string => `"${clean(value.slice(0, 100)).replaceAll("\n", " ")}"`

const turn = (value: string): Either.Either<Turn, UsageError> => {
  if (value === "last" || value === "all") return Either.right(value)
  if (/^\d{1,9}$/u.test(value)) return Either.right(Number(value))
  return refuse(`--turn: ${quote(value)} is not last, all or the number of a turn`)
}

const iso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?))?$/u

const days = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

const isCalendarDay = (value: string): boolean => {
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split("-").map(Number)
  return month >= 1 && month <= 12 && day >= 1 && day <= days(year, month)
}

/** A zone as `Date.parse` knows it: `+02` and `+0200` as `+02:00`. */
const zone = (value: string): string =>
  value
    .replace(",", ".")
    .replace(/(T.{1,18}[+-]\d{2}):?(\d{2})?$/u, (_, head: string, rest?: string) => `${head}:${rest ?? "00"}`)

const now = (value: string): Either.Either<string, UsageError> => {
  const time = iso.test(value) && isCalendarDay(value) ? Date.parse(zone(value)) : Number.NaN
  return Number.isNaN(time)
    ? refuse(`--now: ${quote(value)} is not an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z`)
    : Either.right(new Date(time).toISOString())
}

const oneOf =
  <A extends string>(name: string, schema: Schema.Schema<A>) =>
  (value: string): Either.Either<A, UsageError> =>
    Schema.is(schema)(value) ? Either.right(value) : refuse(`--${name}: ${quote(value)} is not known`)

const optional = <A, B>(value: string | null, otherwise: B, read: (value: string) => Either.Either<A, UsageError>) =>
  value === null ? Either.right<A | B>(otherwise) : Either.map(read(value), (read): A | B => read)

/**
 * Reads what was typed; what is wrong with it names the option and the value.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (given: Given): Either.Either<JudgeRequest, UsageError> =>
  Either.gen(function* () {
    if (given.files.filter((file) => file === "-").length > 1) yield* refuse("-: standard input can be read only once")
    if (given.files.includes("")) yield* refuse('"" is not a file')
    if (given.task?.trim() === "") yield* refuse("--task needs a text")
    if (given.cwd === "") yield* refuse("--cwd needs a directory")
    return {
      files: given.files,
      host: given.host === "auto" ? null : given.host,
      turn: yield* optional<Turn, Turn>(given.turn, "last", turn),
      cwd: given.cwd,
      task: given.task,
      profile: yield* optional(given.profile, null, oneOf("profile", Profile)),
      format: yield* optional<Format, Format>(given.format, "text", oneOf("format", Format)),
      now: yield* optional(given.now, null, now)
    }
  })
