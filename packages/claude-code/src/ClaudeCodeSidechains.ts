/**
 * The files in which Claude Code records what a session's subagents did.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as JsonLines from "@reflexion/core/JsonLines"
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
import * as Files from "./internal/files.ts"
import * as RawLine from "./internal/rawLine.ts"
import * as SidechainCalls from "./SidechainCalls.ts"

const maxCalls = 20_000
const maxFiles = 2_000

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
  const own = (yield* Files.list(nested, { recursive: true })).filter((name) =>
    SidechainCalls.isFile(path.basename(name))
  )
  const siblings = (yield* Files.list(directory)).filter(SidechainCalls.isFile).slice(0, maxFiles)
  const older = yield* Effect.filter(siblings, (name) =>
    Effect.map(Files.firstLine(path.join(directory, name), "sessionId"), (id) => id === session)
  )
  return [...own.map((name) => path.join(nested, name)), ...older.map((name) => path.join(directory, name))].slice(
    0,
    maxFiles
  )
})

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
  const lines = JsonLines.make({ skip: (line) => RawLine.ignores(line) !== null })
  let state = ClaudeCodeTranscript.initial
  const take = (items: ReadonlyArray<JsonLines.Item>): void => {
    for (const item of items) {
      if (item._tag === "warning") continue
      const [next, found] = SidechainCalls.step(state, item.value, file)
      state = next
      for (const call of found) keep(calls, call)
    }
  }
  yield* Stream.runForEach(fs.stream(file), (chunk) => Effect.sync(() => take(lines.push(chunk))))
  take(lines.end())
})

const keep = (calls: Map<string, ToolCall>, call: ToolCall): void => {
  if (call.id === null || (calls.size >= maxCalls && !calls.has(call.id))) return
  calls.set(call.id, call)
}
