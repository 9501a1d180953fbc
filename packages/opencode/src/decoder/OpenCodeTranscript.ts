/** Decodes OpenCode's sessions: an output of `opencode export`, an answer of `session.messages`, or single messages. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import {
  chain,
  startSteps,
  type TranscriptDecoder
} from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Assistant from "./assistant.ts"
import * as Internal from "./state.ts"
import type { State } from "./state.ts"
import * as User from "./User.ts"

export type { State } from "./state.ts"

export const initial: State = Internal.initial

/** Takes each message once, and all earlier messages as one value. Never throws: an unknown value changes nothing. */
export const step = (state: State, value: unknown): Internal.Step => {
  if (Array.isArray(value)) return messages(state, value.map(Json.object))
  if (!Json.isObject(value)) return [state, Internal.none]
  if (Array.isArray(value["messages"])) return exported(state, value)
  if (Json.isObject(value["info"])) return one(state, value, false)
  return isSession(value) ? [begun(state, value), Internal.none] : [state, Internal.none]
}

const isSession = (value: Json.Json): boolean =>
  typeof value["id"] === "string" && typeof value["directory"] === "string" && value["role"] === undefined

const begun = (state: State, info: Json.Json): State => {
  const sessionId = state.sessionId ?? Json.string(info["id"])
  if (sessionId !== info["id"]) return state
  return {
    ...state,
    sessionId,
    parentSessionId: state.parentSessionId ?? Json.string(info["parentID"]),
    cwd: state.cwd ?? Json.string(info["directory"]),
    attended: asksNobody(info) ? false : state.attended
  }
}

/** True if the session cannot ask a user, for example in `opencode run`. */
const asksNobody = (info: Json.Json): boolean =>
  Json.list(info["permission"])
    .map(Json.object)
    .some(({ action, pattern, permission }) => permission === "question" && pattern === "*" && action === "deny")

const exported = (state: State, value: Json.Json): Internal.Step => {
  const info = Json.object(value["info"])
  return messages(begun(state, info), standing(info, Json.list(value["messages"]).map(Json.object)))
}

const standing = (info: Json.Json, all: ReadonlyArray<Json.Json>): ReadonlyArray<Json.Json> => {
  const reverted = Json.string(Json.object(info["revert"])["messageID"])
  const at = reverted === null ? -1 : all.findIndex((one) => Json.object(one["info"])["id"] === reverted)
  return at === -1 ? all : all.slice(0, at)
}

const isAssistant = (message: Json.Json): boolean => Json.object(message["info"])["role"] === "assistant"

const messages = (state: State, all: ReadonlyArray<Json.Json>): Internal.Step => {
  const last = all.findLastIndex(isAssistant)
  return chain(state, ...all.map((message, index) => (current: State) => one(current, message, index < last)))
}

const one = (state: State, value: Json.Json, isPast: boolean): Internal.Step => {
  const info = Json.object(value["info"])
  const parts = Json.list(value["parts"]).map(Json.object)
  if (info["role"] === "user") return User.message(placed(state, info), info, parts)
  if (info["role"] === "assistant") return Assistant.message(placed(state, info), { info, parts, isPast })
  return isSession(info) ? [begun(state, info), Internal.none] : [state, Internal.none]
}

/** Every message names its session. An agent's message also names the directory. */
const placed = (state: State, info: Json.Json): State => {
  const sessionId = state.sessionId ?? Json.string(info["sessionID"])
  const cwd = state.cwd ?? Assistant.directoryOf(info)
  return sessionId === state.sessionId && cwd === state.cwd ? state : { ...state, sessionId, cwd }
}

/** The events to add at the end of the input, for example at a stop. */
export const finish = (state: State): ReadonlyArray<TranscriptEvent> => Assistant.unfinished(state)

export const session = (state: State): SessionInfo => ({
  host: "opencode",
  sessionId: state.sessionId,
  parentSessionId: state.parentSessionId,
  cwd: state.cwd,
  mode: state.mode,
  attended: state.attended
})

export const decoderOf = (host: string): TranscriptDecoder => ({
  host,
  recognises: (value) => recognises(value),
  start: () => startSteps({ initial, step, finish, session: (state) => ({ ...session(state), host }), typeOf })
})

/**
 * @example
 * ```ts
 * import { TranscriptReader } from "@reflexion/core"
 * import { OpenCodeTranscript } from "@reflexion/opencode"
 *
 * // What `opencode export` prints.
 * const exported = JSON.stringify({
 *   info: { id: "ses_1", directory: "/home/dev/shop" },
 *   messages: [
 *     {
 *       info: { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 1_769_854_321_000 } },
 *       parts: [{ id: "prt_1", messageID: "msg_1", sessionID: "ses_1", type: "text", text: "Fix the discount." }]
 *     }
 *   ]
 * })
 *
 * const reader = TranscriptReader.make({ decoders: [OpenCodeTranscript.decoder] })
 * const events = [...reader.push(new TextEncoder().encode(exported)), ...reader.end()]
 *
 * console.log(events.map(({ at, type }) => `${type} at ${at}`).join()) // => user_message at 2026-01-31T10:12:01.000Z
 * ```
 */
export const decoder: TranscriptDecoder = decoderOf("opencode")

const typeOf = (value: unknown): string => {
  const { info, role, type } = Json.object(value)
  return Json.string(type) ?? Json.string(Json.object(info)["role"]) ?? Json.string(role) ?? "untyped"
}

const isMessage = (value: unknown): boolean => {
  const { info, parts } = Json.object(value)
  const { role, sessionID } = Json.object(info)
  return (role === "user" || role === "assistant") && typeof sessionID === "string" && Array.isArray(parts)
}

const recognises = (value: unknown): boolean => {
  if (Array.isArray(value)) return isMessage(value[0])
  const document = Json.object(value)
  if (Array.isArray(document["messages"])) return isSession(Json.object(document["info"]))
  return isMessage(document)
}
