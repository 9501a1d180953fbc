/** Finds the sessions of a directory in Codex's folder, which has the sessions of all directories, by day. */
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Shell from "./internal/shell.ts"

const maxFiles = 5000
const maxHeads = 500

/** `CODEX_HOME`, or `.codex` in the user's home directory. */
export const codexHome = RecordFiles.folder("CODEX_HOME", ".codex")

/** Searches the newest 500, without agents' sessions. Compressed sessions (`.jsonl.zst`) need `unpack`. */
export const recent = Effect.fn("CodexSessions.recent")(function* (options: {
  readonly cwd: string
  readonly codexHome: string
  readonly limit: number
  readonly unpack?: RecordFiles.Unpack
}): Effect.fn.Return<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const { cwd, limit, unpack = null } = options
  const found = yield* rollouts(path.join(options.codexHome, "sessions"), unpack)
  const files = yield* RecordFiles.latest(found, maxHeads)
  return yield* RecordFiles.allBegunIn(cwd, files, { directoryOf: directoryOf(unpack), limit })
})

/** The rollouts are below `YYYY/MM/DD`, the newest first. */
const rollouts = Effect.fnUntraced(function* (sessions: string, unpack: RecordFiles.Unpack | null) {
  const name = unpack === null ? /^rollout-[\w-]{1,200}\.jsonl$/ : /^rollout-[\w-]{1,200}\.jsonl(?:\.zst)?$/
  let folders: ReadonlyArray<string> = [sessions]
  for (const part of [/^\d{4}$/, /^\d{2}$/, /^\d{2}$/]) {
    folders = (yield* Effect.forEach(folders, (folder) => latestFirst(folder, part))).flat()
  }
  const found: Array<string> = []
  for (const folder of folders) {
    if (found.length >= maxFiles) break
    found.push(...(yield* latestFirst(folder, name)))
  }
  return found.slice(0, maxFiles)
})

/** In descending order. Empty if the folder does not exist. */
const latestFirst = Effect.fnUntraced(function* (folder: string, name: RegExp) {
  const path = yield* Path.Path
  return (yield* RecordFiles.list(folder))
    .filter((one) => name.test(one))
    .toSorted((left, right) => (left < right ? 1 : -1))
    .map((one) => path.join(folder, one))
})

/** Null for the session of an agent. */
const directoryOf =
  (unpack: RecordFiles.Unpack | null) =>
  (file: string): Effect.Effect<string | null, PlatformError, FileSystem.FileSystem> =>
    Effect.map(
      RecordFiles.first(file, told, file.endsWith(".zst") ? unpack : null),
      Option.match({ onNone: () => null, onSome: (directory) => directory })
    )

/** The first line names the directory. */
const told = (value: unknown): Option.Option<string | null> => {
  const { payload } = Json.object(value)
  return Option.some(Json.isObject(payload) ? personsDirectory(payload) : null)
}

const personsDirectory = (payload: Json.Json): string | null => {
  const isAgent = Object.hasOwn(Json.object(payload["source"]), "subagent")
  return isAgent ? null : Shell.directory(payload["cwd"])
}
