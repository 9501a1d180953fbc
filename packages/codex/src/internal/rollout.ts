/** Decodes the lines of a rollout: session data, turns, items of the model and events of the host. */
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as Agents from "./agents.ts"
import * as Functions from "./functions.ts"
import * as Items from "./items.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import { chain, modeOf, notice } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Messages from "./messages.ts"
import * as Shell from "./shell.ts"
import { none, type State, type Step } from "./state.ts"

export const line = (state: State, value: Json.Json): Step =>
  decode(typeof value["ordinal"] === "number" ? Messages.namesMessages(state) : state, value)

const decode = (state: State, value: Json.Json): Step => {
  const at = Json.time(value["timestamp"])
  const payload = Json.object(value["payload"])
  switch (value["type"]) {
    case "session_meta":
      return [meta(state, payload), none]
    case "turn_context":
      return [context(state, payload), none]
    case "response_item":
      return responseItem(state, payload, at)
    case "event_msg":
      return event(state, payload, at)
    case "compacted":
      return [Messages.compacted(state), [notice("compacted", at, null)]]
    default:
      return [state, none]
  }
}

/** Only the first entry counts, because a fork copies the data of earlier sessions. */
const meta = (state: State, payload: Json.Json): State => {
  if (state.sessionId !== null) return state
  const sessionId = Json.string(payload["id"]) ?? Json.string(payload["session_id"])
  const cwd = Shell.directory(payload["cwd"])
  return { ...state, sessionId, parentSessionId: parentOf(payload), cwd, turnCwd: cwd, attended: attendedBy(payload) }
}

/** A person is present in Codex's command line, editor extension and app. */
const interactive = /^codex[-_ ](?:cli_rs|tui|vscode|desktop)$/i

/** The source `vscode` proves nothing, because Codex also writes it for a client without a source. Null if unknown. */
const attendedBy = (payload: Json.Json): boolean | null => {
  const originator = Json.text(payload["originator"])
  if (payload["source"] === "exec" || originator === "codex_exec") return false
  return payload["source"] === "cli" || interactive.test(originator) ? true : null
}

/** Null for a session that a person started or forked. */
const parentOf = (payload: Json.Json): string | null => {
  const source = Json.object(payload["source"])
  if (!Object.hasOwn(source, "subagent")) return null
  const spawned = Json.object(Json.object(source["subagent"])["thread_spawn"])
  return (
    Json.string(spawned["parent_thread_id"]) ??
    Json.string(payload["parent_thread_id"]) ??
    Json.string(payload["forked_from_id"]) ??
    Json.string(payload["session_id"]) ??
    "unknown"
  )
}

const context = (state: State, payload: Json.Json): State => {
  const turnCwd = Shell.directory(payload["cwd"]) ?? state.turnCwd
  const mode = modeOf(Json.object(payload["collaboration_mode"])["mode"])
  return {
    ...state,
    cwd: state.cwd ?? turnCwd,
    turnCwd,
    model: Json.string(payload["model"]) ?? state.model,
    nextMode: mode ?? state.nextMode
  }
}

/** First releases the held texts. */
const acting = (state: State, at: string | null, step: (state: State) => Step): Step =>
  chain(state, Messages.flush, (current) => Messages.entered(current, at), step)

const responseItem = (state: State, item: Json.Json, at: string | null): Step => {
  switch (item["type"]) {
    case "message":
      return item["role"] === "assistant"
        ? acting(state, at, (current) => Messages.item(current, item, at))
        : Messages.item(state, item, at)
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
    case "web_search_call":
      return acting(state, at, (current) => Functions.call(current, item, at))
    case "function_call_output":
    case "custom_tool_call_output":
      return Functions.output(state, item, at)
    case "agent_message":
      return Agents.wrote(state, item, at)
    case "reasoning":
      return acting(state, at, (current) => [current, none])
    default:
      return [state, none]
  }
}

const event = (state: State, payload: Json.Json, at: string | null): Step => {
  switch (payload["type"]) {
    case "task_started":
    case "turn_started":
      return begun(state, payload)
    case "user_message":
      return Messages.userEvent(state, Json.text(payload["message"]) || image(payload), null, at)
    case "agent_message":
      return acting(state, at, (current) => agentMessage(current, payload, at))
    case "item_completed":
      return itemCompleted(state, payload, at)
    case "exec_command_end":
    case "patch_apply_end":
    case "mcp_tool_call_end":
      return Items.ended(state, payload, at)
    case "task_complete":
    case "turn_complete":
      return over(state, payload, at)
    case "stream_error":
      return [state, failure({ ...payload, willRetry: true }, at)]
    case "turn_aborted":
      return aborted(state, Json.text(payload["reason"]), at)
    case "error":
      return [state, failure(Json.isObject(payload["error"]) ? payload["error"] : payload, at)]
    default:
      return [state, none]
  }
}

const unspoken = new Set<unknown>(["UserMessage", "ContextCompaction", "HookPrompt"])

const itemCompleted = (state: State, payload: Json.Json, at: string | null): Step =>
  unspoken.has(Json.object(payload["item"])["type"])
    ? Items.completed(state, payload, at)
    : acting(state, at, (current) => Items.completed(current, payload, at))

const image = (payload: Json.Json): string =>
  Json.list(payload["images"]).length + Json.list(payload["local_images"]).length > 0 ? "[image]" : ""

const begun = (state: State, payload: Json.Json): Step => {
  const [flushed, events] = Messages.flush(state)
  const nextMode = modeOf(payload["collaboration_mode_kind"]) ?? flushed.nextMode
  const attended = attendedIn(state.attended, Json.object(payload["turn_attribution"])["turn_trigger"])
  return [{ ...flushed, phase: "begun", echoes: [], nextMode, attended }, events]
}

/** A person may continue a session that `codex exec` began. Only a turn's trigger shows this. */
const attendedIn = (before: boolean | null, trigger: unknown): boolean | null => {
  if (trigger === "exec") return false
  return trigger === "user" && before === false ? null : before
}

const agentMessage = (state: State, payload: Json.Json, at: string | null): Step =>
  Messages.said(state, {
    from: "event",
    id: null,
    at,
    text: Json.text(payload["message"]),
    final: payload["phase"] === "final_answer"
  })

const over = (state: State, payload: Json.Json, at: string | null): Step => {
  const { error } = payload
  const [flushed, events] = Messages.flush(state)
  const ending = Json.isObject(error)
    ? failure(error, at)
    : payload["last_agent_message"] === null
      ? wordless(at)
      : none
  return [{ ...flushed, phase: "idle" }, [...events, ...ending]]
}

/** The host says that the turn ended without text. */
const wordless = (at: string | null): ReadonlyArray<TranscriptEvent> => [
  { type: "assistant_message", id: null, at, text: "", completed: true, outputTokens: null, model: null }
]

/** If only a review ended, there is no notice. */
const aborted = (state: State, reason: string, at: string | null): Step => {
  const [flushed, events] = Messages.flush(state)
  const kind = reason === "budget_limited" ? "rate_limited" : "aborted"
  const told = reason === "review_ended" ? none : [notice(kind, at, reason === "" ? null : reason)]
  return [{ ...flushed, phase: "idle" }, [...events, ...told]]
}

const limits = /usage.?limit|rate.?limit|quota|too many requests|\b429\b|context.?window/i

/** The notice says whether the host tries again. */
export const failure = (error: Json.Json, at: string | null): ReadonlyArray<TranscriptEvent> => {
  const message = Json.text(error["message"])
  const info = error["codex_error_info"] ?? error["codexErrorInfo"] ?? error["kind"]
  const kind = `${typeof info === "string" ? info : Object.keys(Json.object(info)).join(" ")} ${message.slice(0, 500)}`
  const isRetried = error["willRetry"] === true || error["will_retry"] === true
  return [notice(limits.test(kind) ? "rate_limited" : "api_error", at, isRetried ? `retrying: ${message}` : message)]
}
