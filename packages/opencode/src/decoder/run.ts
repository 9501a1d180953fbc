/** The event stream of `opencode run --format json`: parts as they are complete, and no prompt. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as Calls from "./Calls.ts"
import * as Notices from "./notices.ts"
import type { State, Step } from "./state.ts"

const none: ReadonlyArray<TranscriptEvent> = []

const types = new Set<unknown>(["step_start", "step_finish", "tool_use", "text", "reasoning", "error"])

export const isLine = (value: Json.Json): boolean =>
  types.has(value["type"]) &&
  typeof value["sessionID"] === "string" &&
  (Json.isObject(value["part"]) || Object.hasOwn(value, "error"))

export const line = (state: State, value: Json.Json): Step => {
  // Nobody answers the command that prints this.
  const named = { ...state, sessionId: state.sessionId ?? Json.string(value["sessionID"]), attended: false }
  return [named, events(Json.object(value["part"]), value)]
}

const events = (part: Json.Json, value: Json.Json): ReadonlyArray<TranscriptEvent> => {
  const at = Json.millis(value["timestamp"])
  if (value["type"] === "error") return Notices.ofError(value["error"], at)
  if (value["type"] === "text") return said(part, at)
  if (value["type"] !== "tool_use") return none
  const call = Calls.ofPart(part, null)
  const todos = Calls.todosOf(call)
  return todos === null ? [call] : [call, todos]
}

const said = (part: Json.Json, at: string | null): ReadonlyArray<TranscriptEvent> => {
  const text = Json.text(part["text"])
  if (text.trim() === "") return none
  const id = Json.string(part["id"])
  return [{ type: "assistant_message", id, at, text, completed: null, outputTokens: null, model: null }]
}
