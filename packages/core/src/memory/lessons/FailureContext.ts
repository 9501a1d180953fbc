/** The facts about a failed attempt, from which a reflection is made. */
import * as Schema from "effect/Schema"

/**
 * What failed in the attempt, according to the program that ran it.
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
 * The facts about a failed attempt.
 *
 * @category models
 */
export const FailureContext = Schema.Struct({
  id: Schema.NonEmptyString,
  sessionId: Schema.String,
  taskId: Schema.NonEmptyString,
  subtaskId: Schema.NonEmptyString,
  subtaskDescription: Schema.String,
  /** Counts from 1. */
  attemptNumber: Schema.Int.pipe(Schema.positive()),
  failureType: FailureType,
  /** The printed output, word for word. */
  errorOutput: Schema.String,
  /** Paths in the form that the agent used. */
  filesModified: Schema.Array(Schema.String),
  /** The missing work according to the verdict. Set only if there is no output that shows the failure. */
  missing: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** What has to be done next, according to the verdict. */
  nextActions: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** The ids of the reflections in the attempt's prompt. */
  previousReflections: Schema.Array(Schema.String),
  createdAt: Schema.String
})

export type FailureContext = typeof FailureContext.Type
