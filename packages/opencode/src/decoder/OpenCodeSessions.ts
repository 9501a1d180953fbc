/** The sessions that OpenCode keeps: they are in its database, so its own program is asked for them. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as PlainText from "@reflexion/core/internal/base/text/PlainText"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import * as FS from "node:fs"
import * as OpenCodeAgents from "./OpenCodeAgents.ts"

/** Why OpenCode's own program did not say what it was asked. */
export class OpenCodeError extends Schema.TaggedError<OpenCodeError>("@reflexion/opencode/OpenCodeError")(
  "OpenCodeError",
  { reason: Schema.Literal("missing", "failed", "timed_out", "unreadable"), problem: Schema.String }
) {
  override get message() {
    return this.problem
  }
}

/** A process's environment: `OPENCODE_BIN` names the program, which else is looked for on the `PATH`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A session as the program lists it; `updated`: when it was written to last, in milliseconds since the epoch. */
export interface Listed {
  readonly id: string
  readonly title: string
  readonly directory: string
  readonly updated: number
}

/** Where to ask, and a folder for what the program prints. */
export interface Options {
  readonly cwd: string
  readonly env: Environment
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

const problem = (reason: OpenCodeError["reason"], words: string) => new OpenCodeError({ reason, problem: words })

const missing = (why: string): OpenCodeError =>
  problem("missing", `${why}: put opencode on the PATH, or name it in OPENCODE_BIN`)

const failed = (named: string, code: number | null, said: string): OpenCodeError => {
  const last = PlainText.clean(said).trim().split("\n").at(-1) ?? ""
  return problem("failed", `${named} ended with ${code ?? "a signal"}${last === "" ? "" : `: ${last.slice(0, 300)}`}`)
}

interface Call extends Omit<Options, "folder"> {
  readonly program: string
  readonly words: ReadonlyArray<string>
}

const isWindows = process.platform === "win32"

/** Runs the program to its end; it is killed when the time is up, and when the effect is interrupted. */
const spawned = ({ cwd, env, program, words }: Call, out: number, named: string): Effect.Effect<void, OpenCodeError> =>
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
      const late = problem("timed_out", `${named} was not done within ${timeout / 1000} s`)
      resume(code === 0 ? Effect.void : Effect.fail(by === "SIGKILL" ? late : failed(named, code, said)))
    })
  })

/**
 * What the user's own program prints, and none that the project brings along: in a file, for into a pipe it writes no more
 * than a pipe holds.
 */
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
      catch: () => problem("unreadable", `${file} could not be written`)
    }),
    (out) => spawned(call, out, `\`${[program, ...words].join(" ")}\``),
    (out) => Effect.sync(() => FS.closeSync(out))
  )
  return JsonLines.first(yield* fs.readFileString(file))
})

const home = (env: Environment): string => env["HOME"] || env["USERPROFILE"] || ""

/**
 * When OpenCode last wrote to its database, in milliseconds since the epoch; none where there is none. No session was
 * written to later, and asking takes a second.
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

/** It becomes a word of a command and the name of a file. */
const isId = (id: string): boolean => /^\w[\w-]{0,200}$/.test(id)

const listed = (value: unknown): ReadonlyArray<Listed> => {
  const { directory, id, title, updated } = Json.object(value)
  if (typeof id !== "string" || !isId(id) || typeof directory !== "string") return []
  return [{ id, title: Json.text(title), directory, updated: Json.number(updated) ?? 0 }]
}

/**
 * The 500 sessions of a directory's project that were written to last, the last first; none that an agent of another
 * session is.
 */
export const list = Effect.fn("OpenCodeSessions.list")(function* (
  options: Options
): Effect.fn.Return<ReadonlyArray<Listed>, OpenCodeError | PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const words = ["session", "list", "--format", "json", "--max-count", String(maxSessions)]
  const found = yield* ask(options, words, path.join(options.folder, "sessions.json"))
  const sessions = Json.list(found).flatMap(listed)
  return sessions.toSorted((left, right) => right.updated - left.updated)
})

/**
 * The directory's session that was written to last, if there is one. Only sessions that began in that directory count.
 */
export const newest = Effect.fn("OpenCodeSessions.newest")(function* (
  options: Options
): Effect.fn.Return<Option.Option<Listed>, OpenCodeError | PlatformError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const directories = yield* RecordFiles.namesOf(options.cwd)
  const sessions = yield* list(options)
  return Option.fromNullable(sessions.find(({ directory }) => directories.includes(path.resolve(directory))))
})

/** Exports one session; answers with those of its agents. */
const exported = Effect.fnUntraced(function* (options: Options, id: string, file: string) {
  const value = yield* ask(options, ["export", id], file)
  if (Array.isArray(Json.object(value)["messages"])) return OpenCodeAgents.children(value)
  return yield* problem("unreadable", `\`opencode export ${id}\` printed no session`)
})

/**
 * Exports a session to `<folder>/<id>.json`, and the sessions of its agents to where `OpenCodeAgents.read` finds them;
 * answers with the file.
 */
export const download = Effect.fn("OpenCodeSessions.download")(function* (
  options: Options,
  id: string
): Effect.fn.Return<string, OpenCodeError | PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(options.folder, `${id}.json`)
  const folder = OpenCodeAgents.folder(path, file)
  const first = yield* exported(options, id, file)
  const visit = Effect.fnUntraced(function* (next: string) {
    if (!isId(next)) return []
    yield* fs.makeDirectory(folder, { recursive: true })
    // An agent's session that was deleted since is none.
    return yield* Effect.catchTag(
      exported(options, next, path.join(folder, `${next}.json`)),
      "OpenCodeError",
      (error) => (error.reason === "failed" ? Effect.succeed([]) : Effect.fail(error))
    )
  })
  yield* OpenCodeAgents.follow({ root: id, first, most: maxAgents, visit })
  return file
})
