/** The files in which Claude Code records what a session's subagents did. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
import * as SidechainCalls from "./SidechainCalls.ts"

const maxFiles = 2_000

/**
 * The sidechain files of a session: `<session>/subagents/agent-*.jsonl` beside its transcript, at any depth, and the
 * `agent-*.jsonl` of older versions in the transcript's own directory.
 *
 * @category accessors
 */
export const files = Effect.fn("ClaudeCodeSidechains.files")(function* (
  transcript: string
): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const directory = path.dirname(transcript)
  const session = path.basename(transcript).replace(/\.jsonl(\.gz)?$/, "")
  const nested = path.join(directory, session, "subagents")
  const own = (yield* RecordFiles.list(nested, { recursive: true })).filter((name) =>
    SidechainCalls.isFile(path.basename(name))
  )
  const siblings = (yield* RecordFiles.list(directory)).filter(SidechainCalls.isFile).slice(0, maxFiles)
  const older = yield* Effect.filter(siblings, (name) =>
    Effect.map(RecordFiles.firstString(path.join(directory, name), "sessionId"), (id) => id === session)
  )
  return [...own.map((name) => path.join(nested, name)), ...older.map((name) => path.join(directory, name))].slice(
    0,
    maxFiles
  )
})

/**
 * The shell commands and edits of a session's subagents, as far as memory allows: outputs clipped, 20,000 calls at most.
 *
 * @category accessors
 */
export const read = Effect.fn("ClaudeCodeSidechains.read")(function* (
  transcript: string
): Effect.fn.Return<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem | Path.Path> {
  return yield* RecordFiles.calls(yield* files(transcript), {
    initial: ClaudeCodeTranscript.initial,
    step: SidechainCalls.step
  })
})
