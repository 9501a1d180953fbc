/** What is remembered of a session's todo lists, apart from the fold so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"

export const Life = Schema.Struct({
  number: Schema.Number,
  list: Schema.Array(Schema.String),
  told: Schema.Record({ key: Schema.String, value: Schema.Number }),
  /** It ended because all of it was done, and not for another list. */
  done: Schema.optionalWith(Schema.Boolean, { exact: true })
})

/**
 * What is remembered of a session's lists. `past`: those that ended, at most eight, the newest last.
 *
 * @since 0.1.0
 * @category models
 */
export const State = Schema.Struct({
  lives: Schema.Number,
  current: Schema.NullOr(Life),
  past: Schema.Array(Life),
  wasOpen: Schema.Boolean,
  asked: Schema.Boolean
})

export type State = typeof State.Type
