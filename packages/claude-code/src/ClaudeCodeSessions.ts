/**
 * Where Claude Code keeps a directory's sessions.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Files from "./internal/files.ts"

const maxSlug = 200
const maxCandidates = 100

/**
 * The name of a directory's folder of sessions. Directories can share one: `/a/b` and `/a-b` do.
 *
 * @since 0.1.0
 * @category accessors
 */
export const slug = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, "-")

/**
 * `CLAUDE_CONFIG_DIR`, else `.claude` in the user's home directory.
 *
 * @since 0.1.0
 * @category config
 */
export const configDirectory: Effect.Effect<string, ConfigError, Path.Path> = Effect.gen(function* () {
  const path = yield* Path.Path
  const named = yield* Config.option(Config.nonEmptyString("CLAUDE_CONFIG_DIR"))
  if (Option.isSome(named)) return named.value
  const home = yield* Config.nonEmptyString("HOME").pipe(Config.orElse(() => Config.nonEmptyString("USERPROFILE")))
  return path.join(home, ".claude")
})

/**
 * The file of the directory's session that was written to last, if there is one. A file counts only if the session it
 * records began in that directory.
 *
 * @since 0.1.0
 * @category accessors
 */
export const newest = Effect.fn("ClaudeCodeSessions.newest")(function* (options: {
  readonly cwd: string
  readonly configDirectory: string
}): Effect.fn.Return<Option.Option<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const given = path.resolve(options.cwd)
  const real = yield* Effect.orElseSucceed(fs.realPath(given), () => given)
  const directories = [...new Set([given, real])]
  const folders = yield* foldersOf(path.join(options.configDirectory, "projects"), directories)
  const found = (yield* Effect.forEach(folders, sessionsIn)).flat()
  const latest = found.toSorted((left, right) => right.written - left.written).slice(0, maxCandidates)
  for (const { file } of latest) {
    const cwd = yield* Effect.orElseSucceed(Files.firstLine(file, "cwd"), () => null)
    if (cwd !== null && directories.includes(path.resolve(cwd))) return Option.some(file)
  }
  return Option.none()
})

/** The folders that can hold the directories' sessions; the host cuts a long name and adds a hash of its own. */
const foldersOf = Effect.fnUntraced(function* (projects: string, directories: ReadonlyArray<string>) {
  const path = yield* Path.Path
  const slugs = [...new Set(directories.map(slug))]
  const short = slugs.filter((name) => name.length <= maxSlug)
  const long = slugs.filter((name) => name.length > maxSlug).map((name) => name.slice(0, maxSlug))
  if (long.length === 0) return short.map((name) => path.join(projects, name))
  const names = yield* Files.list(projects)
  const cut = names.filter((name) => long.some((prefix) => name.startsWith(prefix)))
  return [...short, ...cut].map((name) => path.join(projects, name))
})

const sessionsIn = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path.Path
  const names = (yield* Files.list(folder)).filter((name) => name.endsWith(".jsonl") && !name.startsWith("agent-"))
  const written = yield* Effect.forEach(names, (name) => writtenAt(path.join(folder, name)))
  return written.flatMap(Option.toArray)
})

/** A file that went away meanwhile is no candidate. */
const writtenAt = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.option(fs.stat(file))
  return Option.map(info, (stat) => ({ file, written: Option.getOrElse(stat.mtime, () => new Date(0)).getTime() }))
})
