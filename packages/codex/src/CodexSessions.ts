/**
 * Where Codex keeps its sessions: by the day on which they began, those of all directories together.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as JsonLines from "@reflexion/core/JsonLines"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Files from "./internal/files.ts"
import * as Json from "./internal/json.ts"
import * as Shell from "./internal/shell.ts"

const maxFiles = 5000
const maxHeads = 500
const maxHead = 1024 * 1024

/**
 * `CODEX_HOME`, else `.codex` in the user's home directory.
 *
 * @since 0.1.0
 * @category config
 */
export const codexHome: Effect.Effect<string, ConfigError, Path.Path> = Effect.gen(function* () {
  const path = yield* Path.Path
  const named = yield* Config.option(Config.nonEmptyString("CODEX_HOME"))
  if (Option.isSome(named)) return named.value
  const home = yield* Config.nonEmptyString("HOME").pipe(Config.orElse(() => Config.nonEmptyString("USERPROFILE")))
  return path.join(home, ".codex")
})

/**
 * The file of the directory's session that was written to last, if there is one. Only sessions that began in that
 * directory count, and none that another session's agent is. Looks at the 5,000 sessions that began last, and reads the
 * first line of the 500 among them that were written last.
 *
 * @since 0.1.0
 * @category accessors
 */
export const newest = Effect.fn("CodexSessions.newest")(function* (options: {
  readonly cwd: string
  readonly codexHome: string
}): Effect.fn.Return<Option.Option<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const given = path.resolve(options.cwd)
  const real = yield* Effect.orElseSucceed(fs.realPath(given), () => given)
  const files = yield* rollouts(path.join(options.codexHome, "sessions"))
  const written = (yield* Effect.forEach(files, writtenAt, { concurrency: 16 })).flatMap(Option.toArray)
  const latest = written.toSorted((left, right) => right.written - left.written).slice(0, maxHeads)
  for (const { file } of latest) {
    const cwd = yield* Effect.orElseSucceed(directoryOf(file), () => null)
    if (cwd !== null && [given, real].includes(path.resolve(cwd))) return Option.some(file)
  }
  return Option.none()
})

/** The rollouts below `YYYY/MM/DD`, those that began last first. */
const rollouts = Effect.fnUntraced(function* (sessions: string) {
  let folders: ReadonlyArray<string> = [sessions]
  for (const name of [/^\d{4}$/, /^\d{2}$/, /^\d{2}$/]) {
    folders = (yield* Effect.forEach(folders, (folder) => latestFirst(folder, name))).flat()
  }
  const found: Array<string> = []
  for (const folder of folders) {
    if (found.length >= maxFiles) break
    found.push(...(yield* latestFirst(folder, /^rollout-[\w-]{1,200}\.jsonl$/)))
  }
  return found.slice(0, maxFiles)
})

/** The paths in a folder whose names match, the greatest name first; none where there is no folder. */
const latestFirst = Effect.fnUntraced(function* (folder: string, name: RegExp) {
  const path = yield* Path.Path
  return (yield* Files.list(folder))
    .filter((one) => name.test(one))
    .toSorted((left, right) => (left < right ? 1 : -1))
    .map((one) => path.join(folder, one))
})

/** A file that went away meanwhile is no candidate. */
const writtenAt = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.option(fs.stat(file))
  return Option.map(info, (stat) => ({ file, written: Option.getOrElse(stat.mtime, () => new Date(0)).getTime() }))
})

/** The directory in which a person's session began, from its first line; null for the session of an agent. */
const directoryOf = (file: string): Effect.Effect<string | null, PlatformError, FileSystem.FileSystem> =>
  Effect.suspend(() => {
    const lines = JsonLines.make({ maxLineBytes: maxHead })
    return FileSystem.FileSystem.pipe(
      Effect.map((fs) => fs.stream(file, { bytesToRead: FileSystem.Size(maxHead) })),
      Effect.flatMap((bytes) => {
        const items = Stream.concat(
          Stream.flatMap(bytes, (chunk) => Stream.fromIterable(lines.push(chunk))),
          Stream.suspend(() => Stream.fromIterable(lines.end()))
        )
        return Stream.runHead(items)
      }),
      Effect.map(Option.match({ onNone: () => null, onSome: personsDirectory }))
    )
  })

const personsDirectory = (item: JsonLines.Item): string | null => {
  if (item._tag === "warning") return null
  const payload = Json.object(Json.object(item.value)["payload"])
  const isAgent = Object.hasOwn(Json.object(payload["source"]), "subagent")
  return isAgent ? null : Shell.directory(payload["cwd"])
}
