/** The schema of the stop, apart from its functions so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"
import { NoticeKind, Todo } from "../transcript/Transcript.ts"

const Open = Schema.Struct({ id: Schema.String, tool: Schema.String })

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
  lastAt: Schema.NullOr(Schema.String)
})
