/** Decodes lines that are not messages: attachments, the input queue, modes, and reports of the host. */
import { modeOf, notice } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { Notice, TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import * as Calls from "./calls.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Notification from "./notification.ts"
import * as Prompt from "./prompt.ts"
import { none, type State, type Step } from "./state.ts"

const maxSynthetic = 8 * 1024

export const synthetic = (line: Json.Json, text: string): UserMessage => ({
  type: "user_message",
  id: Json.string(line["uuid"]),
  at: Json.time(line["timestamp"]),
  text: Json.clip(text, maxSynthetic / 2),
  synthetic: true
})

/** A mode that the host wrote between two turns applies to the next turn, not to the one that has ended. */
export const permissionMode = (state: State, line: Json.Json): Step => {
  const mode = modeOf(line["permissionMode"])
  if (mode === null || (mode === state.mode && state.nextMode === null)) return [state, none]
  return [{ ...state, nextMode: mode }, none]
}

export const queueOperation = (state: State, line: Json.Json): Step => {
  switch (line["operation"]) {
    case "enqueue": {
      const text = Json.text(line["content"])
      const kind = Notification.isNotification(text) ? "harness" : "new"
      return [{ ...state, queue: [...state.queue, { kind, text }] }, none]
    }
    case "dequeue":
      return [{ ...state, queue: state.queue.slice(1), dequeued: state.queue[0]?.kind === "waited" }, none]
    case "remove":
      return removed(state, line)
    case "popAll":
      return [{ ...state, queue: [] }, none]
    default:
      return [state, none]
  }
}

/** The agent continued, so a new prompt in the queue has waited. A prompt that the host takes at once has not. */
export const waited = (state: State): State =>
  state.queue.some(({ kind }) => kind === "new")
    ? { ...state, queue: state.queue.map((entry) => (entry.kind === "new" ? { ...entry, kind: "waited" } : entry)) }
    : state

/** The host runs a command of this form itself. */
const hostCommand = /^\/[a-z][\w:-]*(?:\s|$)/i

/** The entry joins the running turn. Newer versions repeat it in an attachment, which is then skipped. */
const removed = (state: State, line: Json.Json): Step => {
  const [entry, ...queue] = state.queue
  const next = { ...state, queue }
  if (entry === undefined || entry.text === "" || hostCommand.test(entry.text)) return [next, none]
  const [settled, events] = queuedText(next, line, entry.text)
  // A notification may leave the queue before its call is on record. Then its later attachment counts.
  if (entry.kind === "harness" && events.length < 2) return [next, none]
  return [{ ...settled, joined: [...settled.joined, entry.text] }, events]
}

export const attachment = (state: State, line: Json.Json): Step => {
  const attached = Json.object(line["attachment"])
  const at = Json.time(line["timestamp"])
  switch (attached["type"]) {
    case "queued_command":
      return queuedCommand(state, line, attached)
    case "plan_mode":
    case "plan_mode_reentry":
      return attached["isSubAgent"] === true ? [state, none] : Calls.setMode(state, "plan", at)
    case "plan_mode_exit":
      return Calls.setMode(state, "build", at)
    case "hook_additional_context":
    case "hook_blocking_error":
      return stopHook(state, line, attached)
    default:
      return [state, none]
  }
}

/** A message that the user typed while the agent worked joins the running turn. */
const queuedCommand = (state: State, line: Json.Json, attached: Json.Json): Step => {
  const raw = Json.contentText(attached["prompt"])
  const known = state.joined.indexOf(raw)
  if (known !== -1) return [{ ...state, joined: state.joined.filter((_, at) => at !== known) }, none]
  const origin = Json.string(Json.object(attached["origin"])["kind"])
  const mode = Json.string(attached["commandMode"]) ?? "prompt"
  const isHuman = mode === "prompt" && (origin === null || origin === "human")
  return isHuman || Notification.isNotification(raw) ? queuedText(state, line, raw) : [state, [synthetic(line, raw)]]
}

const queuedText = (state: State, line: Json.Json, raw: string): Step => {
  if (Notification.isNotification(raw)) {
    const [next, events] = Notification.apply(state, raw, Json.time(line["timestamp"]))
    return [next, [synthetic(line, raw), ...events]]
  }
  const prompt = Prompt.classify(raw)
  return [state, [prompt.kind === "genuine" ? joined(state, line, prompt.text) : synthetic(line, raw)]]
}

export const joined = (state: State, line: Json.Json, text: string): TranscriptEvent => ({
  type: "user_message",
  id: Json.string(line["uuid"]),
  at: Json.time(line["timestamp"]),
  text,
  synthetic: false,
  turn: Math.max(0, state.turn)
})

/** A Stop hook gave this text to the agent. Reflexion finds its own feedback in it. */
const stopHook = (state: State, line: Json.Json, attached: Json.Json): Step => {
  const event = Json.text(attached["hookEvent"])
  if (event !== "Stop" && event !== "SubagentStop") return [state, none]
  const content = attached["content"] ?? Json.object(attached["blockingError"])["blockingError"]
  const text = Array.isArray(content) ? content.filter((one) => typeof one === "string").join("\n") : Json.text(content)
  return text === "" ? [state, none] : [state, [synthetic(line, text)]]
}

export const system = (state: State, line: Json.Json): Step => {
  const at = Json.time(line["timestamp"])
  switch (line["subtype"]) {
    case "compact_boundary":
      return [state, [notice("compacted", at, Json.string(Json.object(line["compactMetadata"])["trigger"]))]]
    case "api_error":
      return [{ ...state, retrying: { at, ...retry(line) } }, none]
    case "turn_duration": {
      const agents = Json.number(line["pendingBackgroundAgentCount"]) ?? 0
      const workflows = Json.number(line["pendingWorkflowCount"]) ?? 0
      if (agents + workflows <= 0) return [state, none]
      return [state, [notice("background_running", at, `${agents + workflows} in the background`)]]
    }
    default:
      return [state, none]
  }
}

const retry = (line: Json.Json): { readonly kind: Notice["kind"]; readonly detail: string } => {
  const error = Json.object(line["error"])
  const status = Json.number(error["status"])
  const attempt = `attempt ${Json.number(line["retryAttempt"]) ?? "?"} of ${Json.number(line["maxRetries"]) ?? "?"}`
  return {
    kind: status === 429 ? "rate_limited" : "api_error",
    detail: `request failed${status === null ? "" : ` with status ${status}`}, ${attempt}`
  }
}

export const giveUp = (state: State): Step => {
  if (state.retrying === null) return [state, none]
  const { at, detail, kind } = state.retrying
  return [{ ...state, retrying: null }, [notice(kind, at, detail)]]
}
