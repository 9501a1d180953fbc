/** The schema of an outcome, apart from its functions: a hook that only writes one loads none. */
import * as Schema from "effect/Schema"
import { isTime, statuses } from "./outcomeText.ts"

export const Status = Schema.Literal(...statuses)

export const Loaded = Schema.Struct({ kind: Schema.Literal("skill", "file"), name: Schema.NonEmptyString })

const Time = Schema.String.pipe(
  Schema.filter(isTime, {
    message: () => "a time with its zone is expected, such as 2026-03-01T10:00:00.000Z"
  })
)

const Count = Schema.Finite.pipe(Schema.nonNegative())

export const AttemptOutcome = Schema.Struct({
  id: Schema.NonEmptyString,
  taskId: Schema.optionalWith(Schema.NullOr(Schema.NonEmptyString), { default: () => null }),
  sessionId: Schema.String,
  objective: Schema.String,
  status: Status,
  durationMs: Count,
  tools: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  loaded: Schema.optionalWith(Schema.Array(Loaded), { default: () => [] }),
  resultLength: Schema.NullOr(Count),
  backend: Schema.String,
  at: Time
})
