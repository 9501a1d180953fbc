/** What was asked of the agent. */
import * as Schema from "effect/Schema"
import { Mode } from "../transcript/Transcript.ts"

/**
 * What a human message wants: a change (`act`), an answer (`ask`), a plan or opinion first (`discuss`), or cannot be told.
 *
 * @category models
 */
export const Intent = Schema.Literal("act", "ask", "discuss", "unknown")

export type Intent = typeof Intent.Type

/**
 * A gate that the user orders in plain words of his own, outside of a plan, a log, a title or a narrative. `fix`: it was failing and is to be mended; `run`: it is to be run or done, by the
 * command that the user named, if any. `expanded`: by the slash command that he typed, in words that are not his.
 *
 * @category models
 */
export const Ask = Schema.Struct({
  gate: Schema.String,
  how: Schema.Literal("run", "fix"),
  quote: Schema.String,
  command: Schema.NullOr(Schema.String),
  expanded: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type Ask = typeof Ask.Type

/** What a sentence asks for, without its words. */
export type Wanted = Omit<Ask, "expanded" | "quote">

/**
 * The task as it stands. `turn` counts genuine user messages from 0 and is -1 before the first; `since` is the turn
 * in which the task was set: a bare "continue" or "yes" goes on with the task before it.
 *
 * @category models
 */
export const TaskContext = Schema.Struct({
  version: Schema.Literal(1),
  turn: Schema.Number,
  since: Schema.Number,
  userMessageId: Schema.NullOr(Schema.String),
  userMessageAt: Schema.NullOr(Schema.String),
  text: Schema.String,
  message: Schema.String,
  mode: Mode,
  intent: Intent,
  about: Schema.Literal("code", "docs", "ops", "unknown"),
  asks: Schema.Array(Ask),
  forbids: Schema.Array(Schema.String),
  reportsFailure: Schema.Boolean,
  wantsFailure: Schema.Boolean,
  wantsAll: Schema.Boolean,
  continued: Schema.Boolean,
  /** Orders of this and earlier turns that outlast theirs, the newest last. */
  standing: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
})

export type TaskContext = typeof TaskContext.Type
