/** What every command that reads sessions was asked, made of what was typed. */
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import type { Condition } from "@reflexion/core/internal/session/donewhen/DoneWhen"
import { type Attended, Profile } from "@reflexion/core/ReflexionConfig"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { UsageError } from "../process/CliError.ts"
import { clean } from "../terminal/Layout.ts"

export const Format = Schema.Literal("text", "json", "jsonl")

export type Format = typeof Format.Type

const AttendedWord = Schema.Literal("auto", "true", "false")

/**
 * The arguments as they were given; null where an option was not.
 *
 * @category models
 */
export interface Given {
  readonly files: ReadonlyArray<string>
  readonly host: string | null
  readonly cwd: string | null
  readonly task: string | null
  readonly profile: string | null
  readonly format: string | null
}

/**
 * `host` is null where the content tells it.
 *
 * @category models
 */
export interface SessionRequest {
  readonly files: ReadonlyArray<string>
  readonly host: string | null
  readonly cwd: string | null
  readonly task: string | null
  readonly profile: Profile | null
  /** Whether somebody is there; null leaves it to the configuration. */
  readonly attended?: Attended | null
  readonly format: Format
  /** When the task is done, beside what the configuration says of it. */
  readonly conditions?: ReadonlyArray<Condition>
}

/**
 * The values of options as a command reads them; what is wrong with one names the option and the value.
 *
 * @category models
 */
export interface Parser {
  readonly refuse: (problem: string) => Either.Either<never, UsageError>
  readonly now: (value: string) => Either.Either<string, UsageError>
  /** `off`, `auto` or the name of a model. */
  readonly model: (value: string) => Either.Either<string, UsageError>
  readonly attended: (value: string) => Either.Either<Attended, UsageError>
  readonly request: (given: Given) => Either.Either<SessionRequest, UsageError>
}

/**
 * A typed value as messages quote it.
 *
 * @category text
 */
export const quote = (value: string): string => `"${clean(value.slice(0, 100)).replaceAll("\n", " ")}"`

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

const timeOf = (value: string): string | null => {
  const time = iso.test(value) && isCalendarDay(value) ? Date.parse(zone(value)) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/**
 * Reads a value where one was given.
 *
 * @category parsing
 */
export const optional = <A, B>(
  value: string | null,
  otherwise: B,
  read: (value: string) => Either.Either<A, UsageError>
): Either.Either<A | B, UsageError> =>
  value === null ? Either.right<A | B>(otherwise) : Either.map(read(value), (read): A | B => read)

/**
 * The parser of the command of that name.
 *
 * @category constructors
 */
export const parser = (name: string): Parser => {
  const refuse = (problem: string) => Either.left(new UsageError({ command: `reflexion ${name}`, problem }))

  const oneOf =
    <A extends string>(name: string, schema: Schema.Schema<A>) =>
    (value: string): Either.Either<A, UsageError> =>
      Schema.is(schema)(value) ? Either.right(value) : refuse(`--${name}: ${quote(value)} is not known`)

  return {
    refuse,
    now: (value) => {
      const time = timeOf(value)
      return time === null
        ? refuse(`--now: ${quote(value)} is not an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z`)
        : Either.right(time)
    },
    model: (value) =>
      value === "off" || value === "auto" || (ModelRouting.parse(value) !== null && !/\s/u.test(value))
        ? Either.right(value)
        : refuse(`--model: ${quote(value)} is not off, auto or a name such as openai/gpt-5`),
    attended: (value) =>
      Either.map(oneOf("attended", AttendedWord)(value), (word) => (word === "auto" ? word : word === "true")),
    request: (given) =>
      Either.gen(function* () {
        if (given.files.filter((file) => file === "-").length > 1)
          yield* refuse("-: standard input can be read only once")
        if (given.files.includes("")) yield* refuse('"" is not a file')
        if (given.task?.trim() === "") yield* refuse("--task needs a text")
        if (given.cwd === "") yield* refuse("--cwd needs a directory")
        return {
          files: given.files,
          host: given.host === "auto" ? null : given.host,
          cwd: given.cwd,
          task: given.task,
          profile: yield* optional(given.profile, null, oneOf("profile", Profile)),
          format: yield* optional<Format, Format>(given.format, "text", oneOf("format", Format))
        }
      })
  }
}
