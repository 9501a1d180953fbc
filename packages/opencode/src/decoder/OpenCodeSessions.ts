/** The sessions that OpenCode keeps: they are in its database, so its own program is asked for them. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Program from "./program.ts"
import { OpenCodeError } from "./program.ts"
import * as OpenCodeAgents from "./OpenCodeAgents.ts"

/**
 * Why OpenCode's own program did not say what it was asked.
 *
 * @category errors
 */
export { OpenCodeError } from "./program.ts"

/**
 * A process's environment: `OPENCODE_BIN` names the program, which else is looked for on the `PATH`.
 *
 * @category models
 */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A session as the program lists it.
 *
 * @category models
 */
export interface Listed {
  readonly id: string
  readonly title: string
  readonly directory: string
  /** When it was written to last, in milliseconds since the epoch. */
  readonly updated: number
}

/**
 * Where to ask, and a folder for what the program prints.
 *
 * @category models
 */
export interface Options {
  readonly cwd: string
  readonly env: Environment
  readonly folder: string
}

const maxSessions = 500
const maxAgents = 200
const timeout = 30_000

/** Reading sessions runs no plugin, and waits for nothing from the network. */
const quiet = {
  OPENCODE_PURE: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1"
}

const ask = ({ cwd, env }: Options, words: ReadonlyArray<string>, file: string) =>
  Program.run({ program: env["OPENCODE_BIN"] || "opencode", words, cwd, env: { ...env, ...quiet }, file, timeout })

const home = (env: Environment): string => env["HOME"] || env["USERPROFILE"] || ""

/**
 * When OpenCode last wrote to its database, in milliseconds since the epoch; none where there is none. No session was
 * written to later, and asking takes a second.
 *
 * @category accessors
 */
export const writtenAt = Effect.fn("OpenCodeSessions.writtenAt")(function* (
  env: Environment
): Effect.fn.Return<Option.Option<number>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const data = path.join(env["XDG_DATA_HOME"] || path.join(home(env), ".local", "share"), "opencode")
  const named = env["OPENCODE_DB"] || null
  const own = named === null ? [] : [path.resolve(data, named), path.resolve(data, `${named}-wal`)]
  const names = (yield* RecordFiles.list(data)).filter((name) =>
    /^opencode(?:-[\w.-]{1,100})?\.db(?:-wal)?$/.test(name)
  )
  const files = [...own, ...names.map((name) => path.join(data, name))]
  const times = yield* Effect.forEach(files, (file) => Effect.option(fs.stat(file)))
  const written = times.flatMap((stat) => Option.toArray(Option.flatMap(stat, ({ mtime }) => mtime)))
  return written.length === 0 ? Option.none() : Option.some(Math.max(...written.map((time) => time.getTime())))
})

const listed = (value: unknown): ReadonlyArray<Listed> => {
  const { directory, id, title, updated } = Json.object(value)
  if (typeof id !== "string" || !isId(id) || typeof directory !== "string") return []
  return [{ id, title: Json.text(title), directory, updated: Json.number(updated) ?? 0 }]
}

/** It becomes a word of a command and the name of a file. */
const isId = (id: string): boolean => /^\w[\w-]{0,200}$/.test(id)

/**
 * The 500 sessions of a directory's project that were written to last, the last first; none that an agent of another
 * session is.
 *
 * @category accessors
 */
export const list = Effect.fn("OpenCodeSessions.list")(function* (
  options: Options
): Effect.fn.Return<ReadonlyArray<Listed>, OpenCodeError | PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const file = path.join(options.folder, "sessions.json")
  yield* ask(options, ["session", "list", "--format", "json", "--max-count", String(maxSessions)], file)
  const sessions = Json.list(yield* printed(file)).flatMap(listed)
  return sessions.toSorted((left, right) => right.updated - left.updated)
})

const printed = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return JsonLines.first(yield* fs.readFileString(file))
})

/**
 * The directory's session that was written to last, if there is one. Only sessions that began in that directory count.
 *
 * @category accessors
 */
export const newest = Effect.fn("OpenCodeSessions.newest")(function* (
  options: Options
): Effect.fn.Return<Option.Option<Listed>, OpenCodeError | PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const directories = yield* RecordFiles.namesOf(options.cwd)
  const sessions = yield* list(options)
  return Option.fromNullable(sessions.find(({ directory }) => directories.includes(path.resolve(directory))))
})

/**
 * Exports a session to `<folder>/<id>.json`, and the sessions of its agents to where `OpenCodeAgents.read` finds them;
 * answers with the file.
 *
 * @category accessors
 */
export const download = Effect.fn("OpenCodeSessions.download")(function* (
  options: Options,
  id: string
): Effect.fn.Return<string, OpenCodeError | PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const file = path.join(options.folder, `${id}.json`)
  const agents = OpenCodeAgents.folder(path, file)
  const first = yield* exported(options, id, file)
  const visit = (next: string) => (isId(next) ? agentsOf(options, next, agents) : Effect.succeed([]))
  yield* OpenCodeAgents.follow({ root: id, first, most: maxAgents, visit })
  return file
})

/** Exports one session; answers with those of its agents. */
const exported = Effect.fnUntraced(function* (options: Options, id: string, file: string) {
  yield* ask(options, ["export", id], file)
  const value = yield* printed(file)
  if (Array.isArray(Json.object(value)["messages"])) return OpenCodeAgents.children(value)
  return yield* new OpenCodeError({ reason: "unreadable", problem: `\`opencode export ${id}\` printed no session` })
})

/** An agent's session that was deleted since is none. */
const agentsOf = Effect.fnUntraced(function* (options: Options, id: string, folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* fs.makeDirectory(folder, { recursive: true })
  return yield* Effect.catchTag(exported(options, id, path.join(folder, `${id}.json`)), "OpenCodeError", (error) =>
    error.reason === "failed" ? Effect.succeed([]) : Effect.fail(error)
  )
})
