import { classify } from "../classify.ts"
import { other } from "../describe.ts"
import { emit, emitWrite, unknown, unknownFacts } from "../emit.ts"
import { foreign } from "./foreign.ts"
import { childScope, mask, processScope, shellQuote, unknownInput } from "../scope.ts"
import { has } from "../tool.ts"
import { programName } from "./wrappers.ts"
import type { Arg, CommandClass, Context, Fails, Run, Scope, Shell, Walk } from "../model.ts"

type Handler = (walk: Walk, run: Run, context: Context, scope: Scope) => Fails | undefined

/** A command line that a new process runs. */
export const line = (walk: Walk, source: string, context: Context, scope: Scope, shell: Partial<Shell> = {}): Fails =>
  walk.script(source, context, processScope(scope, {}, shell))

const evaluate: Handler = (walk, run, context, scope) => {
  const words = run.args.slice(1).map(({ value }) => value)
  return words.every((word) => word !== null)
    ? walk.script(words.join(" "), context, { ...scope, depth: scope.depth + 1 })
    : unknown(walk, run, context, scope)
}

const environment =
  /(?:^|\/)(?:\.?env(?:\.[\w.-]{1,40})?|activate(?:\.\w{1,8})?|\.?\w{0,20}(?:rc|profile)|nvm\.sh|[\w.-]{0,40}\.env|cargo\/env|[\w-]{0,30}env[\w-]{0,30}\.sh|conda\.sh|asdf\.sh|sdkman-init\.sh|nix(?:-daemon)?\.sh|setup\.(?:ba|z)?sh)$/

const source: Handler = (walk, run, context, scope) => {
  const file = run.args[1]
  const known = file !== undefined && environment.test((file.value ?? file.text).slice(-300))
  if (!known) walk.unknown = true
  emit(walk, run, known ? other : unknownFacts, context, scope)
  return known ? null : []
}

const trap: Handler = (walk, run, context, scope) => {
  const action = run.args[1]?.value ?? null
  if (action !== null && run.args.length > 2 && action !== "-") walk.script(action, mask(context), childScope(scope))
  return undefined
}

interface ShellCall {
  readonly options: Partial<Shell>
  readonly code: Arg | null
  /** Index of the script file, past the end when there is none. */
  readonly file: number
  readonly checks: boolean
}

const shellCall = (args: ReadonlyArray<Arg>): ShellCall => {
  const options: Partial<Shell> = {}
  const none = { options, code: null, file: args.length }
  let checks = false
  for (let index = 1; index < args.length; index += 1) {
    const word = args[index]?.value ?? null
    if (word === null || !/^[-+]/.test(word)) return { options, code: null, file: index, checks }
    if (word.startsWith("--")) {
      if (word === "--rcfile" || word === "--init-file") index += 1
      continue
    }
    if (word.includes("e")) options.errexit = true
    if (word.includes("n") && !word.includes("c")) checks = true
    if (word.includes("s")) return { ...none, checks }
    if (word.includes("o")) {
      const option = args[index + 1]?.value
      if (option === "pipefail" || option === "errexit") options[option] = true
      index += 1
    }
    if (word.includes("c")) return { ...none, code: args[index + 1] ?? null, checks }
  }
  return { ...none, checks }
}

const shell: Handler = (walk, run, context, scope) => {
  const call = shellCall(run.args)
  if (call.code !== null) {
    if (call.code.value === null) return unknown(walk, run, context, scope)
    const fails = line(walk, call.code.value, context, scope, call.options)
    if (run.writes.length > 0) emitWrite(walk, run.writes, run.text, context, scope)
    return fails
  }
  if (call.file < run.args.length) {
    if (call.checks) return emit(walk, run, { ...other, classes: ["lint"], runner: "bash" }, context, scope)
    const file = run.args[call.file]
    return file?.value === null || file === undefined
      ? unknown(walk, run, context, scope)
      : emit(walk, run, classify(run.args.slice(call.file), null, true), context, scope)
  }
  if (run.input === null) return emit(walk, run, other, context, scope)
  return run.input === unknownInput
    ? unknown(walk, run, context, scope)
    : line(walk, run.input, context, scope, call.options)
}

/** `cmd /c "npm test"`, `pwsh -Command 'dotnet test'`. */
const foreignShell: Handler = (walk, run, context, scope) => {
  const asked = foreign(programName(run.args[0]?.value ?? ""), run.args)
  if (asked.kind === "line") return line(walk, asked.line, context, scope)
  if (asked.kind === "file") return emit(walk, run, classify(asked.args, null, true), context, scope)
  if (asked.kind === "nothing" && run.input === null) return emit(walk, run, other, context, scope)
  return unknown(walk, run, context, scope)
}

const argumentUnknown: Arg = { value: null, text: "$_" }

const replaced = (args: ReadonlyArray<Arg>, mark: string): ReadonlyArray<Arg> =>
  args.map((arg) => (arg.value === mark ? argumentUnknown : arg))

const xargsValues =
  "-n -P -d -L -E -s -a -S -R -J --max-args --max-procs --delimiter --max-lines --arg-file -j --jobs --max-chars --process-slot-var"

const xargs: Handler = (walk, run, context, scope) => {
  let index = 1
  let mark: string | null = null
  let own = context
  for (; index < run.args.length; index += 1) {
    const word = run.args[index]?.value ?? null
    if (word === null || !word.startsWith("-") || word.length < 2) break
    if (word === "-I" || word === "--replace" || word === "-J") {
      mark = run.args[index + 1]?.value ?? "{}"
      index += 1
    } else if (word.startsWith("-I")) mark = word.slice(2)
    else if (word === "-i") mark = "{}"
    else if (word === "-r" || word === "--no-run-if-empty" || /^-[0rt]{2,3}$/.test(word)) own = mask(own)
    else if (has(xargsValues, word)) index += 1
  }
  const stop = run.args.findIndex(({ value }) => value?.startsWith(":::") === true)
  const rest = run.args.slice(index, stop < 0 ? undefined : stop)
  if (rest.length === 0) return emit(walk, run, { ...other, classes: ["read"] }, context, scope)
  const args = mark === null ? [...rest, argumentUnknown] : replaced(rest, mark)
  return walk.run({ ...run, args, input: null, layers: (run.layers ?? 0) + 1 }, own, scope)
}

/** The words of each `-exec … ;` of `find`, or of the `-x` of `fd`, which takes all that follow. */
const execs = (args: ReadonlyArray<Arg>): ReadonlyArray<ReadonlyArray<Arg>> => {
  const found: Array<ReadonlyArray<Arg>> = []
  let start = -1
  for (let index = 1; index < args.length && found.length < 16; index += 1) {
    const word = args[index]?.value ?? ""
    if (start < 0 && has("-x -X --exec --exec-batch", word)) return [...found, replaced(args.slice(index + 1), "{}")]
    if (start < 0 && has("-exec -execdir -ok -okdir", word)) start = index + 1
    else if (start >= 0 && (word === ";" || word === "+")) {
      found.push(replaced(args.slice(start, index), "{}"))
      start = -1
    }
  }
  return found
}

const find: Handler = (walk, run, context, scope) => {
  const inner = (run.layers ?? 0) > 2 ? [] : execs(run.args)
  if (inner.length === 0 && run.args.every(({ value }) => value !== "-delete")) return undefined
  const writes = run.args.some(({ value }) => value === "-delete") ? ["*"] : []
  const classes: ReadonlyArray<CommandClass> = writes.length > 0 ? ["search", "write"] : ["search"]
  const fails = emit(walk, run, { ...other, classes, writes }, context, scope)
  for (const args of inner) {
    const layers = (run.layers ?? 0) + 1
    if (args.length > 0) walk.run({ args, text: run.text, writes: [], input: null, layers }, mask(context), scope)
  }
  return fails
}

/** How the shell may end here. That nothing follows is for the list around to see. */
const exit: Handler = (walk, run, context, scope) => {
  emit(walk, run, other, context, scope)
  const status = run.args[1]?.value ?? null
  const known = status !== null && /^\d{1,3}$/.test(status)
  if (context !== "none") {
    if (!known || Number(status) === 0) scope.shell.mayHaveSucceeded = true
    if (!known || Number(status) !== 0) scope.shell.mayHaveFailed = true
  }
  return status === "0" ? null : []
}

/** `start-server-and-test dev 3000 test`: the last word is a script or a command. */
const serverTest: Handler = (walk, run, context, scope) => {
  const last = run.args.at(-1)?.value ?? null
  if (last === null || run.args.length < 2) return unknown(walk, run, context, scope)
  return line(walk, /\s/.test(last) ? last : `npm run ${shellQuote({ value: last, text: last })}`, context, scope)
}

const falsehood: Handler = (walk, run, context, scope) => {
  emit(walk, run, other, context, scope)
  return []
}

/** Commands that run others, or that decide how the shell ends. */
export const handlers: ReadonlyMap<string, Handler> = new Map(
  Object.entries({
    eval: evaluate,
    "source .": source,
    trap,
    "bash sh zsh dash ksh ash fish": shell,
    "cmd powershell pwsh": foreignShell,
    "xargs gxargs parallel": xargs,
    "find gfind fd fdfind": find,
    "exit return logout": exit,
    false: falsehood,
    "start-server-and-test start-test": serverTest,
    "ssh mosh vagrant autossh expect": unknown
  } satisfies Record<string, Handler>).flatMap(([names, handler]) =>
    names.split(" ").map((name) => [name, handler] as const)
  )
)
