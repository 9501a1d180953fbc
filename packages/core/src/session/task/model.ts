/** Types for what the user asked. */
import * as Schema from "effect/Schema"
import { Mode } from "../transcript/Transcript.ts"

/**
 * What a message wants: an action (`act`), an answer or a plan (`ask`), or unclear (`unknown`).
 *
 * @category models
 */
export const Intent = Schema.Literal("act", "ask", "unknown")

export type Intent = typeof Intent.Type

/**
 * A check or delivery that was ordered.
 *
 * @category models
 */
export const Ask = Schema.Struct({
  gate: Schema.String,
  /** `fix`: the gate fails and must be repaired. `run`: the gate must be run or done. */
  how: Schema.Literal("run", "fix"),
  quote: Schema.String,
  command: Schema.NullOr(Schema.String),
  /** Set if the user explicitly ordered the whole gate. */
  whole: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** Set if the order is in the text of a slash command, not in the user's own words. */
  expanded: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** Set if a later message mentions the gate without a clear order. */
  doubted: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type Ask = typeof Ask.Type

/**
 * The current task.
 *
 * @category models
 */
export const TaskContext = Schema.Struct({
  /** Counts the user's own messages from 0. -1 before the first message. */
  turn: Schema.Number,
  /** The turn in which the task was set. A bare "continue" or "yes" continues the earlier task. */
  since: Schema.Number,
  userMessageId: Schema.NullOr(Schema.String),
  userMessageAt: Schema.NullOr(Schema.String),
  /** The message that set the task. */
  text: Schema.String,
  message: Schema.String,
  mode: Mode,
  intent: Intent,
  /** What the work is about, if not code. */
  about: Schema.Literal("docs", "ops", "unknown"),
  asks: Schema.Array(Ask),
  forbids: Schema.Array(Schema.String),
  reportsFailure: Schema.Boolean,
  wantsFailure: Schema.Boolean,
  continued: Schema.Boolean,
  /** True if the agent must ask before each step. */
  asksLeave: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The user's sentences that forbid something for the whole session. */
  lasting: Schema.optionalWith(Schema.String, { default: () => "" })
})

export type TaskContext = typeof TaskContext.Type
