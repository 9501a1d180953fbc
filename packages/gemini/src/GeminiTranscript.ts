/** Decodes Gemini CLI's session records into events. */
import type { SessionInfo, Todo, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import {
  notice,
  startSteps,
  todosIn,
  type Step as DecoderStep,
  type TranscriptDecoder
} from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Calls from "./internal/calls.ts"
import * as Prompt from "./internal/prompt.ts"

export interface State extends Required<Pick<SessionInfo, "cwd" | "mode" | "parentSessionId" | "sessionId">> {
  /** -1 before the first turn. */
  readonly turn: number
  /** The message that began the running turn. Null if the record no longer has it. */
  readonly prompt: string | null
  /** The last answer. The host writes it again with its calls. */
  readonly answer: string | null
  readonly isCancelled: boolean
  /** The next text in the user's role is from a hook. */
  readonly isBlocked: boolean
}

type Step = DecoderStep<State>

const none: ReadonlyArray<TranscriptEvent> = []

export const initial: State = {
  sessionId: null,
  parentSessionId: null,
  cwd: null,
  mode: "unknown",
  turn: -1,
  prompt: null,
  answer: null,
  isCancelled: false,
  isBlocked: false
}

/** Never throws. An unimportant value gives the same state and no events. */
export const step = (state: State, value: unknown): Step => {
  if (!Json.isObject(value)) return [state, none]
  const at = Json.time(value["timestamp"])
  if (isHead(value)) return [head(state, value), none]
  if (typeof value["$rewindTo"] === "string") return [{ ...state, prompt: null }, none]
  switch (value["type"]) {
    case "user":
      return user(state, value, at)
    case "gemini":
      return gemini(state, value, at)
    case "info":
      return value["content"] === "Request cancelled."
        ? [{ ...state, isCancelled: true }, [notice("aborted", at, null)]]
        : [state, none]
    case "warning":
      return Json.text(value["content"]).startsWith("Agent execution blocked: ")
        ? [{ ...state, isBlocked: true }, none]
        : [state, none]
    case "error":
      return [state, [failure(Json.text(value["content"]), at)]]
    default:
      return history(state, Json.object(value["$set"]))
  }
}

const isHead = (value: Json.Json): boolean =>
  typeof value["sessionId"] === "string" && typeof value["projectHash"] === "string" && !("type" in value)

/** A resume can repeat the first line in the same file. */
const head = (state: State, value: Json.Json): State => ({
  ...state,
  prompt: null,
  sessionId: state.sessionId ?? Json.string(value["sessionId"]),
  parentSessionId: value["kind"] === "subagent" ? "unknown" : null,
  cwd: state.cwd ?? Json.string(Json.list(value["directories"])[0])
})

const user = (state: State, value: Json.Json, at: string | null): Step => {
  const found = Prompt.read(value["content"])
  if (found === null) return [state, none]
  const id = Json.string(value["id"])
  const message = { type: "user_message", id, at, text: found.text } as const
  if (found.synthetic || state.isBlocked)
    return [{ ...state, isBlocked: false }, [{ ...message, text: Json.clip(found.text, 8192), synthetic: true }]]
  const turn = state.turn + 1
  const next = { ...state, turn, prompt: id, answer: null, isCancelled: false }
  return [next, [{ ...message, synthetic: false, turn }]]
}

const gemini = (state: State, value: Json.Json, at: string | null): Step => {
  const answer = Json.string(value["id"])
  const text = Json.contentText(value["content"])
  const calls = Json.list(value["toolCalls"]).flatMap((one) => Calls.read(one, at, state.cwd) ?? [])
  const isRepeated = answer !== null && answer === state.answer
  const said = text === "" || isRepeated ? none : [assistant(text, at, value)]
  return calls.reduce<Step>(
    ([before, events], call) => {
      const [next, more] = called(before, call)
      return [next, [...events, ...more]]
    },
    [{ ...state, answer }, said]
  )
}

const assistant = (text: string, at: string | null, value: Json.Json): TranscriptEvent => ({
  type: "assistant_message",
  id: Json.string(value["id"]),
  at,
  text,
  completed: null,
  outputTokens: Json.number(Json.object(value["tokens"])["output"]),
  model: Json.string(value["model"])
})

const plans = /\.gemini\/tmp\/[^/]{1,200}\/[^/]{1,100}\/plans\/[^/]{1,200}$/

/** The record does not name the mode. In plan mode, the agent can write only plan files. */
const modeAfter = ({ mode }: State, { input, status, tool }: ToolCall): State["mode"] => {
  if (status !== "completed") return mode
  if (tool === "enter_plan_mode") return "plan"
  if (tool === "exit_plan_mode" || tool === "run_shell_command") return "build"
  if (tool !== "write_file" && tool !== "replace") return mode
  return plans.test(Json.text(Json.object(input)["file_path"]).replaceAll("\\", "/").slice(-600)) ? "plan" : "build"
}

const called = (state: State, call: ToolCall): Step => {
  const mode = modeAfter(state, call)
  const at = call.endedAt
  const changed: ReadonlyArray<TranscriptEvent> =
    mode === state.mode || (mode === "build" && state.mode === "unknown") ? none : [{ type: "mode_change", at, mode }]
  return [{ ...state, mode }, [call, ...changed, ...todosOf(call)]]
}

const todosOf = ({ endedAt: at, input, status, tool }: ToolCall): ReadonlyArray<TranscriptEvent> => {
  if (tool !== "write_todos" || status !== "completed") return none
  const given = Json.list(Json.object(input)["todos"]).map(Json.object)
  const todos: ReadonlyArray<Todo> | null = todosIn(
    given.map(({ description, status: standing }) => ({ content: description, status: standing }))
  )
  return todos === null ? none : [{ type: "todo_update", at, todos }]
}

const limits = /\b429\b|quota|rate.?limit|resource.?exhausted|access resets/i

const failure = (text: string, at: string | null): TranscriptEvent =>
  notice(limits.test(text.slice(0, 2000)) ? "rate_limited" : "api_error", at, text)

/** A rewritten history shows only that the host compacted it or took the turn back. It has no new messages. */
const history = (state: State, { lastUpdated, messages }: Json.Json): Step => {
  if (state.prompt === null || !Array.isArray(messages)) return [state, none]
  const all = messages.map(Json.object)
  if (all.some(({ id }) => id === state.prompt)) return [state, none]
  const at = Json.time(lastUpdated)
  const isCompacted = all.some(({ content }) => Json.contentText(content).startsWith("<state_snapshot>"))
  const why = isCompacted ? notice("compacted", at, null) : failure("the host took the turn back", at)
  return [{ ...state, prompt: null }, isCompacted || !state.isCancelled ? [why] : none]
}

export const finish = (): ReadonlyArray<TranscriptEvent> => none

export const session = ({ cwd, mode, parentSessionId, sessionId }: State): SessionInfo => ({
  host: "gemini",
  sessionId,
  parentSessionId,
  cwd,
  mode
})

const types = new Set(["user", "gemini", "info", "warning", "error"])

const typeOf = (value: unknown): string => {
  const line = Json.object(value)
  return Json.string(line["type"]) ?? Object.keys(line)[0] ?? "untyped"
}

export const decoder: TranscriptDecoder = {
  host: "gemini",
  recognises: (value) => {
    const line = Json.object(value)
    if (isHead(line)) return true
    return types.has(Json.text(line["type"])) && typeof line["id"] === "string" && typeof line["timestamp"] === "string"
  },
  start: () => startSteps({ initial, step, finish, session, typeOf })
}
