/** Reads the rollouts of a session's agents from disk. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as AgentRollouts from "./AgentRollouts.ts"
import * as CodexTranscript from "./CodexTranscript.ts"

/** Returns at most 20,000 calls, with clipped outputs. */
export const read = (record: string): Effect.Effect<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem> =>
  Effect.suspend(() =>
    RecordFiles.calls(AgentRollouts.of(record, 2000), { initial: CodexTranscript.initial, step: AgentRollouts.step })
  )
