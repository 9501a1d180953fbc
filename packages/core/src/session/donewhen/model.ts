/** When the user calls a task done, in their own words, and how that stands. */
import * as Schema from "effect/Schema"

export const maxItems = 20
export const maxText = 300
export const maxCommand = 500

/**
 * One condition in the user's words. `command` is what proves it by exit status 0; null where only a reader can tell.
 * `untrusted`: it comes from a workspace that the user does not trust, so that no text tells the agent to do it.
 *
 * @category models
 */
export const AcceptanceItem = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  command: Schema.NullOr(Schema.String),
  untrusted: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type AcceptanceItem = typeof AcceptanceItem.Type

/**
 * How a condition stands. With a command: `passed`, `failed`, `not_run`, or `unknown` where it ran and its end is not known. Without
 * one: `met` or `open`, as a model or a rule says, else `unknown`. `evidence` has what shows it, a sentence each.
 *
 * @category models
 */
export const AcceptanceResult = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  result: Schema.Literal("passed", "failed", "not_run", "unknown", "met", "open"),
  evidence: Schema.Array(Schema.String)
})

export type AcceptanceResult = typeof AcceptanceResult.Type
