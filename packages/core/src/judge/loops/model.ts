/** The state that loops are found from. */
import * as Schema from "effect/Schema"

export { Loop, LoopPattern } from "../../session/facts/Loop.ts"

/**
 * `look` reads and nothing else; `run` does something that shows in its result; `change` writes; `act` may change what
 * the session does not show; `wait` lets time pass, or looks at what moves by itself.
 */
export const CallKind = Schema.Literal("look", "run", "change", "act", "wait")

export type CallKind = typeof CallKind.Type

/** A call without its texts; a null `result` is unknown. `shape` is the result whatever its numbers are. */
export const Entry = Schema.Struct({
  id: Schema.NullOr(Schema.String),
  key: Schema.Number,
  result: Schema.NullOr(Schema.Number),
  shape: Schema.Number,
  failed: Schema.Boolean,
  kind: CallKind,
  tool: Schema.String,
  summary: Schema.String
})

export type Entry = typeof Entry.Type

/** A run of the same: its print, how often it came, and what it said. */
export const Streak = Schema.Struct({ print: Schema.Number, count: Schema.Number, text: Schema.String })

export type Streak = typeof Streak.Type

/**
 * The state of the fold: bounded, whatever the session's length, and without the texts of calls and results.
 *
 * @category models
 */
export const Loops = Schema.Struct({
  version: Schema.Literal(2),
  /** The last calls, the newest last. */
  recent: Schema.Array(Entry),
  /** When the last call was over, in ms since the epoch. */
  ended: Schema.NullOr(Schema.Number),
  /** Whether the user's task is to wait for something. */
  waits: Schema.Boolean,
  /** The same words since the last call. */
  said: Streak,
  /** The id of the last message. */
  spoke: Schema.NullOr(Schema.String),
  /** Refusals of a full context window in a row. */
  context: Streak
})

export type Loops = typeof Loops.Type
