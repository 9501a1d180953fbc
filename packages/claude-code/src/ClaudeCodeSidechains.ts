/** The files in which Claude Code records the work of a session's subagents. */
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
 * Returns the subagent files of a session: `<session>/subagents/agent-*.jsonl` next to its transcript, at any depth.
 */
export const files = Effect.fn("ClaudeCodeSidechains.files")(function* (
  transcript: string
): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const folder = path.join(transcript.replace(/\.jsonl(\.gz)?$/, ""), "subagents")
  const names = yield* RecordFiles.list(folder, { recursive: true })
  return names
    .filter((name) => SidechainCalls.isFile(path.basename(name)))
    .slice(0, maxFiles)
    .map((name) => path.join(folder, name))
})

/** Returns the shell commands and edits of a session's subagents, at most 20,000 calls. Outputs are clipped. */
export const read = Effect.fn("ClaudeCodeSidechains.read")(function* (
  transcript: string
): Effect.fn.Return<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem | Path.Path> {
  return yield* RecordFiles.calls(yield* files(transcript), {
    initial: ClaudeCodeTranscript.initial,
    step: SidechainCalls.step
  })
})
