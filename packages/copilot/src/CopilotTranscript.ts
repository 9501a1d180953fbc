/** Decodes the session records (`events.jsonl`) of GitHub's Copilot CLI into events. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import {
  modeOf,
  notice,
  startSteps,
  type TranscriptDecoder
} from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { Mode, SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Calls from "./internal/calls.ts"
import * as Internal from "./internal/state.ts"
import { none, type State, type Step } from "./internal/state.ts"

export type { State } from "./internal/state.ts"

export const initial: State = Internal.initial

const maxSynthetic = 4 * 1024

/** Never throws. An unimportant value gives the same state and no events. */
export const step = (state: State, value: unknown): Step => {
  const line = Json.object(value)
  const data = Json.object(line["data"])
  const at = Json.time(line["timestamp"])
  const agentId = Json.string(line["agentId"])
  switch (line["type"]) {
    case "tool.execution_start":
      return Calls.issue(state, data, agentId, at)
    case "tool.execution_complete":
      return Calls.settle(state, data, at)
    case "subagent.completed":
    case "subagent.failed":
      return Calls.agentEnded(state, data, line["type"] === "subagent.completed" ? "completed" : "error", at)
    case "abort":
      return aborted(state, data, agentId, at)
    default:
      // A subagent's prompt, texts and failures are not part of the main conversation.
      return agentId === null ? ofMain(state, line, data, at) : [state, none]
  }
}

const ofMain = (state: State, line: Json.Json, data: Json.Json, at: string | null): Step => {
  const id = Json.string(line["id"])
  switch (line["type"]) {
    case "session.start":
      return state.sessionId === null ? [started(state, data), none] : [state, none]
    case "session.mode_changed":
      return setMode(state, modeOf(data["newMode"]), at)
    case "user.message":
      return prompted(state, data, id, at)
    case "assistant.message":
      return [state, said(data["content"], data["model"], id, at)]
    // In autopilot, the agent's last message is the summary in this event.
    case "session.task_complete":
      return [state, said(data["summary"], null, id, at)]
    case "system.notification":
      return [state, [synthetic(Json.text(data["content"]), id, at)]]
    case "session.error":
      return [state, [failure(data, at)]]
    case "session.compaction_complete":
      return data["success"] === true ? [state, [notice("compacted", at, Json.string(data["trigger"]))]] : [state, none]
    default:
      return [state, none]
  }
}

const started = (state: State, data: Json.Json): State => ({
  ...state,
  sessionId: Json.string(data["sessionId"]),
  cwd: Json.string(Json.object(data["context"])["cwd"]),
  mode: "build"
})

const setMode = (state: State, mode: Mode | null, at: string | null): Step =>
  mode === null || mode === state.mode ? [state, none] : [{ ...state, mode }, [{ type: "mode_change", at, mode }]]

const synthetic = (text: string, id: string | null, at: string | null): TranscriptEvent => ({
  type: "user_message",
  id,
  at,
  text: Json.clip(text, maxSynthetic),
  synthetic: true
})

/** A queued text without `agentMode` comes from a hook. */
const isTyped = ({ agentMode, delivery, source }: Json.Json): boolean =>
  source === undefined && (delivery !== "queued" || agentMode !== undefined)

export const begins = (value: unknown): boolean => {
  const line = Json.object(value)
  const data = Json.object(line["data"])
  const isPrompt = line["type"] === "user.message" && line["agentId"] === undefined
  return isPrompt && isTyped(data) && data["delivery"] !== "steering"
}

const prompted = (state: State, data: Json.Json, id: string | null, at: string | null): Step => {
  const text = Json.text(data["content"]) || (Json.list(data["attachments"]).length > 0 ? "[attachment]" : "")
  if (!isTyped(data)) return [state, [synthetic(text, id, at)]]
  const isJoining = data["delivery"] === "steering" && state.turn >= 0
  const turn = isJoining ? state.turn : state.turn + 1
  const [next, events] = setMode({ ...state, turn }, modeOf(data["agentMode"]) ?? "build", at)
  return [next, [...events, { type: "user_message", id, at, text, synthetic: false, turn }]]
}

const said = (
  content: unknown,
  model: unknown,
  id: string | null,
  at: string | null
): ReadonlyArray<TranscriptEvent> => {
  const text = Json.text(content)
  if (text === "") return none
  return [{ type: "assistant_message", id, at, text, completed: true, outputTokens: null, model: Json.string(model) }]
}

const aborted = (state: State, data: Json.Json, agentId: string | null, at: string | null): Step => {
  const [next, events] = Calls.abort(state, agentId, at)
  return [next, agentId === null ? [...events, notice("aborted", at, Json.string(data["reason"]))] : events]
}

const limits = new Set<unknown>(["rate_limit", "quota"])

const failure = (data: Json.Json, at: string | null): TranscriptEvent =>
  notice(limits.has(data["errorType"]) ? "rate_limited" : "api_error", at, Json.string(data["message"]))

/** At a stop, Copilot's record is complete, so the decoder holds nothing back. */
export const finish = (): ReadonlyArray<TranscriptEvent> => none

export const session = ({ cwd, mode, sessionId }: State): SessionInfo => ({
  host: "copilot",
  sessionId,
  parentSessionId: null,
  cwd,
  mode
})

const types = /^(?:user\.message|(?:assistant|session|tool|hook)\.[a-z_]{1,40})$/

export const decoder: TranscriptDecoder = {
  host: "copilot",
  recognises: (value) => {
    const line = Json.object(value)
    return "parentId" in line && Json.isObject(line["data"]) && types.test(Json.text(line["type"]).slice(0, 60))
  },
  start: () => startSteps({ initial, step, finish, session, typeOf })
}

const typeOf = (value: unknown): string => Json.string(Json.object(value)["type"]) ?? "untyped"
