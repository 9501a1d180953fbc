/**
 * The file that a host runs. It compiles the program that lies beside it from V8's code cache, for Node 20 has no compile
 * cache of its own and compiling takes longer than judging.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { Script } from "node:vm"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { uptime } from "../places/Uptime.ts"
import * as StandardInput from "../input/StandardInput.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

declare const REFLEXION_BUILD: string
declare const REFLEXION_HOST: string

const optimizingLater = ["--invocation-count-for-maglev=3000", "--invocation-count-for-turbofan=20000"]

/** By V8's version: it complains of flags that it does not know, so a newer one runs as it is. */
const optimizesLater: Readonly<Record<string, ReadonlyArray<string>>> = {
  "11": ["--interrupt-budget=500000"],
  "12": optimizingLater,
  "13": optimizingLater
}

/**
 * Most of the judge's expressions run once or twice in a process, and most of its functions a few thousand times:
 * compiling either well takes longer than running it. The heap is too small for helpers at its collection.
 */
const common = [
  "--no-regexp-optimization",
  "--no-regexp-peephole-optimization",
  "--regexp-tier-up-ticks=40",
  "--no-parallel-scavenge"
]

const own = optimizesLater[process.versions.v8.slice(0, 2)]
if (own !== undefined) for (const flag of [...common, ...own]) setFlagsFromString(flag)

// Nobody reads a stack here, and to know its lines V8 compiles again what the cache had spared.
Error.stackTraceLimit = 0

const main = join(__dirname, "hook-main.cjs")

/** Events run different parts of the program, so each keeps what it compiled itself. */
const event = (process.argv[2] ?? "").replaceAll(/\W/g, "").slice(0, 40)

const directories = UserDirectories.make(process.env)

const cache = join(directories.cache, "code", `${REFLEXION_BUILD}-${process.version}-${process.arch}-${event}.bin`)

/** V8 runs what it is given without a check, so the data lie there twice: a torn or changed file differs from itself. */
const recalled = (): Buffer | undefined => {
  try {
    const both = readFileSync(cache)
    const data = both.subarray(0, both.length / 2)
    return data.length > 0 && data.equals(both.subarray(both.length / 2)) ? data : undefined
  } catch {
    return undefined
  }
}

const keep = (script: Script): void => {
  try {
    const data = script.createCachedData()
    PlainFiles.write(cache, Buffer.concat([data, data]))
  } catch {
    // Without a cache the next start is slower, and nothing else.
  }
}

/** Well under the time that the installed hooks are given by their hosts. */
const limits: Readonly<Record<string, number>> = {
  UserPromptSubmit: 8000,
  SessionStart: 8000,
  PostToolUse: 8000,
  TodoList: 8000,
  Interrupt: 2500
}

const limit = limits[event] ?? 20_000

/** A host writes its payload as it starts the hook. */
const payloadLimit = Math.min(limit / 2, 4000)

const load = (): Script => {
  const cachedData = recalled()
  // The bundle is ASCII: read as Latin-1, it takes half the memory and no decoding.
  const source = `(function (require, __dirname, reflexionLater, reflexionInput) {${readFileSync(main, "latin1")}\n})`
  return new Script(source, { filename: main, ...(cachedData !== undefined && { cachedData }) })
}

type Program = (require: NodeJS.Require, directory: string, later: Later, input: StandardInput.Input) => void

type Later = (more: Promise<unknown>) => void

/** What the program still does when it has run: it waits for others than this machine. */
const rest: Array<Promise<unknown>> = []

const later: Later = (more) => {
  rest.push(more)
}

/** Runs the program, and ends it where it does not end by itself: nothing that is synchronous could do that from inside. */
const run = (script: Script, input: StandardInput.Input, timeout: number): void => {
  const program: Program = script.runInThisContext()
  // What lies beside the program lies beside this file.
  const value = (): void => program(require, __dirname, later, input)
  Object.defineProperty(globalThis, "reflexion", { value })
  new Script("reflexion()").runInThisContext({ timeout })
  if (process.exitCode === undefined) throw new Error("it ended before it had done anything")
}

const begun = uptime()

const textOf = (value: unknown): string | null => (typeof value === "string" ? value.slice(0, 400) : null)

/** What the host said. */
const payloadOf = (input: StandardInput.Input): { readonly session_id?: unknown; readonly cwd?: unknown } => {
  try {
    return input._tag === "payload" ? JSON.parse(input.text) : {}
  } catch {
    return {}
  }
}

const isLate = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"

/** Nothing is wrong with a program that had too much to do. */
const reasonOf = (cause: unknown): string => {
  if (isLate(cause)) return `${event} took longer than the ${limit / 1000} s that a hook has for it`
  const said = String(cause).replaceAll(/\s+/g, " ").slice(0, 300)
  return `${main} does not run, install it again with \`reflexion install ${REFLEXION_HOST}\`: ${said}`
}

/** The program itself writes the log; this is for one that cannot. */
const log = (cause: unknown, input: StandardInput.Input): void => {
  const { cwd, session_id } = payloadOf(input)
  const decision: Decision = {
    at: new Date().toISOString(),
    host: REFLEXION_HOST,
    sessionId: textOf(session_id),
    directory: textOf(cwd),
    event,
    decision: "failure",
    reason: reasonOf(cause),
    status: null,
    severity: null,
    attempt: null,
    maxAttempts: null,
    durationMs: Math.round(uptime())
  }
  PlainFiles.appendLine(UserDirectories.logFile(directories), JSON.stringify(decision))
}

const answer = (input: StandardInput.Input, timeout: number): void => {
  try {
    const script = load()
    run(script, input, timeout)
    // What ran is compiled by now: the cache spares the next start that, too.
    if (script.cachedDataRejected !== false) keep(script)
  } catch (cause) {
    try {
      log(cause, input)
    } catch {
      // There is nowhere left to say it.
    }
  }
}

/** The status with which the program wakes the host's agent. */
const wakes = 2

/** All is said and written by then: the memory need not be put in order first. Whatever happened, the host goes on. */
const end = (): never => process.exit(process.exitCode === wakes ? wakes : 0)

const answerAndEnd = (input: StandardInput.Input): void => {
  answer(input, limit - Math.ceil(uptime() - begun))
  if (rest.length === 0) end()
  else void Promise.all(rest).then(end, end)
}

const input = StandardInput.read(payloadLimit)
if (input instanceof Promise) void input.then(answerAndEnd)
else answerAndEnd(input)
