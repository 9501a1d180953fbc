/** A trial as text, the way it travels through promptfoo. */
import { Status } from "@reflexion/core/Verdict"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Trial } from "./Trial.ts"

const Answer = Schema.Struct({ status: Status, push: Schema.Boolean })

const Json = Schema.parseJson(
  Schema.Struct({
    suite: Schema.String,
    id: Schema.String,
    session: Schema.String,
    repeat: Schema.Number,
    label: Schema.Struct({ statuses: Schema.Array(Status), push: Schema.NullOr(Schema.Boolean) }),
    before: Answer,
    after: Answer,
    said: Schema.NullOr(Status),
    saidRight: Schema.NullOr(Schema.Boolean),
    right: Schema.NullOr(Schema.Boolean),
    problem: Schema.NullOr(Schema.String),
    model: Schema.NullOr(Schema.String),
    calls: Schema.Number,
    inputTokens: Schema.Number,
    outputTokens: Schema.Number,
    ms: Schema.Number
  })
)

export const encode = (trial: Trial): string => JSON.stringify(trial)

const decodeJson = Schema.decodeUnknownEither(Json)

/** The trial in an output, or that there is none. */
export const decode = (output: unknown): Either.Either<Trial, string> =>
  Either.mapLeft(decodeJson(output), ({ message }) => `no trial: ${message}`)
