/** The events of a session in reflexion's own form. Host adapters decode their records into these events. */
import * as Schema from "effect/Schema"
import { AcceptanceItem } from "../donewhen/model.ts"

const nullable = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

const flag = Schema.optionalWith(Schema.Boolean, { default: () => false })

export const Mode = Schema.Literal("build", "plan", "unknown")

/**
 * Whether the agent may act (`build`) or only propose (`plan`).
 *
 * @category models
 */
export type Mode = typeof Mode.Type

/**
 * A message with the role of the user.
 *
 * @category events
 */
export const UserMessage = Schema.Struct({
  type: Schema.Literal("user_message"),
  id: nullable(Schema.String),
  at: nullable(Schema.String),
  text: Schema.String,
  /** True if a host or reflexion wrote the message. Such a message never sets a task. */
  synthetic: flag,
  /** The turn, if the host records turns. A real message with the current turn's number does not begin a turn. */
  turn: Schema.optionalWith(Schema.JsonNumber, { exact: true }),
  /** Set if the host made this text from a slash command. The text may give orders, but not in the user's words. */
  expansion: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type UserMessage = typeof UserMessage.Type

/**
 * A text of the agent.
 *
 * @category events
 */
export const AssistantMessage = Schema.Struct({
  type: Schema.Literal("assistant_message"),
  id: nullable(Schema.String),
  at: nullable(Schema.String),
  text: Schema.String,
  /** False if the host says that the text was cut off. Null if the host does not say. */
  completed: nullable(Schema.Boolean),
  outputTokens: nullable(Schema.JsonNumber),
  model: nullable(Schema.String)
})

export type AssistantMessage = typeof AssistantMessage.Type

export const ToolStatus = Schema.Literal("pending", "running", "completed", "error", "denied", "interrupted")

export type ToolStatus = typeof ToolStatus.Type

/**
 * A tool call may come twice: first as `pending`, then finished with the same `id`. The second replaces the first.
 *
 * @category events
 */
export const ToolCall = Schema.Struct({
  type: Schema.Literal("tool_call"),
  id: nullable(Schema.String),
  /** When the call began, and when it ended. Null if unknown. */
  at: nullable(Schema.String),
  endedAt: nullable(Schema.String),
  tool: Schema.String,
  input: Schema.optionalWith(Schema.Unknown, { default: () => null }),
  cwd: nullable(Schema.String),
  background: flag,
  /** The subagent that made the call. Null for the main agent. */
  agentId: nullable(Schema.String),
  /** If the status, the output and the exit code are all null, the outcome is unknown. */
  status: nullable(ToolStatus),
  exitCode: nullable(Schema.JsonNumber),
  output: nullable(Schema.String)
})

export type ToolCall = typeof ToolCall.Type

export const Todo = Schema.Struct({
  id: nullable(Schema.String),
  content: Schema.String,
  status: Schema.Literal("pending", "in_progress", "completed", "cancelled")
})

export type Todo = typeof Todo.Type

/**
 * The complete todo list after this event.
 *
 * @category events
 */
export const TodoUpdate = Schema.Struct({
  type: Schema.Literal("todo_update"),
  at: nullable(Schema.String),
  todos: Schema.Array(Todo)
})

export type TodoUpdate = typeof TodoUpdate.Type

export const NoticeKind = Schema.Literal(
  "aborted",
  "compacted",
  "unread",
  "api_error",
  "rate_limited",
  "background_running",
  "permission_asked",
  "input_queued"
)

/**
 * Something that the host reports about the session.
 *
 * @category events
 */
export const Notice = Schema.Struct({
  type: Schema.Literal("notice"),
  at: nullable(Schema.String),
  kind: NoticeKind,
  detail: nullable(Schema.String)
})

export type Notice = typeof Notice.Type

/**
 * The mode of the session changes here.
 *
 * @category events
 */
export const ModeChange = Schema.Struct({
  type: Schema.Literal("mode_change"),
  at: nullable(Schema.String),
  mode: Mode
})

export type ModeChange = typeof ModeChange.Type

export const TranscriptEvent = Schema.Union(UserMessage, AssistantMessage, ToolCall, TodoUpdate, Notice, ModeChange)

export type TranscriptEvent = typeof TranscriptEvent.Type

/**
 * What is known about a session apart from its events.
 *
 * @category models
 */
export const SessionInfo = Schema.Struct({
  host: Schema.optionalWith(Schema.String, { default: () => "transcript" }),
  sessionId: nullable(Schema.String),
  parentSessionId: nullable(Schema.String),
  /** The first project root of the session. Null if unknown. */
  cwd: nullable(Schema.String),
  mode: Schema.optionalWith(Mode, { default: () => "unknown" as const }),
  /** Whether a person is there to answer, as the host's record or the caller says. Null or missing if unknown. */
  attended: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { exact: true }),
  /** The conditions for "done" that the user gave in the session. */
  doneWhen: Schema.optionalWith(Schema.Array(AcceptanceItem), { exact: true })
})

export type SessionInfo = typeof SessionInfo.Type

/**
 * A whole session in the neutral form. Any host without an adapter can be judged in this form.
 *
 * @category models
 */
export const Transcript = Schema.Struct({
  version: Schema.Literal(1),
  ...SessionInfo.fields,
  events: Schema.Array(TranscriptEvent)
})

export type Transcript = typeof Transcript.Type

/**
 * The fields for a new transcript. All fields except the events are optional. In an event, all fields with a default
 * are optional.
 *
 * @category constructors
 */
export type Fields = Omit<typeof Transcript.Encoded, "version">

/**
 * Makes a transcript with the defaults of the neutral form. Throws a `ParseError` if a field has a wrong type. Use
 * `NeutralTranscript` or `Schema.decodeUnknown(Transcript)` for data from outside.
 *
 * @example
 * ```ts
 * import * as Judgment from "@reflexion/core/Judgment"
 * import * as Transcript from "@reflexion/core/Transcript"
 *
 * const transcript = Transcript.make({
 *   events: [
 *     { type: "user_message", text: "Fix the rounding and run npm test." },
 *     { type: "assistant_message", text: "Fixed, and all tests pass." }
 *   ]
 * })
 * console.log(Judgment.judge(transcript).status) // => incomplete
 * ```
 *
 * @category constructors
 */
export const make = (fields: Fields): Transcript => Schema.decodeSync(Transcript)({ ...fields, version: 1 })
