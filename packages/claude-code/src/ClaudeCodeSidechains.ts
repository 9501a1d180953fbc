/**
 * The files in which Claude Code records what a session's subagents did.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as JsonLines from "@reflexion/core/JsonLines"
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
import * as Files from "./internal/files.ts"
import * as Json from "./internal/json.ts"
import * as Outcome from "./internal/outcome.ts"
import * as RawLine from "./internal/rawLine.ts"

const maxCalls = 20_000
const maxFiles = 2_000
const maxText = 4 * 1024
const edits = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

/**
 * The sidechain files of a session: `<session>/subagents/agent-*.jsonl` beside its transcript, at any depth, and the
 * `agent-*.jsonl` of older versions in the transcript's own directory.
 *
 * @since 0.1.0
 * @category accessors
 */
export const files = Effect.fn("ClaudeCodeSidechains.files")(function* (
  transcript: string
): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const directory = path.dirname(transcript)
  const session = path.basename(transcript).replace(/\.jsonl(\.gz)?$/, "")
  const nested = path.join(directory, session, "subagents")
  const own = (yield* Files.list(nested, { recursive: true })).filter((name) => isSidechain(path.basename(name)))
  const siblings = (yield* Files.list(directory)).filter(isSidechain).slice(0, maxFiles)
  const older = yield* Effect.filter(siblings, (name) =>
    Effect.map(Files.firstLine(path.join(directory, name), "sessionId"), (id) => id === session)
  )
  return [...own.map((name) => path.join(nested, name)), ...older.map((name) => path.join(directory, name))].slice(
    0,
    maxFiles
  )
})

const isSidechain = (name: string): boolean => name.startsWith("agent-") && name.endsWith(".jsonl")

/**
 * The shell commands and edits of a session's subagents, as far as memory allows: outputs clipped, 20,000 calls at most.
 *
 * @since 0.1.0
 * @category accessors
 */
export const read = Effect.fn("ClaudeCodeSidechains.read")(function* (
  transcript: string
): Effect.fn.Return<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const calls = new Map<string, ToolCall>()
  for (const file of yield* files(transcript)) {
    if (calls.size >= maxCalls) break
    yield* readFile(file, calls)
  }
  return [...calls.values()]
})

const readFile = Effect.fnUntraced(function* (file: string, calls: Map<string, ToolCall>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const agentId = path.basename(file, ".jsonl").slice("agent-".length)
  const lines = JsonLines.make({ skip: (line) => RawLine.ignores(line) !== null })
  let state = ClaudeCodeTranscript.initial
  const take = (items: ReadonlyArray<JsonLines.Item>): void => {
    for (const item of items) {
      if (item._tag === "warning" || !Json.isObject(item.value)) continue
      const named = Json.string(item.value["agentId"]) ?? agentId
      const [next, events] = ClaudeCodeTranscript.step(state, { ...item.value, isSidechain: true, agentId: named })
      state = next
      keep(calls, events)
    }
  }
  yield* Stream.runForEach(fs.stream(file), (chunk) => Effect.sync(() => take(lines.push(chunk))))
  take(lines.end())
})

const keep = (calls: Map<string, ToolCall>, events: ReadonlyArray<TranscriptEvent>): void => {
  for (const event of events) {
    if (event.type !== "tool_call" || event.id === null) continue
    if (!Outcome.isShell(event.tool) && !edits.has(event.tool)) continue
    if (calls.size >= maxCalls && !calls.has(event.id)) continue
    calls.set(event.id, clipped(event))
  }
}

const clipped = (call: ToolCall): ToolCall => ({
  ...call,
  input: clippedInput(call.input),
  output: call.output === null ? null : Json.clip(call.output, maxText / 2)
})

/** An edit's texts prove nothing more than its path does; a command is kept whole. */
const clippedInput = (input: unknown): unknown =>
  Json.isObject(input)
    ? Object.fromEntries(
        Object.entries(input).flatMap(([key, value]) => {
          if (typeof value !== "string") return typeof value === "object" ? [] : [[key, value]]
          return [[key, key === "command" ? value : Json.clip(value, maxText / 2)]]
        })
      )
    : null
