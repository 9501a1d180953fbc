/** Finds the sessions of a directory in Claude Code's folder. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"

const maxCandidates = 100

/** Two directories can have the same folder, for example `/a/b` and `/a-b`. */
export const slug = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, "-")

/** `CLAUDE_CONFIG_DIR`, or `.claude` in the user's home directory. */
export const configDirectory = RecordFiles.folder("CLAUDE_CONFIG_DIR", ".claude")

/** Searches the newest 100, and keeps only sessions that began in exactly this directory. */
export const recent = Effect.fn("ClaudeCodeSessions.recent")(function* (options: {
  readonly cwd: string
  readonly configDirectory: string
  readonly limit: number
}): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const { cwd, limit } = options
  const slugs = new Set((yield* RecordFiles.namesOf(cwd)).map(slug))
  const folders = [...slugs].map((name) => path.join(options.configDirectory, "projects", name))
  const found = yield* RecordFiles.latest((yield* Effect.forEach(folders, sessionsIn)).flat(), maxCandidates)
  return yield* RecordFiles.allBegunIn(cwd, found, {
    directoryOf: (file) => RecordFiles.firstString(file, "cwd"),
    limit
  })
})

const sessionsIn = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path.Path
  const names = (yield* RecordFiles.list(folder)).filter(
    (name) => name.endsWith(".jsonl") && !name.startsWith("agent-")
  )
  return names.map((name) => path.join(folder, name))
})
