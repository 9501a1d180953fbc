/**
 * The sessions of the agents that a session started: an export holds one session, and what the agents of a `task` did
 * is in sessions of their own. What is kept of them are their shell commands and edits.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Json from "@reflexion/core/Json"
import * as JsonLines from "@reflexion/core/JsonLines"
import * as RecordFiles from "@reflexion/core/RecordFiles"
import * as SubagentMerge from "@reflexion/core/SubagentMerge"
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as Calls from "./internal/calls.ts"
import * as OpenCodeTranscript from "./OpenCodeTranscript.ts"

const maxFiles = 2_000
const maxCalls = 20_000
const maxOutput = 2 * 1024
const maxText = 64 * 1024

const messagesOf = (exported: unknown): ReadonlyArray<unknown> =>
  Array.isArray(exported) ? exported : Json.list(Json.object(exported)["messages"])

/**
 * The sessions that a session's `task` calls started, by its export or its messages.
 *
 * @since 0.1.0
 * @category accessors
 */
export const children = (exported: unknown): ReadonlyArray<string> => {
  const parts = messagesOf(exported).flatMap((message) => Json.list(Json.object(message)["parts"]))
  const found = parts.map((part) => Calls.childOf(Json.object(part)))
  return [...new Set(found.filter((id) => id !== null))]
}

const kept = new Set(["bash", "shell", "edit", "write", "multiedit", "apply_patch", "patch"])

const clipped = (value: unknown): unknown => (typeof value === "string" ? Json.clip(value, maxText / 2) : value)

const clippedFields = (input: unknown): unknown =>
  Json.isObject(input)
    ? Object.fromEntries(Object.entries(input).map(([key, value]) => [key.slice(0, 200), clipped(value)]))
    : clipped(input)

/**
 * The shell commands and edits in an agent's export, under the agent's name: two agents may number their calls alike.
 * Total, as `OpenCodeTranscript.step` is.
 *
 * @since 0.1.0
 * @category decoding
 */
export const calls = (exported: unknown): ReadonlyArray<ToolCall> => {
  const [state, events] = OpenCodeTranscript.step(OpenCodeTranscript.initial, exported)
  const agentId = state.sessionId ?? "agent"
  return events.flatMap((event) => {
    if (event.type !== "tool_call" || event.id === null || !kept.has(event.tool)) return []
    const output = event.output === null ? null : Json.clip(event.output, maxOutput)
    return [{ ...event, agentId, id: `${agentId}/${event.id}`, input: clippedFields(event.input), output }]
  })
}

/**
 * The events of a session with its agents' calls among them, each where it ended.
 *
 * @since 0.1.0
 * @category combinators
 */
export const merged = (
  events: ReadonlyArray<TranscriptEvent>,
  agents: ReadonlyArray<unknown>
): ReadonlyArray<TranscriptEvent> => {
  const merge = SubagentMerge.make(agents.flatMap(calls).slice(0, maxCalls))
  return [...merge.push(events), ...merge.end()]
}

/**
 * The folder beside a session's export in which the exports of its agents are.
 *
 * @since 0.1.0
 * @category accessors
 */
export const folder = (path: Path.Path, file: string): string => path.join(file.replace(/\.json$/, ""), "subagents")

/**
 * The calls of a session's agents by their exports in `<session>/subagents/`, beside the session's own: outputs clipped,
 * 20,000 calls at most.
 *
 * @since 0.1.0
 * @category accessors
 */
export const read = Effect.fn("OpenCodeAgents.read")(function* (
  file: string
): Effect.fn.Return<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = folder(path, file)
  const names = (yield* RecordFiles.list(directory)).filter((name) => name.endsWith(".json")).slice(0, maxFiles)
  const found: Array<ToolCall> = []
  for (const name of names) {
    if (found.length >= maxCalls) break
    found.push(...calls(JsonLines.first(yield* fs.readFileString(path.join(directory, name)))))
  }
  return found.slice(0, maxCalls)
})
