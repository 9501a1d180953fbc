/** What the tests as they were before a task say of the code as it is. */
import * as Schema from "effect/Schema"
import { FailingTest } from "../../session/evidence/model.ts"

/**
 * A file that was put back in the copy. `from`: by what it is known how it was, the commit before the task, or the record, which
 * takes back the task's edits or shows what was read; `absent`: there was none.
 */
export const Restored = Schema.Struct({
  path: Schema.String,
  from: Schema.Literal("commit", "record", "absent")
})

export type Restored = typeof Restored.Type

/**
 * How the old tests went on the present code. `failed`: they fail, again and again, where the present tests pass in the very
 * same copy; `unknown` says nothing of the work, and `detail` why. `told`: what keeps it from being held against the agent, in
 * a sentence; null where nothing does. `base` is the commit that the files were taken from.
 *
 * @category models
 */
export const OldTests = Schema.Struct({
  command: Schema.String,
  result: Schema.Literal("passed", "failed", "unknown"),
  failing: Schema.Array(FailingTest),
  files: Schema.Array(Restored),
  base: Schema.NullOr(Schema.String),
  told: Schema.NullOr(Schema.String),
  detail: Schema.String,
  output: Schema.String,
  durationMs: Schema.Number
})

export type OldTests = typeof OldTests.Type
