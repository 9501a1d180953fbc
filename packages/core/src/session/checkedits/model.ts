/** Types for what the edits of a task did to its checks. */
import * as Schema from "effect/Schema"

/**
 * What an edit removed from a check or added to it. An edit of a test counts only if a check was failing at that time.
 *
 * @category models
 */
export const CheckEdit = Schema.Struct({
  path: Schema.String,
  /** The call's position among the finished calls. */
  order: Schema.Number,
  /**
   * What changed:
   * - `test`: a test was removed.
   * - `literal`: a value in a test changed.
   * - `silenced`: a check was told to ignore something.
   * - `threshold`: a check demands another number.
   * - `other`: a test changed in another or unknown way.
   */
  kind: Schema.Literal("test", "skip", "assertion", "literal", "snapshot", "silenced", "threshold", "script", "other"),
  /** Set if no check was failing at the time of the edit. */
  calm: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** The removed lines, without secrets. */
  was: Schema.String,
  now: Schema.String,
  callId: Schema.NullOr(Schema.String)
})

export type CheckEdit = typeof CheckEdit.Type

/**
 * The state of the check edits: at most 24 entries and 64 files.
 *
 * @category models
 */
export const CheckEdits = Schema.Struct({
  entries: Schema.Array(CheckEdit),
  /** The test files that were edited in this session, with the `order` of each file's first edit. */
  files: Schema.Array(Schema.Struct({ path: Schema.String, order: Schema.Number })),
  /** The `order` of the first and last edit of other files that matter to a check. 0 if no such file was edited. */
  sources: Schema.Struct({ first: Schema.Number, last: Schema.Number })
})

export type CheckEdits = typeof CheckEdits.Type
