/** How a turn ended, and the question in its last words. */
import * as Schema from "effect/Schema"
import { NoticeKind, Todo } from "../transcript/Transcript.ts"

const Open = Schema.Struct({ id: Schema.String, tool: Schema.String })

/**
 * The state that shows how the turn ends.
 *
 * @category models
 */
export const StopSignal = Schema.Struct({
  version: Schema.Literal(1),
  /** The text since the last tool call, at most its last 6,000 characters. */
  text: Schema.String,
  /** True if the agent wrote something after its last tool call. */
  spokeLast: Schema.Boolean,
  /** True if the last message was complete, but had no words. */
  blank: Schema.Boolean,
  /** False if the host says that the text was cut off. Null if the host does not say. */
  completed: Schema.NullOr(Schema.Boolean),
  messages: Schema.Number,
  toolCalls: Schema.Number,
  pending: Schema.Array(Open),
  background: Schema.Array(Open),
  /** True if a finished call left something running. */
  launched: Schema.Boolean,
  notice: Schema.NullOr(
    Schema.Struct({
      kind: NoticeKind,
      detail: Schema.NullOr(Schema.String),
      /** When the usage limit ends, if the host or the service says so. */
      limitEnd: Schema.optionalWith(Schema.String, { exact: true })
    })
  ),
  /** The last dialogue with the user: open or refused. Null if it was answered, or if a text came later. */
  asked: Schema.NullOr(Schema.Literal("open", "refused")),
  /** The tool of a denied call. Null if no call was denied, or if the agent went on. */
  refused: Schema.NullOr(Schema.String),
  todos: Schema.Array(Todo),
  todosTouched: Schema.Boolean,
  /** True if a message of the user is waiting. */
  queued: Schema.Boolean,
  /** True if the host says that the prompt never reached the agent. */
  unheard: Schema.optionalWith(Schema.Boolean, { exact: true }),
  lastAt: Schema.NullOr(Schema.String)
})

export type StopSignal = typeof StopSignal.Type
