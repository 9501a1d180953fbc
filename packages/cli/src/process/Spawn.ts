/** Runs other programs and limits their time and output. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { spawn, type SpawnOptions } from "node:child_process"

/** The program runs without a shell. */
export interface Options {
  readonly program: string
  readonly words: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: string
  /** In ms. */
  readonly timeout: number
  /** True if the output is complete. Until then, the program's input stays open. */
  readonly enough?: (out: string) => boolean
}

export interface ProgramRun {
  /** Null if a signal ended the program. */
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly timedOut: boolean
  /** True if the program does not exist. */
  readonly missing: boolean
  readonly durationMs: number
}

const maxOutput = 1024 * 1024

/** The process may have ended already. */
const kill = Option.liftThrowable((pid: number | undefined) => pid !== undefined && process.kill(-pid, "SIGKILL"))

/** Never fails: errors are in the result. A timeout or an interruption kills the program and its children. */
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
    // A program can close its input without reading it. That is not an error.
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
