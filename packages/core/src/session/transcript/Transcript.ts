/**
 * What happened in a coding agent's session, in reflexion's own terms: a host adapter decodes its records into these
 * events, and everything else in this package reads only them.
 */
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
 * A message in the user's place. `synthetic` marks what a harness or reflexion itself put there: it is never a task.
 * `turn` is the number of the turn the message belongs to where the host's own records settle it: a genuine message
 * with the running turn's number was typed while the agent worked and begins no turn. `expansion` marks a synthetic one as
 * what the host made of the slash command that the user typed before it: it orders, in words that are not his.
 *
 * @category events
 */
export const UserMessage = Schema.Struct({
  type: Schema.Literal("user_message"),
  id: nullable(Schema.String),
  at: nullable(Schema.String),
  text: Schema.String,
  synthetic: flag,
  turn: Schema.optionalWith(Schema.JsonNumber, { exact: true }),
  expansion: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type UserMessage = typeof UserMessage.Type

/**
 * Text of the agent. `completed` is false when the host says that it was cut off, null when the host does not say.
 *
 * @category events
 */
export const AssistantMessage = Schema.Struct({
  type: Schema.Literal("assistant_message"),
  id: nullable(Schema.String),
  at: nullable(Schema.String),
  text: Schema.String,
  completed: nullable(Schema.Boolean),
  outputTokens: nullable(Schema.JsonNumber),
  model: nullable(Schema.String)
})

export type AssistantMessage = typeof AssistantMessage.Type

export const ToolStatus = Schema.Literal("pending", "running", "completed", "error", "denied", "interrupted")

export type ToolStatus = typeof ToolStatus.Type

/**
 * One tool call. A decoder may emit it twice: first `pending` when it is issued, then settled under the same `id`; the
 * later event supersedes the earlier. `agentId` names the subagent that made the call. A null `status` with no output
 * and no exit code says that the call was issued and nothing about its outcome.
 *
 * @category events
 */
export const ToolCall = Schema.Struct({
  type: Schema.Literal("tool_call"),
  id: nullable(Schema.String),
  at: nullable(Schema.String),
  endedAt: nullable(Schema.String),
  tool: Schema.String,
  input: Schema.optionalWith(Schema.Unknown, { default: () => null }),
  cwd: nullable(Schema.String),
  background: flag,
  agentId: nullable(Schema.String),
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
 * The whole todo list as it stands after this event.
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
 * Something the host itself reports about the session.
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
 * The session's mode changes from here on.
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
 * What is known of a session besides its events. `cwd` is the session's first project root. `attended`: whether a person
 * is in the session to answer, as the host's record or the caller says it; null or left out where nobody does. `doneWhen`: when the user
 * calls the session's task done, as they said it in the session.
 *
 * @category models
 */
export const SessionInfo = Schema.Struct({
  host: Schema.optionalWith(Schema.String, { default: () => "transcript" }),
  sessionId: nullable(Schema.String),
  parentSessionId: nullable(Schema.String),
  cwd: nullable(Schema.String),
  mode: Schema.optionalWith(Mode, { default: () => "unknown" as const }),
  attended: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { exact: true }),
  doneWhen: Schema.optionalWith(Schema.Array(AcceptanceItem), { exact: true })
})

export type SessionInfo = typeof SessionInfo.Type

/**
 * A whole session: the neutral form that any host without an adapter can be judged in.
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
 * What a transcript is made from: everything but the events may be left out, and of an event all that has a default.
 *
 * @category constructors
 */
export type Fields = Omit<typeof Transcript.Encoded, "version">

/**
 * A transcript from few fields, with the defaults of the neutral form. Throws a `ParseError` where a field is not what its
 * type says; what comes from outside is for `NeutralTranscript` or `Schema.decodeUnknown(Transcript)` to read.
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
