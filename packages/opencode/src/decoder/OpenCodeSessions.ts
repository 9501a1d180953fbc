/** Finds OpenCode's sessions. They are in a database, so OpenCode's own program is asked. */
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
import * as Program from "./Program.ts"

export interface ListedSession {
  readonly id: string
  readonly title: string
  readonly directory: string
  /** When the session was last changed, in ms since the epoch. */
  readonly updated: number
}

export interface Options {
  readonly cwd: string
  readonly program?: Program.Program
  /** `OPENCODE_BIN` names the program. Without it, the program is looked up on the `PATH`. */
  readonly env: Env
  readonly folder: string
}

const maxSessions = 500
const maxAgents = 200
const maxError = 64 * 1024
/** In ms. Kilo needs ten seconds of processor time to list its sessions. */
const timeout = 60_000

/** These variables turn off plugins and network access while sessions are read. */
const quiet = [
  "PURE",
  ...["AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD", "MODELS_FETCH"].map((one) => `DISABLE_${one}`)
]

const failed = (problem: string) => new HostError({ problem })

const missing = (why: string, name: string) =>
  failed(`${why}: put ${name} on the PATH, or name it in ${name.toUpperCase()}_BIN`)

const ended = (code: number | null, said: string): string => {
  const last = PlainText.clean(said).trim().split("\n").at(-1) ?? ""
  return `ended with ${code ?? "a signal"}${last === "" ? "" : `: ${last.slice(0, 300)}`}`
}

interface Call extends Pick<Options, "cwd" | "env"> {
  readonly name: string
  readonly file: string
  readonly words: ReadonlyArray<string>
}

const isWindows = process.platform === "win32"

/** Kills the program after the time limit, or if the effect is interrupted. */
const spawned = (
  { cwd, env, file: program, name, words }: Call,
  out: number,
  named: string
): Effect.Effect<void, HostError> =>
  Effect.async((resume, signal) => {
    // A Windows shell splits the command at spaces, so the path is quoted.
    const file = isWindows ? `"${program}"` : program
    const ending = { timeout, signal, killSignal: "SIGKILL" } as const
    const child = spawn(file, [...words], { cwd, env, stdio: ["ignore", out, "pipe"], shell: isWindows, ...ending })
    let said = ""
    child.stderr?.on("data", (bytes: Buffer) => {
      if (said.length < maxError) said += bytes.toString("utf8")
    })
    child.on("error", () => resume(Effect.fail(missing(`${program} could not be run`, name))))
    child.on("close", (code, by) => {
      const why = by === "SIGKILL" ? `did not finish within ${timeout / 1000} s` : ended(code, said)
      resume(code === 0 ? Effect.void : failed(`${named} ${why}`))
    })
  })

/** The output goes into a file. Into a pipe, the program would write only as much as fits. */
const ask = Effect.fnUntraced(function* (
  { cwd, env: given, program: host = Program.openCode }: Options,
  words: ReadonlyArray<string>,
  file: string
) {
  const fs = yield* FileSystem.FileSystem
  const { name } = host
  const env = { ...given, ...Object.fromEntries(quiet.map((one) => [`${name.toUpperCase()}_${one}`, "1"])) }
  const program = Program.variable(host, env, "BIN") || name
  const found = Programs.find({ cwd, env }, program)
  const [own] = found.own
  if (own === undefined)
    return yield* missing(
      found.passedOver.length > 0 ? ProgramPath.problemOf(program, found) : `${program} could not be run`,
      name
    )
  const call = { name, file: own, words, cwd, env: { ...env, PATH: found.path } }
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

/** When the database was last written, in ms since the epoch. Much faster than asking the program. */
export const writtenAt = Effect.fn("OpenCodeSessions.writtenAt")(function* (
  env: Env,
  program: Program.Program = Program.openCode
): Effect.fn.Return<Option.Option<number>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const data = path.join(env["XDG_DATA_HOME"] || path.join(HostFiles.homeOf(env), ".local", "share"), program.name)
  const named = Program.variable(program, env, "DB")
  const own = named ? [path.resolve(data, named), path.resolve(data, `${named}-wal`)] : []
  const names = (yield* RecordFiles.list(data)).filter(
    (name) => name.startsWith(program.name) && /^[a-z]+(?:-[\w.-]{1,100})?\.db(?:-wal)?$/.test(name)
  )
  const files = [...own, ...names.map((name) => path.join(data, name))]
  const times = yield* Effect.forEach(files, (file) => Effect.option(fs.stat(file)))
  const written = times.flatMap((stat) => Option.toArray(Option.flatMap(stat, ({ mtime }) => mtime)))
  return written.length === 0 ? Option.none() : Option.some(Math.max(...written.map((time) => time.getTime())))
})

/** The id is used as an argument of a command and as a file name. */
const isId = (id: string): boolean => /^\w[\w-]{0,200}$/.test(id)

const listed = (value: unknown): ReadonlyArray<ListedSession> => {
  const { directory, id, title, updated } = Json.object(value)
  if (typeof id !== "string" || !isId(id) || typeof directory !== "string") return []
  return [{ id, title: Json.text(title), directory, updated: Json.number(updated) ?? 0 }]
}

/** Searches the project's last 500 sessions, without agents' sessions. The newest session comes first. */
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

/** Exports a session into a file. Returns the ids of its agents' sessions. */
const exported = Effect.fnUntraced(function* (options: Options, id: string, file: string) {
  const value = yield* ask(options, ["export", id], file)
  if (Array.isArray(Json.object(value)["messages"])) return OpenCodeAgents.children(value)
  return yield* failed(`\`${(options.program ?? Program.openCode).name} export ${id}\` printed no session`)
})

/** Writes the session to `<folder>/<id>.json`. Writes its agents' sessions where `OpenCodeAgents.read` finds them. */
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
    // An agent's session may no longer exist.
    const file = path.join(folder, `${next}.json`)
    return yield* Effect.catchTag(exported(options, next, file), "HostError", () => Effect.succeed([]))
  })
  yield* OpenCodeAgents.follow({ root: id, first, most: maxAgents, visit })
  return file
})
