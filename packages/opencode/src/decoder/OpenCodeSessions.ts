/** The sessions that OpenCode keeps: they are in its database, so its own program is asked for them. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import { type Env, HostError } from "@reflexion/core/internal/session/host/Host"
import * as HostFiles from "@reflexion/core/internal/session/host/HostFiles"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as PlainText from "@reflexion/core/internal/base/text/PlainText"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { spawn } from "node:child_process"
import * as FS from "node:fs"
import * as OpenCodeAgents from "./OpenCodeAgents.ts"

/** A session as the program lists it; `updated`: when it was written to last, in milliseconds since the epoch. */
export interface ListedSession {
  readonly id: string
  readonly title: string
  readonly directory: string
  readonly updated: number
}

/** Where to ask, and a folder for what the program prints. `OPENCODE_BIN` names the program, which else is on the `PATH`. */
export interface Options {
  readonly cwd: string
  readonly env: Env
  readonly folder: string
}

const maxSessions = 500
const maxAgents = 200
const maxError = 64 * 1024
const timeout = 30_000

/** Reading sessions runs no plugin, and waits for nothing from the network. */
const quiet = {
  OPENCODE_PURE: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1"
}

const failed = (problem: string) => new HostError({ problem })

const missing = (why: string) => failed(`${why}: put opencode on the PATH, or name it in OPENCODE_BIN`)

const ended = (code: number | null, said: string): string => {
  const last = PlainText.clean(said).trim().split("\n").at(-1) ?? ""
  return `ended with ${code ?? "a signal"}${last === "" ? "" : `: ${last.slice(0, 300)}`}`
}

interface Call extends Omit<Options, "folder"> {
  readonly program: string
  readonly words: ReadonlyArray<string>
}

const isWindows = process.platform === "win32"

/** Runs the program to its end; it is killed when the time is up, and when the effect is interrupted. */
const spawned = ({ cwd, env, program, words }: Call, out: number, named: string): Effect.Effect<void, HostError> =>
  Effect.async((resume, signal) => {
    // A shell of Windows takes the words apart.
    const file = isWindows ? `"${program}"` : program
    const ending = { timeout, signal, killSignal: "SIGKILL" } as const
    const child = spawn(file, [...words], { cwd, env, stdio: ["ignore", out, "pipe"], shell: isWindows, ...ending })
    let said = ""
    child.stderr?.on("data", (bytes: Buffer) => {
      if (said.length < maxError) said += bytes.toString("utf8")
    })
    child.on("error", () => resume(Effect.fail(missing(`${program} could not be run`))))
    child.on("close", (code, by) => {
      const why = by === "SIGKILL" ? `was not done within ${timeout / 1000} s` : ended(code, said)
      resume(code === 0 ? Effect.void : failed(`${named} ${why}`))
    })
  })

/** What the user's own program prints, in a file: into a pipe it writes no more than a pipe holds. */
const ask = Effect.fnUntraced(function* ({ cwd, env }: Options, words: ReadonlyArray<string>, file: string) {
  const fs = yield* FileSystem.FileSystem
  const program = env["OPENCODE_BIN"] || "opencode"
  const found = Programs.find({ cwd, env: { ...env, ...quiet } }, program)
  const [own] = found.own
  if (own === undefined)
    return yield* missing(
      found.passedOver.length > 0 ? ProgramPath.problemOf(program, found) : `${program} could not be run`
    )
  const call = { program: own, words, cwd, env: { ...env, ...quiet, PATH: found.path } }
  yield* Effect.acquireUseRelease(
    Effect.try({
      try: () => FS.openSync(file, "w"),
      catch: () => failed(`${file} could not be written`)
    }),
    (out) => spawned(call, out, `\`${[program, ...words].join(" ")}\``),
    (out) => Effect.sync(() => FS.closeSync(out))
  )
  return JsonLines.first(yield* fs.readFileString(file))
})

/** When OpenCode last wrote to its database, in ms since the epoch: no session is newer, and asking takes a second. */
export const writtenAt = Effect.fn("OpenCodeSessions.writtenAt")(function* (
  env: Env
): Effect.fn.Return<Option.Option<number>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const data = path.join(env["XDG_DATA_HOME"] || path.join(HostFiles.homeOf(env), ".local", "share"), "opencode")
  const named = env["OPENCODE_DB"]
  const own = named ? [path.resolve(data, named), path.resolve(data, `${named}-wal`)] : []
  const names = (yield* RecordFiles.list(data)).filter((name) =>
    /^opencode(?:-[\w.-]{1,100})?\.db(?:-wal)?$/.test(name)
  )
  const files = [...own, ...names.map((name) => path.join(data, name))]
  const times = yield* Effect.forEach(files, (file) => Effect.option(fs.stat(file)))
  const written = times.flatMap((stat) => Option.toArray(Option.flatMap(stat, ({ mtime }) => mtime)))
  return written.length === 0 ? Option.none() : Option.some(Math.max(...written.map((time) => time.getTime())))
})

/** It becomes a word of a command and the name of a file. */
const isId = (id: string): boolean => /^\w[\w-]{0,200}$/.test(id)

const listed = (value: unknown): ReadonlyArray<ListedSession> => {
  const { directory, id, title, updated } = Json.object(value)
  if (typeof id !== "string" || !isId(id) || typeof directory !== "string") return []
  return [{ id, title: Json.text(title), directory, updated: Json.number(updated) ?? 0 }]
}

/** The sessions that began in the directory, of the project's last 500, the last first; none of an agent. */
export const list = Effect.fn("OpenCodeSessions.list")(function* (
  options: Options
): Effect.fn.Return<ReadonlyArray<ListedSession>, HostError | PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const directories = yield* RecordFiles.namesOf(options.cwd)
  const words = ["session", "list", "--format", "json", "--max-count", String(maxSessions)]
  const found = yield* ask(options, words, path.join(options.folder, "sessions.json"))
  return Json.list(found)
    .flatMap(listed)
    .filter(({ directory }) => directories.includes(path.resolve(directory)))
    .toSorted((left, right) => right.updated - left.updated)
})

/** Exports one session; answers with those of its agents. */
const exported = Effect.fnUntraced(function* (options: Options, id: string, file: string) {
  const value = yield* ask(options, ["export", id], file)
  if (Array.isArray(Json.object(value)["messages"])) return OpenCodeAgents.children(value)
  return yield* failed(`\`opencode export ${id}\` printed no session`)
})

/** Exports a session to `<folder>/<id>.json`, and its agents' to where `OpenCodeAgents.read` finds them. */
export const download = Effect.fn("OpenCodeSessions.download")(function* (
  options: Options,
  id: string
): Effect.fn.Return<string, HostError | PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(options.folder, `${id}.json`)
  const folder = OpenCodeAgents.folder(path, file)
  const first = yield* exported(options, id, file)
  const visit = Effect.fnUntraced(function* (next: string) {
    if (!isId(next)) return []
    yield* fs.makeDirectory(folder, { recursive: true })
    // An agent's session that was deleted since is none.
    const file = path.join(folder, `${next}.json`)
    return yield* Effect.catchTag(exported(options, next, file), "HostError", () => Effect.succeed([]))
  })
  yield* OpenCodeAgents.follow({ root: id, first, most: maxAgents, visit })
  return file
})
