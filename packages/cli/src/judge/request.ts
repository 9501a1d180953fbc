/** What `reflexion judge` was asked, made of what was typed. */
import * as Either from "effect/Either"
import type { UsageError } from "../process/CliError.ts"
import * as SessionRequest from "../session/SessionRequest.ts"
import type { Given } from "./model.ts"

/**
 * A number counts turns from 0.
 *
 * @category models
 */
export type Turn = "last" | "all" | number

/**
 * `now` is null for the time of the session's last event.
 *
 * @category models
 */
export interface JudgeRequest extends SessionRequest.SessionRequest {
  readonly turn: Turn
  readonly now: string | null
  /** `off`, `auto` or the name of a model. */
  readonly model: string
  /** Whether checks are run. */
  readonly checks: boolean
  readonly crossReview: boolean
  /** The file that says when the task is done; null where none was given. */
  readonly doneWhen: string | null
}

const parser = SessionRequest.parser("judge")

const turn = (value: string): Either.Either<Turn, UsageError> => {
  if (value === "last" || value === "all") return Either.right(value)
  if (/^\d{1,9}$/u.test(value)) return Either.right(Number(value))
  return parser.refuse(`--turn: ${SessionRequest.quote(value)} is not last, all or the number of a turn`)
}

/**
 * Reads what was typed; what is wrong with it names the option and the value.
 *
 * @category constructors
 */
export const make = (given: Given): Either.Either<JudgeRequest, UsageError> =>
  Either.gen(function* () {
    if (given["done-when"] === "") yield* parser.refuse("--done-when needs a file")
    return {
      ...(yield* parser.request(given)),
      attended: yield* SessionRequest.optional(given.attended, null, parser.attended),
      turn: yield* SessionRequest.optional<Turn, Turn>(given.turn, "last", turn),
      now: yield* SessionRequest.optional(given.now, null, parser.now),
      model: yield* SessionRequest.optional(given.model, "off", parser.model),
      checks: given.checks !== null,
      crossReview: given["cross-review"] !== null,
      doneWhen: given["done-when"]
    }
  })
