/** Decodes Claude Code's session files (`~/.claude/projects/<slug>/<session>.jsonl`) into events. */
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import {
  notice,
  startSteps,
  type TranscriptDecoder
} from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Lines from "./internal/lines.ts"
import * as Messages from "./internal/messages.ts"
import * as Internal from "./internal/state.ts"
import { none, type State, type Step } from "./internal/state.ts"

export type { State } from "./internal/state.ts"

export const initial: State = Internal.initial

/**
 * Never throws. An unimportant value or a repeated record gives the same state and no events. The host repeats some
 * records after a compaction or when a session is reopened.
 */
export const step = (state: State, value: unknown): Step => {
  if (!Json.isObject(value)) return [state, none]
  const uuid = Json.string(value["uuid"])
  const id = `${Json.text(value["type"])} ${uuid}`
  if (uuid !== null && state.seen?.has(id) === true) return [state, none]
  const current = known(state, value)
  const [next, events] = decodeLine(current, value)
  if (uuid === null || (next === current && events.length === 0)) return [next, events]
  return [{ ...next, seen: (state.seen ?? new Set()).add(id) }, events]
}

export const finish = (state: State): ReadonlyArray<TranscriptEvent> => {
  const [, failed] = Lines.giveUp(state)
  return state.queue.some(({ kind }) => kind !== "harness") ? [...failed, notice("input_queued", null, null)] : failed
}

/** Whether a person is present, by entry point. Unknown for any other entry point. */
const attendedBy: ReadonlyMap<unknown, boolean> = new Map([
  ["cli", true],
  ["claude-vscode", true],
  ["claude-desktop", true],
  ["sdk-cli", false],
  ["sdk-ts", false],
  ["sdk-py", false]
])

const known = (state: State, line: Json.Json): State => {
  const isMessage = state.agentOnly !== false && messageTypes.has(Json.text(line["type"]))
  const facts = {
    sessionId: state.sessionId ?? Json.string(line["sessionId"]),
    cwd: state.cwd ?? Json.string(line["cwd"]),
    agentOnly: isMessage ? line["isSidechain"] === true : state.agentOnly,
    attended: line["entrypoint"] === undefined ? state.attended : (attendedBy.get(line["entrypoint"]) ?? null)
  }
  const isNew =
    facts.sessionId !== state.sessionId ||
    facts.cwd !== state.cwd ||
    facts.agentOnly !== state.agentOnly ||
    facts.attended !== state.attended
  return isNew ? { ...state, ...facts } : state
}

const decodeLine = (state: State, line: Json.Json): Step => {
  switch (line["type"]) {
    case "user":
      return Messages.user(state, line)
    case "assistant":
      return Messages.assistant(state, line)
    case "progress":
      return progress(state, line)
    case "system":
      return line["isSidechain"] === true ? [state, none] : Lines.system(state, line)
    case "attachment":
      return line["isSidechain"] === true ? [state, none] : Lines.attachment(state, line)
    case "queue-operation":
      return Lines.queueOperation(state, line)
    case "permission-mode":
      return Lines.permissionMode(state, line)
    default:
      return [state, none]
  }
}

/** Some versions write a subagent's message into the progress of its parent. */
const progress = (state: State, line: Json.Json): Step => {
  const data = Json.object(line["data"])
  if (data["type"] !== "agent_progress") return [state, none]
  const inner = Json.object(data["message"])
  const nested = {
    ...inner,
    cwd: line["cwd"],
    isSidechain: true,
    agentId: Json.string(data["agentId"]) ?? Json.string(line["parentToolUseID"])
  }
  return decodeLine(state, { ...nested, type: inner["type"] === "assistant" ? "assistant" : "user" })
}

const snapshot = new TextEncoder().encode('{"type":"file-history-snapshot",')

/** The host's snapshots of files are long, and we do not need them. */
export const ignores = (line: Uint8Array): string | null =>
  snapshot.every((byte, at) => line[at] === byte) ? "file-history-snapshot" : null

export const session = (state: State): SessionInfo => ({
  host: "claude-code",
  sessionId: state.sessionId,
  parentSessionId: state.agentOnly === true ? (state.sessionId ?? "unknown") : null,
  cwd: state.cwd,
  mode: state.mode,
  attended: state.attended
})

/**
 * @example
 * ```ts
 * import { ClaudeCodeTranscript } from "@reflexion/claude-code"
 * import { TranscriptReader } from "@reflexion/core"
 *
 * const line = JSON.stringify({
 *   type: "user",
 *   sessionId: "3910c9b3-fac3-4d4c-8433-5d751e8e1041",
 *   uuid: "46d89c69-5d56-4301-afbd-befd4a1d8886",
 *   timestamp: "2026-01-31T10:12:01.000Z",
 *   message: { role: "user", content: "Fix the discount." }
 * })
 *
 * const reader = TranscriptReader.make({ decoders: [ClaudeCodeTranscript.decoder] })
 * const events = [...reader.push(new TextEncoder().encode(`${line}\n`)), ...reader.end()]
 *
 * console.log(events.map(({ at, type }) => `${type} at ${at}`).join()) // => user_message at 2026-01-31T10:12:01.000Z
 * ```
 */
export const decoder: TranscriptDecoder = {
  host: "claude-code",
  recognises: (value) => recognises(value),
  ignores,
  start: () => startSteps({ initial, step, finish, session, typeOf })
}

const typeOf = (value: unknown): string => {
  const line = Json.object(value)
  const inner =
    Json.string(line["subtype"]) ??
    Json.string(Json.object(line["attachment"])["type"]) ??
    Json.string(Json.object(line["data"])["type"])
  const type = Json.string(line["type"]) ?? "untyped"
  return inner === null ? type : `${type}/${inner}`
}

const messageTypes = new Set(["user", "assistant", "system", "attachment", "progress"])
const bookkeeping = new Set(["queue-operation", "permission-mode", "mode", "last-prompt", "ai-title", "custom-title"])

const recognises = (value: unknown): boolean => {
  const line = Json.object(value)
  const type = Json.text(line["type"])
  if (messageTypes.has(type)) {
    return typeof line["sessionId"] === "string" && (typeof line["uuid"] === "string" || "parentUuid" in line)
  }
  if (bookkeeping.has(type)) return typeof line["sessionId"] === "string"
  if (type === "file-history-snapshot") return "snapshot" in line
  return type === "summary" && typeof line["leafUuid"] === "string"
}
