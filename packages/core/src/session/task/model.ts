/** The schemas of the task, apart from its functions so that a bundle which decodes none can leave them out. */
import * as Schema from "effect/Schema"
import { Mode } from "../transcript/Transcript.ts"

export const Intent = Schema.Literal("act", "ask", "discuss", "unknown")

export const Ask = Schema.Struct({
  gate: Schema.String,
  how: Schema.Literal("run", "fix"),
  quote: Schema.String,
  command: Schema.NullOr(Schema.String),
  /** Whether the user orders it in plain words of his own, outside of a plan, a log, a title or a narrative. */
  plain: Schema.Boolean
})

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
  continued: Schema.Boolean
})
