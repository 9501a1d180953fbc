/** Reads the rollouts of a session's agents from disk. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AgentRollouts from "./AgentRollouts.ts"
import * as CodexTranscript from "./CodexTranscript.ts"

const maxFiles = 2_000

/**
 * Returns the rollouts of a session's agents. These are next to the session's own, in later days of the same month, and
 * in `<session>/subagents/`.
 */
export const files = Effect.fn("CodexAgents.files")(function* (
  record: string
): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const sessionId = AgentRollouts.threadOf(record)
  const kept = yield* inFolder(
    path.join(record.replace(/\.jsonl(\.gz|\.zst)?$/, ""), "subagents"),
    AgentRollouts.rollouts
  )
  const own = yield* Effect.filter(
    yield* candidates(record),
    (file) => Effect.map(headOf(file), (head) => AgentRollouts.isOf(head, sessionId)),
    { concurrency: 16 }
  )
  return [...kept, ...own].slice(0, maxFiles)
})

/** Returns rollouts that may belong to the session's agents. Empty if the record's file name is not a rollout's. */
const candidates = Effect.fnUntraced(function* (record: string) {
  const path = yield* Path.Path
  const name = path.basename(record)
  if (AgentRollouts.rollouts([name.replace(/\.(?:gz|zst)$/, "")]).length === 0) return []
  const select = (names: ReadonlyArray<string>) => AgentRollouts.younger(name, names)
  const found = yield* Effect.forEach(yield* daysFrom(path.dirname(record)), (folder) => inFolder(folder, select))
  return found.flat().slice(0, maxFiles)
})

const daysFrom = Effect.fnUntraced(function* (own: string) {
  const path = yield* Path.Path
  const [day, month] = [path.basename(own), path.dirname(own)]
  if (!AgentRollouts.isDay(day)) return [own]
  return AgentRollouts.daysFrom(day, yield* RecordFiles.list(month)).map((name) => path.join(month, name))
})

const inFolder = Effect.fnUntraced(function* (
  folder: string,
  select: (names: ReadonlyArray<string>) => ReadonlyArray<string>
) {
  const path = yield* Path.Path
  return select(yield* RecordFiles.list(folder)).map((name) => path.join(folder, name))
})

const latin1 = new TextDecoder("latin1")

/** Reads the beginning of a file. A stream for each of many files would take several times as long. */
const readHead = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const head = yield* Effect.flatMap(fs.open(file), (opened) => opened.readAlloc(AgentRollouts.headBytes))
  return latin1.decode(Option.getOrElse(head, () => new Uint8Array()))
}, Effect.scoped)

/** Returns the beginning of a file. Empty if the file was removed meanwhile. */
const headOf = (file: string): Effect.Effect<string, PlatformError, FileSystem.FileSystem> =>
  Effect.catchIf(readHead(file), RecordFiles.isAbsent, () => Effect.succeed(""))

/** Returns the shell commands and patches of a session's agents, at most 20,000 calls. Outputs are clipped. */
export const read = Effect.fn("CodexAgents.read")(function* (
  record: string
): Effect.fn.Return<ReadonlyArray<ToolCall>, PlatformError, FileSystem.FileSystem | Path.Path> {
  return yield* RecordFiles.calls(yield* files(record), {
    initial: CodexTranscript.initial,
    step: AgentRollouts.step
  })
})
