/** The schema of a check's result, apart from its functions so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"
import { FailingTest } from "../../session/evidence/model.ts"

/**
 * How one check went. `unavailable` says nothing of the work: it could not be run, or something but the work ended it.
 * `output` is the end of what it printed, without secrets; `cached`: the same check ran before on the same files. `edited`
 * is a file of what it runs that the task has edited: what passes then is worth less.
 *
 * @since 0.1.0
 * @category models
 */
export const CheckResult = Schema.Struct({
  gate: Schema.String,
  command: Schema.String,
  result: Schema.Literal("passed", "failed", "timed_out", "unavailable"),
  exitCode: Schema.NullOr(Schema.Number),
  failing: Schema.Array(FailingTest),
  detail: Schema.String,
  output: Schema.String,
  at: Schema.NullOr(Schema.String),
  durationMs: Schema.Number,
  cached: Schema.Boolean,
  /** What it runs was edited in the task that it is to prove: this file says it. */
  edited: Schema.optionalWith(Schema.String, { exact: true })
})

export type CheckResult = typeof CheckResult.Type
