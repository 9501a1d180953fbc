/** Reads the shell commands and edits of the agents that a session started. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as SubagentMerge from "@reflexion/core/internal/session/transcript/SubagentMerge"
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as Calls from "./Calls.ts"
import * as OpenCodeTranscript from "./OpenCodeTranscript.ts"

const maxFiles = 2_000
const maxCalls = 20_000
const maxOutput = 2 * 1024
const maxText = 64 * 1024

const messagesOf = (exported: unknown): ReadonlyArray<unknown> =>
  Array.isArray(exported) ? exported : Json.list(Json.object(exported)["messages"])

/** The sessions that a session's `task` calls started or continued. `exported` is an export or a list of messages. */
export const children = (exported: unknown): ReadonlyArray<string> => [
  ...new Set(
    messagesOf(exported).flatMap((message) =>
      Json.list(Json.object(message)["parts"]).flatMap((part) => Calls.childOf(Json.object(part)) ?? [])
    )
  )
]

/** Visits the `first` sessions, and the sessions that each visit returns. Visits each session once, the root never. */
export const follow = Effect.fnUntraced(function* <E, R>(options: {
  readonly root: string
  readonly first: ReadonlyArray<string>
  readonly most: number
  readonly visit: (sessionId: string) => Effect.Effect<ReadonlyArray<string>, E, R>
}) {
  const waiting = [...options.first]
  const seen = new Set([options.root])
  for (let next = waiting.shift(); next !== undefined && seen.size <= options.most; next = waiting.shift()) {
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(yield* options.visit(next)))
  }
})

const kept = new Set(["bash", "shell", "edit", "write", "multiedit", "apply_patch", "patch"])

const clipped = (value: unknown): unknown => (typeof value === "string" ? Json.clip(value, maxText / 2) : value)

const clippedFields = (input: unknown): unknown =>
  Json.isObject(input)
    ? Object.fromEntries(Object.entries(input).map(([key, value]) => [key.slice(0, 200), clipped(value)]))
    : clipped(input)

/** Puts the agent's name into the ids, because two agents may use the same ids. */
export const calls = (exported: unknown): ReadonlyArray<ToolCall> => {
  const [state, events] = OpenCodeTranscript.step(OpenCodeTranscript.initial, exported)
  const agentId = state.sessionId ?? "agent"
  return events.flatMap((event) => {
    if (event.type !== "tool_call" || event.id === null || !kept.has(event.tool)) return []
    const output = event.output === null ? null : Json.clip(event.output, maxOutput)
    return [{ ...event, agentId, id: `${agentId}/${event.id}`, input: clippedFields(event.input), output }]
  })
}

/** Each call is at the position where it ended. */
export const merged = (
  events: ReadonlyArray<TranscriptEvent>,
  agents: ReadonlyArray<ToolCall>
): ReadonlyArray<TranscriptEvent> => {
  const merge = SubagentMerge.make(agents)
  return [...merge.push(events), ...merge.end()]
}

export const folder = (path: Path.Path, file: string): string => path.join(file.replace(/\.json$/, ""), "subagents")

/** Reads `<session>/subagents/`. Outputs are cut, and there are at most 20,000 calls. */
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
