/** The file that a host runs. It loads the program from V8's code cache, and ends the program after a time limit. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { Script } from "node:vm"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as StandardInput from "../input/StandardInput.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

declare const REFLEXION_BUILD: string
declare const REFLEXION_HOST: string

// Most regular expressions run once or twice in a process, so it costs more time to optimize them than it saves.
for (const flag of [
  "--no-regexp-optimization",
  "--no-regexp-peephole-optimization",
  "--regexp-tier-up-ticks=40",
  "--no-parallel-scavenge",
  // Only for V8 11: a newer V8 counts differently, and complains about unknown flags.
  ...(process.versions.v8.startsWith("11.") ? ["--interrupt-budget=500000"] : [])
])
  setFlagsFromString(flag)

// Nobody reads stack traces here. For their line numbers, V8 would compile code that is already in the cache.
Error.stackTraceLimit = 0

const main = join(__dirname, "hook-main.cjs")

/** Each event runs other parts of the program, so each event has its own code cache. */
const event = (process.argv[2] ?? "").replaceAll(/\W/g, "").slice(0, 40)
const directories = UserDirectories.make(process.env)
const cache = join(directories.cache, "code", `${REFLEXION_BUILD}-${process.version}-${process.arch}-${event}.bin`)

const headBytes = 4

/** A checksum of the length and some samples shows a damaged file. V8 itself does not check cached code. */
const sumOf = (data: Buffer): number => {
  let sum = data.length
  for (let at = 0; at + 4 <= data.length; at += 512) sum = (Math.imul(sum, 31) + data.readInt32LE(at)) | 0
  return sum
}

const recalled = (): Buffer | undefined => {
  try {
    const whole = readFileSync(cache)
    const data = whole.subarray(headBytes)
    return whole.readInt32LE(0) === sumOf(data) ? data : undefined
  } catch {
    return undefined
  }
}

const keep = (script: Script): void => {
  try {
    const data = script.createCachedData()
    const head = Buffer.alloc(headBytes)
    head.writeInt32LE(sumOf(data))
    PlainFiles.write(cache, Buffer.concat([head, data]))
  } catch {
    // An error here makes only the next start slower.
  }
}

/** In ms, well below the limits of the hosts for the installed hooks. */
const limit = event === "Interrupt" ? 2500 : event.includes("Stop") ? 20_000 : 8000

const rest: Array<Promise<unknown>> = []

const loaded: Record<string, unknown> = {}

/** Node lists a module's exports at each `require`, and a bundle requires the same few modules about fifty times. */
const load = (name: string): unknown => (loaded[name] ??= require(name))

/** The loader ends the program after the timeout, because synchronous code could not stop itself. */
const run = (input: StandardInput.Input, timeout: number): void => {
  const cachedData = recalled()
  // The bundle is ASCII. As Latin-1 it takes half the memory and needs no decoding.
  const source = `(function (require, __dirname, reflexionLater, reflexionInput) {${readFileSync(main, "latin1")}\n})`
  const script = new Script(source, { filename: main, ...(cachedData !== undefined && { cachedData }) })
  const program = script.runInThisContext()
  const value = (): void => program(load, __dirname, (more: Promise<unknown>) => void rest.push(more), input)
  Object.defineProperty(globalThis, "reflexion", { value })
  new Script("reflexion()").runInThisContext({ timeout })
  if (process.exitCode === undefined) throw new Error("it ended before it had done anything")
  // The cache is written now, because it then contains the functions that ran.
  if (script.cachedDataRejected !== false) keep(script)
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value.slice(0, 400) : null)

/** Logs a failure if the program cannot write the log itself. */
const log = (cause: unknown, input: StandardInput.Input): void => {
  const isLate = PlainFiles.codeOf(cause) === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  const { cwd, session_id }: { cwd?: unknown; session_id?: unknown } =
    input._tag === "payload" && Object(input.value) === input.value ? Object(input.value) : {}
  const decision: Decision = {
    at: new Date().toISOString(),
    host: REFLEXION_HOST,
    sessionId: textOf(session_id),
    directory: textOf(cwd),
    event,
    decision: "failure",
    reason: isLate
      ? `${event} took longer than the ${limit / 1000} s that a hook has for it`
      : `${main} does not run, install it again with \`reflexion install ${REFLEXION_HOST}\`: ${String(cause).replaceAll(/\s+/g, " ").slice(0, 300)}`,
    status: null,
    severity: null,
    attempt: null,
    maxAttempts: null,
    durationMs: Math.round(1000 * process.uptime())
  }
  PlainFiles.appendLine(UserDirectories.logFile(directories), JSON.stringify(decision))
}

const wakes = 2

/** Ends the process at once. All output is written by now, so no cleanup is needed. */
const end = (): never => process.exit(process.exitCode === wakes ? wakes : 0)

const begun = process.uptime()

const answer = (input: StandardInput.Input): void => {
  try {
    run(input, limit - Math.ceil(1000 * (process.uptime() - begun)))
  } catch (cause) {
    try {
      log(cause, input)
    } catch {
      // There is no other place to report this.
    }
  }
  if (rest.length === 0) end()
  else void Promise.all(rest).then(end, end)
}

void StandardInput.read(Math.min(limit / 2, 4000)).then(answer, end)
