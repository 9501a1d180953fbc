/** What was asked of the agent. */
import * as Schema from "effect/Schema"
import { Mode } from "../transcript/Transcript.ts"

/**
 * What a message wants: something done (`act`), an answer or a plan (`ask`), or what cannot be told.
 *
 * @category models
 */
export const Intent = Schema.Literal("act", "ask", "unknown")

export type Intent = typeof Intent.Type

/**
 * A check or delivery that was ordered. `fix`: it was failing and is to be fixed; `run`: it is to be run or done, by the
 * command that was named, if any. `whole`: all of it, in so many words; `expanded`: by the slash command that the user typed,
 * in words that are not theirs; `doubted`: a later message speaks of it and does not plainly order it.
 *
 * @category models
 */
export const Ask = Schema.Struct({
  gate: Schema.String,
  how: Schema.Literal("run", "fix"),
  quote: Schema.String,
  command: Schema.NullOr(Schema.String),
  whole: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  expanded: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  doubted: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type Ask = typeof Ask.Type

/**
 * The task as it stands. `turn` counts genuine user messages from 0 and is -1 before the first; `since` is the turn
 * in which the task was set: a bare "continue" or "yes" goes on with the task before it.
 *
 * @category models
 */
export const TaskContext = Schema.Struct({
  turn: Schema.Number,
  since: Schema.Number,
  userMessageId: Schema.NullOr(Schema.String),
  userMessageAt: Schema.NullOr(Schema.String),
  text: Schema.String,
  message: Schema.String,
  mode: Mode,
  intent: Intent,
  about: Schema.Literal("docs", "ops", "unknown"),
  asks: Schema.Array(Ask),
  forbids: Schema.Array(Schema.String),
  reportsFailure: Schema.Boolean,
  wantsFailure: Schema.Boolean,
  continued: Schema.Boolean,
  /** The agent is to ask before each step, until that is taken back. */
  asksLeave: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The user's sentences that forbid something for the whole session. */
  lasting: Schema.optionalWith(Schema.String, { default: () => "" })
})

export type TaskContext = typeof TaskContext.Type
