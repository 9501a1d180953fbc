/** The files in which Claude Code records the work of a session's subagents. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as ClaudeCodeTranscript from "./ClaudeCodeTranscript.ts"
import * as SidechainCalls from "./SidechainCalls.ts"

/** Returns at most 20,000 calls, with clipped outputs. */
export const read = (
  transcript: string
): Effect.Effect<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem> =>
  Effect.suspend(() =>
    RecordFiles.calls(SidechainCalls.filesOf(transcript), {
      initial: ClaudeCodeTranscript.initial,
      step: SidechainCalls.step
    })
  )
