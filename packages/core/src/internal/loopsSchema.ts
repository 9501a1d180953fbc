/** The schemas of the loops, apart from their functions so that a bundle which decodes none can leave them out. */
import * as Schema from "effect/Schema"

export const LoopPattern = Schema.Literal(
  "planning",
  "action",
  "same_result",
  "failing_call",
  "alternation",
  "cycle",
  "monologue",
  "context_error"
)

export const LoopCall = Schema.Struct({ tool: Schema.String, summary: Schema.String })

export const Loop = Schema.Struct({
  pattern: LoopPattern,
  period: Schema.Number,
  count: Schema.Number,
  calls: Schema.Array(LoopCall),
  callIds: Schema.Array(Schema.String)
})

/**
 * `look` reads and nothing else; `run` does something that shows in its result; `change` writes; `act` may change what
 * the session does not show; `watch` looks at what moves by itself; `wait` lets time pass.
 */
export const CallKind = Schema.Literal("look", "run", "change", "act", "watch", "wait")

export type CallKind = typeof CallKind.Type

/**
 * A call without its texts. `place` is a print of the directory it names, 0 without one; a null `result` is unknown;
 * `summary` is empty where no loop could show the call.
 */
export const Entry = Schema.Struct({
  key: Schema.Number,
  place: Schema.Number,
  result: Schema.NullOr(Schema.Number),
  failed: Schema.Boolean,
  kind: CallKind,
  id: Schema.NullOr(Schema.String),
  tool: Schema.String,
  summary: Schema.String
})

export type Entry = typeof Entry.Type

/** A run of the same: its print, how often it came, and what it said. */
export const Streak = Schema.Struct({ print: Schema.Number, count: Schema.Number, text: Schema.String })

export type Streak = typeof Streak.Type

export const Loops = Schema.Struct({
  version: Schema.Literal(1),
  /** The last calls, the newest last. */
  recent: Schema.Array(Entry),
  /** At `p - 1`: how many calls in a row were the same as the one `p` before them. */
  runs: Schema.Array(Schema.Number),
  calls: Schema.Number,
  writes: Schema.Number,
  /** Calls since the last one that did more than look. */
  looks: Schema.Number,
  /** The same error of the same tool, whatever it was asked. */
  errors: Streak,
  /** The same words since the last call. */
  words: Streak,
  /** The id of the message that said them. */
  spoken: Schema.NullOr(Schema.String),
  /** How often the last message says the same within itself. */
  chant: Streak,
  /** Refusals of a full context window. */
  context: Streak
})
