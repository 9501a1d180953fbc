/** The records of a session's subagents: `chats/<session>/<agent>.jsonl`, below the folder of the session's record. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as AgentCalls from "./AgentCalls.ts"
import * as GeminiTranscript from "./GeminiTranscript.ts"

const maxFiles = 2000

export const read = Effect.fn("GeminiAgents.read")(function* (
  record: string
): Effect.fn.Return<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const chats = path.dirname(record)
  const folders = (yield* RecordFiles.list(chats)).filter((name) => AgentCalls.isFolderOf(path.basename(record), name))
  const files = yield* Effect.forEach(folders, (folder) =>
    Effect.map(RecordFiles.list(path.join(chats, folder)), (names) =>
      names.filter((name) => name.endsWith(".jsonl")).map((name) => path.join(chats, folder, name))
    )
  )
  const { step } = AgentCalls
  return yield* RecordFiles.calls(files.flat().slice(0, maxFiles), { initial: GeminiTranscript.initial, step })
})
