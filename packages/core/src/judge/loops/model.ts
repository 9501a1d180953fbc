/** The state that loops are found from. */
import * as Schema from "effect/Schema"

export { Loop, LoopPattern } from "../../session/facts/Loop.ts"

/**
 * `look` reads and nothing else; `run` does something that shows in its result; `change` writes; `act` may change what
 * the session does not show; `watch` looks at what moves by itself, a `probe` does so and fails; `wait` lets time pass.
 */
export const CallKind = Schema.Literal("look", "run", "change", "act", "watch", "probe", "wait")

export type CallKind = typeof CallKind.Type

/**
 * A call without its texts. `place` is a print of the directory it names, 0 without one; a null `result` is unknown;
 * `summary` is empty where no loop could show the call; before it nothing ran for `idle` seconds, null where
 * the host has no times.
 */
export const Entry = Schema.Struct({
  key: Schema.Number,
  place: Schema.Number,
  result: Schema.NullOr(Schema.Number),
  failed: Schema.Boolean,
  /** Whether it failed, or says again that something is wrong. */
  wrong: Schema.Boolean,
  /** Whether it may have changed the sources. */
  edits: Schema.Boolean,
  kind: CallKind,
  idle: Schema.NullOr(Schema.Number),
  id: Schema.NullOr(Schema.String),
  tool: Schema.String,
  summary: Schema.String
})

export type Entry = typeof Entry.Type

/** A run of the same: its print, how often it came, and what it said. */
export const Streak = Schema.Struct({ print: Schema.Number, count: Schema.Number, text: Schema.String })

export type Streak = typeof Streak.Type

/**
 * A run of messages without a call between: the last one's id, its print and those of its words, how many said the `same`
 * and how many nearly so, and what it said once it is repeated.
 */
export const Spoken = Schema.Struct({
  id: Schema.NullOr(Schema.String),
  print: Schema.Number,
  same: Schema.Number,
  words: Schema.Array(Schema.Number),
  alike: Schema.Number,
  text: Schema.String
})

export type Spoken = typeof Spoken.Type

/**
 * The state of the fold: bounded, whatever the session's length, and without the texts of calls and results.
 *
 * @category models
 */
export const Loops = Schema.Struct({
  version: Schema.Literal(1),
  /** The last calls, the newest last. */
  recent: Schema.Array(Entry),
  /** At `p - 1`: how many calls in a row were the same as the one `p` before them. */
  runs: Schema.Array(Schema.Number),
  /** Whether the user's task is to wait for something. */
  waits: Schema.Boolean,
  /** When the last call was over, in seconds. */
  ended: Schema.NullOr(Schema.Number),
  /** The same error of the same tool, whatever it was asked. */
  errors: Streak,
  /** The same result of calls that differ in made-up names and numbers alone. */
  near: Streak,
  /** The same words since the last call. */
  spoken: Spoken,
  /** How often the last message says the same within itself. */
  chant: Streak,
  /** Refusals of a full context window. */
  context: Streak,
  /** Such refusals since the last call, whatever was said between them. */
  refusals: Schema.Number
})

export type Loops = typeof Loops.Type
