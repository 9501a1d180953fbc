import type { Command } from "unbash"
import type { CommandClass } from "../ShellCommand.ts"
import * as Scripts from "./scripts.ts"
import { classify, isKnown } from "./shellClassify.ts"
import type { Facts } from "./shellClassify.ts"
import { foreign } from "./shellForeign.ts"
import type { Arg, Context, Fails, Leaf, Scope, Shell, Walk } from "./shellScope.ts"
import { basename, childScope, join, mask, processScope, wordArg } from "./shellScope.ts"
import type { Call } from "./shellTargets.ts"
import * as targets from "./shellTargets.ts"
import { has } from "./shellTool.ts"
import { programName, unwrap } from "./shellWrappers.ts"
import { pathsOf } from "./shellWrites.ts"

/** Input that comes from somewhere, its text unknown. */
export const unknownInput = "\u0000"

/** A command as the walk found it. `input` is null when nothing is fed to it. */
export interface Run {
  readonly args: ReadonlyArray<Arg>
  readonly text: string
  readonly writes: ReadonlyArray<string>
  readonly input: string | null
  /** Wrappers taken off so far. */
  readonly layers?: number
}

const maxText = 200

export const clip = (source: string, from: number, to: number): string => {
  const text = source
    .slice(from, Math.min(to, from + 4 * maxText))
    .replace(/\s+/g, " ")
    .trim()
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
}

export const writtenPaths = (arg: Arg, scope: Scope): ReadonlyArray<string> =>
  pathsOf(arg).map((path) => (path === "*" ? path : join(scope.shell.dir, path)))

const unknownFacts: Facts = {
  classes: ["unknown"],
  alsoProves: [],
  runner: null,
  filtered: false,
  dryRun: false,
  push: null,
  writes: []
}

const otherFacts: Facts = { ...unknownFacts, classes: ["other"] }
const writeFacts: Facts = { ...unknownFacts, classes: ["write"] }

const maxLeaves = 1_000
const maxLayers = 12
const maxWords = 256

const emit = (walk: Walk, run: Run, facts: Facts, context: Context, scope: Scope): Fails => {
  if (walk.leaves.length >= maxLeaves) {
    walk.unknown = true
    walk.truncated = true
    return []
  }
  const leaf: Leaf = {
    words: run.args.slice(0, maxWords).map(({ value }) => value),
    text: run.text,
    via: scope.via,
    classes: facts.classes,
    alsoProves: facts.alsoProves,
    runner: facts.runner,
    exit: context === "echoed" ? "masked" : context,
    echoesStatus: context === "echoed",
    soleSuspect: false,
    filtered: facts.filtered,
    dryRun: facts.dryRun,
    push: facts.push,
    writes: run.writes.length === 0 ? facts.writes : [...run.writes, ...facts.writes]
  }
  walk.leaves.push(leaf)
  return [[leaf]]
}

export const emitWrite = (
  walk: Walk,
  writes: ReadonlyArray<string>,
  text: string,
  context: Context,
  scope: Scope
): Fails => {
  emit(walk, { args: [], text, writes, input: null }, writeFacts, context, scope)
  return null
}

export const emitPlain = (walk: Walk, args: ReadonlyArray<Arg>, text: string, context: Context, scope: Scope): Fails =>
  emit(walk, { args, text, writes: [], input: null }, otherFacts, context, scope)

const unknown = (walk: Walk, run: Run, context: Context, scope: Scope): Fails => {
  walk.unknown = true
  return emit(walk, run, unknownFacts, context, scope)
}

const trivial = new Set(
  "cd pushd popd export echo printf set true : unset local declare readonly typeset shopt umask sleep alias pwd date clear trap ulimit hash setopt sync wait disown read".split(
    " "
  )
)

/** Programs that only pass their input on, and so do not fail when nothing but their input is given. */
const sinks = new Set(
  "cat tail tee sort uniq wc nl tr cut column less more head sed awk gawk tac fold rev paste strings".split(" ")
)

const isTrivial = (name: string, run: Run): boolean =>
  trivial.has(name) ||
  (run.input !== null && sinks.has(name)) ||
  (name === "mkdir" && run.args.some(({ value }) => value === "-p"))

/** A reader that may stop before its input ends, and so end the writer with a signal. */
export const endsInputEarly = (node: { readonly type: string }): boolean =>
  node.type === "Command" && "name" in node && isEarly(node.name)

const isEarly = (name: unknown): boolean =>
  typeof name === "object" && name !== null && "value" in name && (name.value === "head" || name.value === "less")

/** What a command prints, where its words say it. */
export const outputOf = (node: Command, scope: Scope): string | null => {
  const name = node.name?.value
  if (name === "cat" && node.args.length === 0) {
    for (const redirect of node.redirects) if (redirect.type === "HereDoc") return redirect.body.text
    return null
  }
  if (name !== "echo" && name !== "printf") return null
  const words: Array<string> = []
  for (const item of node.args) {
    const value = item.type === "Word" ? wordArg(item, scope).value : null
    if (value === null) return null
    if (words.length > 0 || !/^-[neE]{1,3}$/.test(value)) words.push(value)
  }
  return words.join(" ")
}

const setOption = (name: "errexit" | "pipefail", on: boolean, { shell }: Scope): void => {
  if (shell[name] === on) return
  // Set in a branch, it may hold or not: then nothing is claimed that rests on it.
  const maybe = shell.uncertain || shell.chained
  if (maybe) shell.mayHaveFailed = true
  if (!on || !maybe) shell[name] = on
}

const setOptions = (args: ReadonlyArray<Arg>, scope: Scope): void => {
  for (let index = 1; index < args.length; index += 1) {
    const word = args[index]?.value ?? ""
    const on = word.startsWith("-")
    if ((!on && !word.startsWith("+")) || word.startsWith("--")) continue
    if (word.includes("e")) setOption("errexit", on, scope)
    if (word.includes("o")) {
      const option = args[index + 1]?.value
      if (option === "pipefail" || option === "errexit") setOption(option, on, scope)
      index += 1
    }
  }
}

const changeDir = (args: ReadonlyArray<Arg>, { shell }: Scope): void => {
  const target = args.slice(1).find(({ value }) => value === null || !/^-[PLe@]$|^--$/.test(value))
  const value = target === undefined ? "~" : target.value
  if (target?.text.startsWith("$(git rev-parse --show-toplevel") === true) shell.dir = ""
  else if (value === null || value === "-" || shell.uncertain) shell.dir = null
  else if (value.startsWith("/") || value.startsWith("~")) shell.dir = value
  else if (shell.dir !== null && value !== ".") {
    shell.dir = join(shell.dir, `${value}/`).replace(/^\.\/|\/{1,4}$/g, "")
  }
}

/** Builtins that change the shell; true when the command was one. */
const builtin = (name: string, args: ReadonlyArray<Arg>, scope: Scope): void => {
  if (name === "cd" || name === "pushd") changeDir(args, scope)
  else if (name === "popd") scope.shell.dir = null
  else if (name === "set") setOptions(args, scope)
  else if (name === "read" || name === "unset" || name === "mapfile") {
    for (const { value } of args) if (value !== null) scope.vars.set(value, null)
  }
}

type Handler = (walk: Walk, run: Run, context: Context, scope: Scope) => Fails | undefined

/** A command line that a new process runs. */
const line = (walk: Walk, source: string, context: Context, scope: Scope, shell: Partial<Shell> = {}): Fails =>
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
  emit(walk, run, known ? otherFacts : unknownFacts, context, scope)
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
    if (call.checks) return emit(walk, run, { ...otherFacts, classes: ["lint"], runner: "bash" }, context, scope)
    const file = run.args[call.file]
    return file?.value === null || file === undefined
      ? unknown(walk, run, context, scope)
      : emit(walk, run, classify(run.args.slice(call.file), null, true), context, scope)
  }
  if (run.input === null) return emit(walk, run, otherFacts, context, scope)
  return run.input === unknownInput
    ? unknown(walk, run, context, scope)
    : line(walk, run.input, context, scope, call.options)
}

/** `cmd /c "npm test"`, `pwsh -Command 'dotnet test'`. */
const foreignShell: Handler = (walk, run, context, scope) => {
  const asked = foreign(programName(run.args[0]?.value ?? ""), run.args)
  if (asked.kind === "line") return line(walk, asked.line, context, scope)
  if (asked.kind === "file") return emit(walk, run, classify(asked.args, null, true), context, scope)
  if (asked.kind === "nothing" && run.input === null) return emit(walk, run, otherFacts, context, scope)
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
  if (rest.length === 0) return emit(walk, run, { ...otherFacts, classes: ["read"] }, context, scope)
  const args = mark === null ? [...rest, argumentUnknown] : replaced(rest, mark)
  return command(walk, { ...run, args, input: null, layers: (run.layers ?? 0) + 1 }, own, scope)
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
  const fails = emit(walk, run, { ...otherFacts, classes, writes }, context, scope)
  for (const args of inner) {
    const layers = (run.layers ?? 0) + 1
    if (args.length > 0) command(walk, { args, text: run.text, writes: [], input: null, layers }, mask(context), scope)
  }
  return fails
}

/** How the shell may end here. That nothing follows is for the list around to see. */
const exit: Handler = (walk, run, context, scope) => {
  emit(walk, run, otherFacts, context, scope)
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
  emit(walk, run, otherFacts, context, scope)
  return []
}

const handlers: ReadonlyMap<string, Handler> = new Map(
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

/** `"$VENV/bin/pytest"` is known by its last part. */
const programPath = ({ text }: Arg): Arg | null =>
  /^\$\{?\w{1,60}\}?(?:\/[\w.@+-]{1,80}){1,12}$/.test(text.slice(0, 1_200)) ? { value: text, text } : null

const isLookup = (name: string, args: ReadonlyArray<Arg>): boolean =>
  name === "command" && args.slice(1).some(({ value }) => value === "-v" || value === "-V")

/** Runs one command: takes wrappers off, follows scripts and strings, and lists what is left. */
export const command = (walk: Walk, run: Run, context: Context, scope: Scope): Fails => {
  walk.budget -= 1
  const first = run.args[0]
  const layers = (run.layers ?? 0) + 1
  if (first === undefined || walk.budget < 0 || layers > maxLayers) return unknown(walk, run, context, scope)
  if (first.value === null) {
    const path = programPath(first)
    if (path === null) return unknown(walk, run, context, scope)
    return command(walk, { ...run, args: [path, ...run.args.slice(1)], layers }, context, scope)
  }
  const name = programName(first.value)
  builtin(name, run.args, scope)
  const handled = handlers.get(name)?.(walk, run, context, scope)
  if (handled !== undefined) return handled
  const wanted = targets.calls(name, run.args)
  if (wanted.length > 0) return followCalls(walk, run, wanted, context, scope)
  const wrapped = isLookup(name, run.args) ? null : unwrap(run.args)
  if (wrapped === null) return plain(walk, run, name, context, scope)
  const own = wrapped.exit === undefined || context === "none" ? context : mask(context)
  if (wrapped.kind === "args") return command(walk, { ...run, args: wrapped.args, layers }, own, scope)
  let fails: Fails = null
  for (const { value } of wrapped.lines) {
    fails = both(fails, value === null ? unknown(walk, run, own, scope) : line(walk, value, own, scope))
  }
  return fails
}

const plain = (walk: Walk, run: Run, name: string, context: Context, scope: Scope): Fails => {
  const facts = classify(run.args, run.input === unknownInput ? null : run.input, false)
  const located =
    facts.writes.length === 0
      ? facts
      : { ...facts, writes: facts.writes.map((path) => (path === "*" ? path : join(scope.shell.dir, path))) }
  const fails = emit(walk, run, withRedirection(located, run), context, scope)
  if (facts.classes[0] === "unknown") walk.unknown = true
  return isTrivial(name, run) ? null : fails
}

const quiet = new Set<CommandClass>(["read", "search", "other", "vcs"])

/** `cat > x` and `jq . a > b` write; `npm test > log` is a test all the same. */
const withRedirection = (facts: Facts, run: Run): Facts => {
  if (run.writes.length === 0 || facts.classes.includes("write") || !facts.classes.every((one) => quiet.has(one))) {
    return facts
  }
  const name = basename(run.args[0]?.value ?? "")
  const only = has("cat echo printf : true", name)
  return { ...facts, classes: only ? ["write"] : [...facts.classes, "write"] }
}

const followCalls = (walk: Walk, run: Run, wanted: ReadonlyArray<Call>, context: Context, scope: Scope): Fails => {
  let fails: Fails = null
  for (const call of wanted) fails = both(fails, follow(walk, run, call, context, scope))
  return fails
}

const both = (left: Fails, right: Fails): Fails => {
  if (left === null) return right
  if (right === null) return left
  return left[0] === undefined || right[0] === undefined ? [] : [[...left[0], ...right[0]]]
}

const bodyOf = (walk: Walk, call: Call, scope: Scope): string | null =>
  call.kind === null || !targets.atRoot(call, scope) || scope.active.includes(`${call.kind}:${call.name}`)
    ? null
    : Scripts.lookup(walk.scripts[call.kind], call.name)

const follow = (walk: Walk, run: Run, call: Call, context: Context, scope: Scope): Fails => {
  const body = bodyOf(walk, call, scope)
  if (body !== null) return followBody(walk, run, call, body, context, scope)
  if (call.program && (isKnown(call.name) || call.classes.length === 0)) {
    const at = run.args.findIndex(({ value }) => value === call.name)
    const layers = (run.layers ?? 0) + 1
    return command(walk, { ...run, args: at < 0 ? run.args : run.args.slice(at), layers }, context, scope)
  }
  const absent = call.ifPresent && call.kind !== null && Object.keys(walk.scripts[call.kind]).length > 0
  return emit(walk, run, nameFacts(call, absent && targets.atRoot(call, scope)), context, scope)
}

const gates: ReadonlyArray<CommandClass> = ["test", "build", "typecheck", "lint", "format"]

const nameFacts = (call: Call, absent: boolean): Facts => ({
  classes: call.classes.length > 0 ? call.classes : ["other"],
  alsoProves: [],
  runner: call.classes.some((one) => gates.includes(one)) ? call.runner : null,
  filtered: call.filtered || call.part || (call.classes.includes("test") && targets.narrows(call.args)),
  dryRun: call.dryRun || absent || targets.listsOnly(call.args),
  push: null,
  writes: []
})

const shellQuote = ({ value }: Arg): string => (value === null ? '"$_"' : `'${value.replaceAll("'", "'\\''")}'`)

/** The command lines that a script's body stands for, and whether a failure of the line counts. */
const linesOf = (
  walk: Walk,
  call: Call,
  body: string
): ReadonlyArray<{ readonly source: string; readonly counts: boolean }> => {
  if (call.kind === "npm") {
    const around = [
      Scripts.lookup(walk.scripts.npm, `pre${call.name}`),
      Scripts.lookup(walk.scripts.npm, `post${call.name}`)
    ]
    const main = [body, ...call.args.map(shellQuote)].join(" ")
    return [around[0], main, around[1]].flatMap((source) => (source == null ? [] : [{ source, counts: true }]))
  }
  if (call.kind === "python" || call.kind === "deno" || call.kind === "composer") {
    return body.split("\n", 200).map((source, index, all) => ({
      source: index === all.length - 1 ? [source, ...call.args.map(shellQuote)].join(" ") : source,
      counts: true
    }))
  }
  if (body.startsWith("#!")) return [{ source: body, counts: true }]
  return body.split("\n", 200).map((text) => {
    const plainLine = text.replace(/^\s{0,40}[@+-]{0,3}/, "")
    return { source: plainLine, counts: !/^\s{0,40}[@+]{0,2}-/.test(text) }
  })
}

const followBody = (walk: Walk, run: Run, call: Call, body: string, context: Context, scope: Scope): Fails => {
  const start = walk.leaves.length
  const changes = { via: scope.via ?? run.text, active: [...scope.active, `${call.kind ?? ""}:${call.name}`] }
  let fails: Fails = null
  for (const { counts, source } of linesOf(walk, call, body)) {
    const result = walk.script(source, counts ? context : mask(context), processScope(scope, changes))
    if (counts) fails = both(fails, result)
  }
  const leaves = walk.leaves.slice(start)
  const narrowed = call.filtered || (call.kind !== "npm" && targets.narrows(call.args))
  for (const leaf of leaves) {
    leaf.filtered ||= narrowed && leaf.classes.includes("test")
    leaf.dryRun ||= call.dryRun
  }
  credit(call, leaves)
  return fails
}

/** What may have done the work: no builtin, no gate of its own. */
const doer = (leaf: Leaf): boolean => {
  const name = leaf.words[0] ?? ""
  return !trivial.has(name) && !has("exit return false", name) && !leaf.classes.some((one) => gates.includes(one))
}

/** A script called `test` that runs something unheard of is still a test: its name says so. */
const credit = (call: Call, leaves: ReadonlyArray<Leaf>): void => {
  const wanted = call.classes.filter((one) => gates.includes(one))
  const known = (one: CommandClass) =>
    leaves.some((leaf) => leaf.classes.includes(one) || leaf.alsoProves.includes(one))
  if (wanted.length === 0 || wanted.some(known)) return
  const last = leaves.findLast((leaf) => doer(leaf) && leaf.exit !== "none")
  if (last === undefined) return
  last.classes = wanted
  last.runner = call.runner
  last.dryRun ||= targets.listsOnly(call.args)
  last.filtered = call.filtered || call.part || (wanted.includes("test") && targets.narrows(call.args))
}
