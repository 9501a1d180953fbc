/** Other programs, run with a limit on their time and on what they print. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { spawn, type SpawnOptions } from "node:child_process"

/** No shell reads the words. */
export interface Options {
  readonly program: string
  readonly words: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: string
  /** In milliseconds. */
  readonly timeout: number
  /** Whether what was printed is all that is wanted: its input stays open until then. */
  readonly enough?: (out: string) => boolean
}

/** `code` is null where a signal ended it. `missing`: there is no such program. */
export interface ProgramRun {
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly timedOut: boolean
  readonly missing: boolean
  readonly durationMs: number
}

const maxOutput = 1024 * 1024

/** It may be gone already. */
const killGroup = Option.liftThrowable((pid: number) => process.kill(-pid, "SIGKILL"))

const kill = (pid: number | undefined): void => {
  if (pid !== undefined) killGroup(pid)
}

/**
 * Never fails: what went wrong is in the result. The program and all it started are killed when the time is up, and
 * when the effect is interrupted.
 */
export const run = (options: Options): Effect.Effect<ProgramRun> =>
  Effect.async<ProgramRun>((resume) => {
    const since = performance.now()
    const how: SpawnOptions = { cwd: options.cwd, env: options.env, detached: true }
    const child = spawn(options.program, [...options.words], { ...how, stdio: "pipe" })
    const texts = { out: "", err: "" }
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      kill(child.pid)
    }, options.timeout)
    const end = (code: number | null, missing: boolean): void => {
      clearTimeout(timer)
      resume(Effect.succeed({ ...texts, code, timedOut, missing, durationMs: Math.round(performance.now() - since) }))
    }
    const keep = (name: "out" | "err") => (bytes: Buffer) => {
      if (texts[name].length < maxOutput) texts[name] += bytes.toString("utf8")
      if (options.enough?.(texts.out) === true) child.stdin.end()
    }
    child.stdout.on("data", keep("out"))
    child.stderr.on("data", keep("err"))
    // A program that reads no input closes it.
    child.stdin.on("error", () => {})
    child.on("error", (error: NodeJS.ErrnoException) => end(null, error.code === "ENOENT"))
    child.on("close", (code) => end(code, false))
    child.stdin.write(options.stdin)
    if (options.enough === undefined) child.stdin.end()
    return Effect.sync(() => {
      clearTimeout(timer)
      kill(child.pid)
    })
  })
