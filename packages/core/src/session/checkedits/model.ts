/** What the edits of a task did to its checks: the state of the fold. */
import * as Schema from "effect/Schema"

/**
 * What an edit took from a check or added to it: of tests, while one was red. `was` and `now` are the lines that went and came, without
 * secrets; `order` is its place among the settled calls.
 *
 * @category models
 */
export const CheckEdit = Schema.Struct({
  path: Schema.String,
  order: Schema.Number,
  /**
   * A test is gone or left out, asserts something else or has another value in it; what it compares with was written again;
   * a check is told to look away or demands another number; a script of another text is run; a test was changed in another way, or nobody can see in which.
   */
  kind: Schema.Literal("test", "skip", "assertion", "literal", "snapshot", "silenced", "threshold", "script", "other"),
  /** No check was red then. */
  calm: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  was: Schema.String,
  now: Schema.String,
  callId: Schema.NullOr(Schema.String)
})

export type CheckEdit = typeof CheckEdit.Type

/**
 * The state of the fold: at most 24 entries and 64 files, whatever the session's length.
 *
 * @category models
 */
export const CheckEdits = Schema.Struct({
  entries: Schema.Array(CheckEdit),
  /** The files of tests that were edited in this session, with the order of the first edit. */
  files: Schema.Array(Schema.Struct({ path: Schema.String, order: Schema.Number })),
  /** The orders of the session's first and last edit of anything that a check looks at, 0 without one. */
  sources: Schema.Struct({ first: Schema.Number, last: Schema.Number })
})

export type CheckEdits = typeof CheckEdits.Type
