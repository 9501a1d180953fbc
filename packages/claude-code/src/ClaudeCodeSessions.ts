/** Where Claude Code keeps a directory's sessions. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

const maxSlug = 200
const maxCandidates = 100

/** The name of a directory's folder of sessions. Directories can share one: `/a/b` and `/a-b` do. */
export const slug = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, "-")

/** `CLAUDE_CONFIG_DIR`, else `.claude` in the user's home directory. */
export const configDirectory = RecordFiles.folder("CLAUDE_CONFIG_DIR", ".claude")

/**
 * The file of the directory's session that was written to last, if there is one. A file counts only if the session it
 * records began in that directory.
 *
 * @category accessors
 */
export const newest = Effect.fn("ClaudeCodeSessions.newest")(function* (options: {
  readonly cwd: string
  readonly configDirectory: string
}): Effect.fn.Return<Option.Option<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  return yield* RecordFiles.begunIn(options.cwd, yield* candidates(options), directoryOf)
})

/**
 * As `newest`, the files of the `limit` sessions that were written to last, the last first, among the directory's newest 100.
 *
 * @category accessors
 */
export const recent = Effect.fn("ClaudeCodeSessions.recent")(function* (options: {
  readonly cwd: string
  readonly configDirectory: string
  readonly limit: number
}): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const { cwd, limit } = options
  return yield* RecordFiles.allBegunIn(cwd, yield* candidates(options), { directoryOf, limit })
})

const directoryOf = (file: string) => RecordFiles.firstString(file, "cwd")

/** The files in the folders that can hold the directory's sessions, the last written first. */
const candidates = Effect.fnUntraced(function* (options: { readonly cwd: string; readonly configDirectory: string }) {
  const path = yield* Path.Path
  const directories = yield* RecordFiles.namesOf(options.cwd)
  const folders = yield* foldersOf(path.join(options.configDirectory, "projects"), directories)
  const found = (yield* Effect.forEach(folders, sessionsIn)).flat()
  return yield* RecordFiles.latest(found, maxCandidates)
})

/** The folders that can hold the directories' sessions; the host cuts a long name and adds a hash of its own. */
const foldersOf = Effect.fnUntraced(function* (projects: string, directories: ReadonlyArray<string>) {
  const path = yield* Path.Path
  const slugs = [...new Set(directories.map(slug))]
  const short = slugs.filter((name) => name.length <= maxSlug)
  const long = slugs.filter((name) => name.length > maxSlug).map((name) => name.slice(0, maxSlug))
  if (long.length === 0) return short.map((name) => path.join(projects, name))
  const names = yield* RecordFiles.list(projects)
  const cut = names.filter((name) => long.some((prefix) => name.startsWith(prefix)))
  return [...short, ...cut].map((name) => path.join(projects, name))
})

const sessionsIn = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path.Path
  const names = (yield* RecordFiles.list(folder)).filter(
    (name) => name.endsWith(".jsonl") && !name.startsWith("agent-")
  )
  return names.map((name) => path.join(folder, name))
})
