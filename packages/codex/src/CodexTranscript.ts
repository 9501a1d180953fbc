/** Decodes Codex's session files since October 2025, and the event stream of `codex exec --json`, into events. */
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import { startSteps, type TranscriptDecoder } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Exec from "./internal/exec.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Messages from "./internal/messages.ts"
import * as Rollout from "./internal/rollout.ts"
import * as Internal from "./internal/state.ts"
import { none, type State, type Step } from "./internal/state.ts"

export type { State } from "./internal/state.ts"

export const initial: State = Internal.initial

/** Never throws. An unimportant value gives the same state and no events. */
export const step = (state: State, value: unknown): Step => {
  if (!Json.isObject(value)) return [state, none]
  return Exec.types.has(Json.text(value["type"])) ? Exec.line(state, value) : Rollout.line(state, value)
}

export const finish = (state: State): ReadonlyArray<TranscriptEvent> => Messages.flush(state)[1]

export const session = (state: State): SessionInfo => ({
  host: "codex",
  sessionId: state.sessionId,
  parentSessionId: state.parentSessionId,
  cwd: state.cwd,
  mode: state.mode,
  attended: state.attended
})

/**
 * @example
 * ```ts
 * import { CodexTranscript } from "@reflexion/codex"
 * import { TranscriptReader } from "@reflexion/core"
 *
 * const line = (type: string, payload: object) =>
 *   JSON.stringify({ timestamp: "2026-01-31T10:12:01.000Z", type, payload }) + "\n"
 *
 * const reader = TranscriptReader.make({ decoders: [CodexTranscript.decoder] })
 * const rollout = line("session_meta", { id: "01a200fd-2d61-7412-bd45-32e0e6a1a300", cwd: "/home/dev/shop" })
 *
 * reader.push(new TextEncoder().encode(rollout))
 * console.log(reader.session().cwd) // => /home/dev/shop
 * ```
 */
export const decoder: TranscriptDecoder = {
  host: "codex",
  recognises: (value) => recognises(value),
  start: () => startSteps({ initial, step, finish, session, typeOf })
}

const typeOf = (value: unknown): string => {
  const line = Json.object(value)
  const payload = Json.object(line["payload"])
  const type = Json.string(line["type"]) ?? "untyped"
  const item = Json.string(Json.object(payload["item"] ?? line["item"])["type"])
  const inner = Json.string(payload["type"])
  return [type, inner, item].filter((part) => part !== null).join("/")
}

const lineTypes = new Set(["session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"])

const recognises = (value: unknown): boolean => {
  const line = Json.object(value)
  const type = Json.text(line["type"])
  if (lineTypes.has(type)) return Json.isObject(line["payload"]) && typeof line["timestamp"] === "string"
  return type === "thread.started" && typeof line["thread_id"] === "string"
}
