/** How an attempt ended, as a line of the log has it. */
import * as Schema from "effect/Schema"
import { isTime, statuses, timeWanted } from "./outcomeText.ts"

export const Status = Schema.Literal(...statuses)

export type Status = typeof Status.Type

/** A skill that the agent was given, by its name, or a file that it read, by its path. */
export const Loaded = Schema.Struct({ kind: Schema.Literal("skill", "file"), name: Schema.NonEmptyString })

export type Loaded = typeof Loaded.Type

const Count = Schema.Finite.pipe(Schema.nonNegative())

/**
 * `id` names the attempt: what is reported twice counts once. `taskId` is null where nobody gave the task an id, and one
 * of more than 200 characters is kept shortened, with a hash at its end: so findings and `TaskControl` name the task.
 * `objective` is what the agent was told to do; `durationMs` is in milliseconds, `resultLength` the characters of its
 * answer, null where nobody knows them; `tools` are the names of the tools that it called, each once; `backend` is what ran it, such as `claude-code`;
 * `at` is when it ended, in ISO 8601 with a zone.
 */
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
  at: Schema.String.pipe(Schema.filter(isTime, { message: () => timeWanted }))
})

export type AttemptOutcome = typeof AttemptOutcome.Type
