/**
 * The host's own program, none that the project brings along, run with what it prints in a file: into a pipe it writes no
 * more than a pipe holds.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as PlainText from "@reflexion/core/internal/base/text/PlainText"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import * as FS from "node:fs"

/**
 * Why OpenCode's own program did not say what it was asked.
 *
 * @category errors
 */
export class OpenCodeError extends Schema.TaggedError<OpenCodeError>("@reflexion/opencode/OpenCodeError")(
  "OpenCodeError",
  { reason: Schema.Literal("missing", "failed", "timed_out", "unreadable"), problem: Schema.String }
) {
  override get message() {
    return this.problem
  }
}

export interface Options {
  readonly program: string
  readonly words: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file that gets what is printed. */
  readonly file: string
  /** In milliseconds. */
  readonly timeout: number
}

const maxError = 64 * 1024

const named = ({ program, words }: Options): string => `\`${[program, ...words].join(" ")}\``

const missing = (why: string): OpenCodeError =>
  new OpenCodeError({ reason: "missing", problem: `${why}: put opencode on the PATH, or name it in OPENCODE_BIN` })

const failed = (options: Options, code: number | null, said: string): OpenCodeError => {
  const last = PlainText.clean(said).trim().split("\n").at(-1) ?? ""
  const why = last === "" ? "" : `: ${last.slice(0, 300)}`
  return new OpenCodeError({ reason: "failed", problem: `${named(options)} ended with ${code ?? "a signal"}${why}` })
}

const timedOut = (options: Options): OpenCodeError =>
  new OpenCodeError({
    reason: "timed_out",
    problem: `${named(options)} was not done within ${Math.round(options.timeout / 1000)} s`
  })

const isWindows = process.platform === "win32"

/** Runs the program to its end; it is killed when the time is up, and when the effect is interrupted. */
export const run: (options: Options) => Effect.Effect<void, OpenCodeError, FileSystem.FileSystem | Path.Path> =
  Effect.fnUntraced(function* (options) {
    const { cwd, env, program } = options
    const found = Programs.find({ cwd, env }, program)
    const [own] = found.own
    if (own === undefined) {
      const isThere = found.passedOver.length > 0
      return yield* missing(isThere ? ProgramPath.problemOf(program, found) : `${program} could not be run`)
    }
    return yield* Effect.acquireUseRelease(
      Effect.try({ try: () => FS.openSync(options.file, "w"), catch: () => unwritable(options) }),
      (out) => spawned({ ...options, env: { ...env, PATH: found.path } }, own, out),
      (out) => Effect.sync(() => FS.closeSync(out))
    )
  })

const unwritable = ({ file }: Options): OpenCodeError =>
  new OpenCodeError({ reason: "unreadable", problem: `${file} could not be written` })

const spawned = (options: Options, program: string, out: number): Effect.Effect<void, OpenCodeError> =>
  Effect.async((resume, signal) => {
    const { cwd, env, timeout, words } = options
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
      if (code === 0) resume(Effect.void)
      else resume(Effect.fail(by === "SIGKILL" ? timedOut(options) : failed(options, code, said)))
    })
  })
