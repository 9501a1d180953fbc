/** Types for the user's conditions for "done" and their results. */
import * as Schema from "effect/Schema"

export const maxItems = 20
export const maxText = 300
export const maxCommand = 500

/**
 * One condition in the user's words.
 *
 * @category models
 */
export const AcceptanceItem = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  /** The command that proves the condition with exit status 0. Null if only a reader can judge the condition. */
  command: Schema.NullOr(Schema.String),
  /** Set if an untrusted workspace demands the condition. Then no text may tell the agent to meet the condition. */
  untrusted: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type AcceptanceItem = typeof AcceptanceItem.Type

/**
 * The result of a condition.
 *
 * @category models
 */
export const AcceptanceResult = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  /** `unknown`: the command's result is not known, or nothing decided between `met` and `open`. */
  result: Schema.Literal("passed", "failed", "not_run", "unknown", "met", "open"),
  evidence: Schema.Array(Schema.String)
})

export type AcceptanceResult = typeof AcceptanceResult.Type
