/** How a turn ended, and the question in its last words. */
import * as Schema from "effect/Schema"
import { NoticeKind, Todo } from "../transcript/Transcript.ts"

const Open = Schema.Struct({ id: Schema.String, tool: Schema.String })

/**
 * The state of the fold: the last text since the last tool call (its last 6,000 characters), what is still open, and
 * the last notice of the host.
 *
 * @category models
 */
export const StopSignal = Schema.Struct({
  version: Schema.Literal(1),
  text: Schema.String,
  spokeLast: Schema.Boolean,
  blank: Schema.Boolean,
  completed: Schema.NullOr(Schema.Boolean),
  messages: Schema.Number,
  toolCalls: Schema.Number,
  pending: Schema.Array(Open),
  background: Schema.Array(Open),
  launched: Schema.Boolean,
  notice: Schema.NullOr(Schema.Struct({ kind: NoticeKind, detail: Schema.NullOr(Schema.String) })),
  asked: Schema.NullOr(Schema.Literal("open", "refused")),
  refused: Schema.NullOr(Schema.String),
  todos: Schema.Array(Todo),
  todosTouched: Schema.Boolean,
  queued: Schema.Boolean,
  /** The host says that the prompt never reached the agent. */
  unheard: Schema.optionalWith(Schema.Boolean, { exact: true }),
  lastAt: Schema.NullOr(Schema.String)
})

export type StopSignal = typeof StopSignal.Type
