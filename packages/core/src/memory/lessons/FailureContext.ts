/** What is known of an attempt that failed: what a reflection is made from. */
import * as Schema from "effect/Schema"

/**
 * What the attempt failed at, as the one who ran it saw it.
 *
 * @category models
 */
export const FailureType = Schema.Literal(
  "test_failure",
  "typecheck_failure",
  "build_failure",
  "runtime_error",
  "timeout",
  "verification_failed"
)

export type FailureType = typeof FailureType.Type

/**
 * `attemptNumber` counts from 1; `errorOutput` is what was printed, word for word; `filesModified` are paths as the agent
 * named them; `missing` is what a verdict says is not done, where it and no output tells of the failure, and `nextActions` what
 * it says is to be done; `previousReflections` are the ids of those that the attempt was given; `createdAt` is ISO 8601.
 *
 * @category models
 */
export const FailureContext = Schema.Struct({
  id: Schema.NonEmptyString,
  sessionId: Schema.String,
  taskId: Schema.NonEmptyString,
  subtaskId: Schema.NonEmptyString,
  subtaskDescription: Schema.String,
  attemptNumber: Schema.Int.pipe(Schema.positive()),
  failureType: FailureType,
  errorOutput: Schema.String,
  filesModified: Schema.Array(Schema.String),
  missing: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  nextActions: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  previousReflections: Schema.Array(Schema.String),
  createdAt: Schema.String
})

export type FailureContext = typeof FailureContext.Type
