/**
 * What became of reflections, as lines in the same log: that they were put into a prompt, that the agent went by them, and
 * how the attempt ended. Each is a fact of its own, and none is drawn from another.
 */
import * as Schema from "effect/Schema"

const common = {
  at: Schema.String,
  reflectionIds: Schema.Array(Schema.String),
  taskId: Schema.NullOr(Schema.String),
  subtaskId: Schema.NullOr(Schema.String),
  attemptNumber: Schema.NullOr(Schema.Int.pipe(Schema.positive()))
}

/**
 * Reflections were `injected` into an attempt's prompt, or the agent `used` them: said so, or did what they say. `at` is
 * ISO 8601; what is not known of the attempt is null.
 *
 * @category models
 */
export const Use = Schema.Struct({
  event: Schema.Literal("use"),
  kind: Schema.Literal("injected", "used"),
  ...common
})

export type Use = typeof Use.Type

/**
 * An attempt that had these reflections ended. One that had none is worth recording as well: it is what the others are
 * compared with.
 *
 * @category models
 */
export const Outcome = Schema.Struct({
  event: Schema.Literal("outcome"),
  success: Schema.Boolean,
  ...common
})

export type Outcome = typeof Outcome.Type

export const MemoryEvent = Schema.Union(Use, Outcome)

export type MemoryEvent = typeof MemoryEvent.Type
