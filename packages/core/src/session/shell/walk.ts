/** Walks over the nodes of a script. Finds the commands' order, and how their statuses form the script's status. */
import {
  type Command,
  type CompoundList,
  parse,
  type Pipeline,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word
} from "unbash"
import type { Facts, Scripts, SimpleCommand } from "./model.ts"
import { isGate } from "./names.ts"
import { other } from "./programs.ts"
import {
  both,
  either,
  eitherEnds,
  type Ends,
  endsOf,
  hidden,
  isPossible,
  type StatusReadings,
  maxCommands,
  never,
  nothing,
  nowhere,
  passed
} from "./statuses.ts"
import { type Arg, type Args, joinPath, pathOf, substitutions, unknownInput, variableOf, wordArg } from "./words.ts"

export interface Run {
  readonly args: Args
  readonly text: string
  readonly writes: ReadonlyArray<string>
  /** The text on the command's standard input. Null if there is no input. `unknownInput` if the text is unknown. */
  readonly input: string | null
}

/** The value of a variable: a text, an exit status, or unknown. Both fields are null if the value is unknown. */
interface Value {
  readonly text: string | null
  readonly status: Ends | null
}

interface Shell {
  /** The current folder of the shell: absolute, or relative to the start. Null if unknown. */
  dir: string | null
  readonly vars: Map<string, Value>
  readonly functions: Map<string, Pick<Place, "source"> & { readonly body: SyntaxNode }>
  /** The value of `$?`. */
  last: Ends
  /** The value of `PIPESTATUS`. */
  pipe: ReadonlyArray<Ends>
}

export interface Place {
  readonly shell: Shell
  /** The statuses with which the shell may have exited early. */
  readonly frame: { zero: StatusReadings; fail: StatusReadings }
  readonly known: StatusReadings
  /** True outside of branches, loops and chains. A variable that is set at such a place is certainly set. */
  readonly isSure: boolean
  readonly background: boolean
  readonly source: string
  readonly via: string | null
  /** The scripts that are running. A script in this list is not started again. */
  readonly active: ReadonlyArray<string>
  readonly depth: number
}

export interface Walk {
  readonly commands: Array<{ -readonly [key in keyof SimpleCommand]: SimpleCommand[key] }>
  readonly scripts: Scripts
  /** True if `PATH` may make a name start another program than usual. */
  readonly isMisled: boolean
  unknown: boolean
  /** True if a part of the command was not analysed. If so, no status proves anything. */
  isCut: boolean
  /** True with `set -e` or `pipefail`. Any command may have failed then, so the meaning of a failure is unknown. */
  isStrict: boolean
  budget: number
  echoes: number
  step: number
  readonly run: (run: Run, place: Place) => Ends
}

export const newShell = (dir: string | null): Shell => ({
  dir,
  vars: new Map(),
  functions: new Map(),
  last: passed(nothing),
  pipe: []
})

/** Adds a command to the list. `isTrivial` is true if a failure of the command is not important. */
export const emit = (walk: Walk, run: Run, given: Facts, place: Place, isTrivial = false): Ends => {
  const id = walk.commands.length
  if (id >= maxCommands) return cut(walk, place)
  const facts = walk.isMisled && given.classes.some(isGate) ? other : given
  if (facts.classes[0] === "unknown") walk.unknown = true
  walk.commands.push({
    ...facts,
    words: run.args.map(({ value }) => value),
    text: run.text,
    via: place.via,
    exit: place.background ? "background" : "masked",
    echo: 0,
    soleEchoed: false,
    soleSuspect: false,
    besideEdits: false,
    dir: place.shell.dir,
    writes: [...run.writes, ...facts.writes],
    step: walk.step
  })
  walk.step += 1
  const isEdit = facts.classes.every((name) => name === "write")
  return endsOf(id, place.known, isTrivial, isEdit)
}

const cut = (walk: Walk, { known }: Place): Ends => {
  walk.unknown = true
  walk.isCut = true
  return hidden(known)
}

export const emitWrite = (walk: Walk, writes: ReadonlyArray<string>, text: string, place: Place): void => {
  if (writes.length > 0) emit(walk, { args: [], text, writes, input: null }, { ...other, classes: ["write"] }, place)
}

const maxText = 200
const maxWords = 256

const sliceOf = ({ end, pos }: SyntaxNode, { source }: Place): string => {
  const text = source
    .slice(pos, Math.min(end, pos + 4 * maxText))
    .replace(/\s+/g, " ")
    .trim()
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
}

const copied = ({ vars, ...shell }: Shell): Shell => ({ ...shell, vars: new Map(vars) })

/** Variables that the body sets stay in that shell. The exit status is the body's. */
export const inShell = (place: Place, body: (place: Place) => Ends, shell = copied(place.shell)): Ends => {
  const frame = { zero: never, fail: never }
  const ends = body({ ...place, shell, frame, isSure: true, depth: place.depth + 1 })
  return eitherEnds(frame, ends)
}

const unknownValue: Value = { text: null, status: null }

/** Runs a body that the shell may skip. Afterwards, variables that the body sets have an unknown value. */
const maybe = (place: Place, body: (place: Place) => Ends): Ends => {
  const { shell } = place
  const own = copied(shell)
  const ends = body({ ...place, shell: own, isSure: false })
  if (own.dir !== shell.dir) shell.dir = null
  for (const [name, value] of own.vars) if (shell.vars.get(name) !== value) shell.vars.set(name, unknownValue)
  return ends
}

/** The shell exits with this status. */
export const leave = ({ frame, known }: Place, { fail, zero }: Ends): Ends => {
  frame.zero = either(frame.zero, both(known, zero))
  frame.fail = either(frame.fail, both(known, fail))
  return nowhere
}

const list = (walk: Walk, statements: ReadonlyArray<Statement>, place: Place): Ends => {
  let ends = passed(place.known)
  for (const { background, command } of statements) {
    const known = either(ends.zero, ends.fail)
    if (!isPossible(known)) break
    const own = { ...place, known }
    ends = background === true ? started(walk, command, own) : nodeOf(walk, command, own)
    place.shell.last = ends
    place.shell.pipe = pipeOf(command, ends, own)
  }
  return walk.isStrict ? { zero: ends.zero, fail: place.known } : ends
}

/** If a chain ends in a pipeline, status 0 proves something about the pipeline's members. Other statuses do not. */
const pipeOf = (node: SyntaxNode, ends: Ends, { known, shell }: Place): ReadonlyArray<Ends> => {
  if (node.type === "Pipeline") return shell.pipe
  if (node.type === "Command") return [ends]
  const isChain =
    node.type === "AndOr" && node.commands.at(-1)?.type === "Pipeline" && node.operators.every((one) => one === "&&")
  return isChain ? shell.pipe.map(({ zero }) => ({ zero, fail: known })) : []
}

const started = (walk: Walk, node: SyntaxNode, place: Place): Ends => {
  inShell({ ...place, background: true }, (own) => nodeOf(walk, node, own))
  return passed(place.known)
}

export const script = (walk: Walk, source: string, place: Place): Ends => {
  if (source.length > maxLength || place.depth > maxDepth) return cut(walk, place)
  const { commands, errors } = parse(source)
  if (errors !== undefined && errors.length > 0) walk.unknown = true
  return list(walk, commands, { ...place, source, depth: place.depth + 1 })
}

export const maxLength = 32_768
const maxDepth = 20

/** Returns how the last substitution ends, because an assignment gets that status. */
const substituted = (walk: Walk, node: SyntaxNode, place: Place): Ends =>
  substitutions(node).reduce(
    (_, { commands, source }) =>
      inShell({ ...place, source: source ?? place.source }, (own) => list(walk, commands, own)),
    passed(place.known)
  )

const nodeOf = (walk: Walk, node: SyntaxNode, outer: Place): Ends => {
  const place = { ...outer, depth: outer.depth + 1 }
  walk.budget -= 1
  if (walk.budget < 0 || place.depth > 4 * maxDepth) return cut(walk, place)
  switch (node.type) {
    case "Command":
      return commandOf(walk, node, place, null)
    case "AndOr":
      return node.commands.reduce<Ends>((ends, command, at) => {
        const isAnd = at === 0 || node.operators[at - 1] === "&&"
        const known = isAnd ? ends.zero : ends.fail
        if (!isPossible(known)) return ends
        if (at > 0) place.shell.last = isAnd ? passed(known) : { zero: never, fail: known }
        const own = { ...place, known, isSure: false }
        const next = isAnd ? nodeOf(walk, command, own) : maybe(own, (inner) => nodeOf(walk, command, inner))
        return isAnd
          ? { zero: next.zero, fail: either(ends.fail, next.fail) }
          : { zero: either(ends.zero, next.zero), fail: next.fail }
      }, passed(place.known))
    case "Pipeline":
      return pipeline(walk, node, place)
    case "Subshell":
      return inShell(place, (own) => list(walk, node.body.commands, own))
    case "BraceGroup":
      return list(walk, node.body.commands, place)
    case "CompoundList":
      return list(walk, node.commands, place)
    case "Redirected": {
      const ends = nodeOf(walk, node.command, place)
      emitWrite(walk, redirected(walk, node.redirects, place), sliceOf(node, place), place)
      return ends
    }
    case "If": {
      const more = node.elif.flatMap(({ clause, then }) => [clause, then])
      return branches(walk, [node.clause, node.then, ...more, ...(node.else === undefined ? [] : [node.else])], place)
    }
    case "While":
      return branches(walk, [node.clause, node.body], place)
    case "Case":
      return branches(
        walk,
        node.items.map(({ body }) => body),
        place
      )
    case "For":
    case "Select": {
      for (const word of node.wordlist ?? []) substituted(walk, word, place)
      const [word, ...more] = node.wordlist ?? []
      const text = word === undefined || more.length > 0 ? null : wordIn(word, place).value
      place.shell.vars.set(node.name.value, { text, status: null })
      return branches(walk, [node.body], place)
    }
    case "Function":
      place.shell.functions.set(node.name.value, { body: node.body, source: place.source })
      return passed(place.known)
    case "TestCommand":
    case "ArithmeticCommand":
      substituted(walk, node, place)
      return emit(walk, { args: [], text: sliceOf(node, place), writes: [], input: null }, other, place)
    default:
      walk.unknown = true
      return hidden(place.known)
  }
}

const pipeline = (walk: Walk, { commands, prefixes }: Pipeline, place: Place): Ends => {
  const [first] = commands
  const isNegated = prefixes.filter(({ type }) => type === "Negation").length % 2 === 1
  const ends = commands.length === 1 && first !== undefined ? nodeOf(walk, first, place) : piped(walk, commands, place)
  return isNegated ? { zero: ends.fail, fail: ends.zero } : ends
}

const piped = (walk: Walk, commands: Pipeline["commands"], place: Place): Ends => {
  const start = walk.step
  let end = start
  let input: string | null = null
  place.shell.pipe = commands.map((command) => {
    // All members of a pipeline start at the same time.
    walk.step = start
    const fed = input
    const ends = inShell(place, (own) =>
      command.type === "Command" ? commandOf(walk, command, own, fed) : nodeOf(walk, command, own)
    )
    input = outputOf(command, place)
    end = Math.max(end, walk.step)
    return ends
  })
  walk.step = end
  return place.shell.pipe.at(-1) ?? passed(place.known)
}

/** Runs bodies that may run once, several times, or not at all. The exit status of these bodies is not tracked. */
const branches = (walk: Walk, bodies: ReadonlyArray<CompoundList>, place: Place): Ends => {
  const { known, shell } = place
  const frame = { zero: never, fail: never }
  shell.last = hidden(known)
  for (const { commands, end, pos } of bodies) {
    // One round of a loop may set a variable that the next round uses.
    const text = place.source.slice(pos, end)
    for (const name of shell.vars.keys()) if (text.includes(`${name}=`)) shell.vars.set(name, unknownValue)
    maybe({ ...place, frame }, (own) => list(walk, commands, own))
  }
  leave(place, { zero: isPossible(frame.zero) ? known : never, fail: isPossible(frame.fail) ? known : never })
  return hidden(known)
}

const redirected = (walk: Walk, redirects: ReadonlyArray<Redirection>, place: Place): ReadonlyArray<string> =>
  redirects.flatMap((redirect) => {
    substituted(walk, redirect, place)
    if (redirect.type !== "Redirect" || redirect.target === undefined) return []
    const { operator, target } = redirect
    const arg = wordIn(target, place)
    const isNone = operator.startsWith("<") || (operator === ">&" && /^[\d-]/.test(arg.text))
    if (isNone || target.parts?.[0]?.type === "ProcessSubstitution" || arg.text.startsWith("/dev/")) return []
    return [joinPath(place.shell.dir, pathOf(arg))]
  })

const wordIn = (word: Word, { shell }: Place): Arg => wordArg(word, (name) => shell.vars.get(name)?.text ?? null)

const inputOf = ({ redirects }: Command, place: Place, piped: string | null): string | null => {
  const fed = redirects.findLast((redirect) => redirect.type !== "Redirect" || redirect.operator.startsWith("<"))
  if (fed === undefined) return piped
  if (fed.type === "HereDoc") return fed.body.text
  return (fed.type === "HereString" && fed.target && wordIn(fed.target, place).value) || unknownInput
}

const outputOf = (node: SyntaxNode, place: Place): string => {
  if (node.type !== "Command" || node.name === undefined) return unknownInput
  if (node.name.value === "cat" && node.args.length === 0) return inputOf(node, place, null) ?? unknownInput
  const words = node.args.map((item) => (item.type === "Word" ? wordIn(item, place).value : null))
  return node.name.value !== "echo" || words.includes(null) ? unknownInput : words.join(" ")
}

/** Reads, for example, `$?`, `$rc`, `${PIPESTATUS[0]}` or `1`. Null for any other text. */
export const statusIn = (text: string, { known, shell }: Place): Ends | null => {
  if (/^\$(?:\?|\{\?\})$/.test(text)) return shell.last
  const pipe = /^\$\{?PIPESTATUS(?:\[(\d{1,2}|@|\*)\])?\}?$/.exec(text)
  if (pipe !== null) return shell.pipe[Number(pipe[1] ?? 0) || 0] ?? null
  if (/^\d{1,3}$/.test(text)) return Number(text) === 0 ? passed(known) : { zero: never, fail: known }
  return shell.vars.get(variableOf(text) ?? "")?.status ?? null
}

const commandOf = (walk: Walk, node: Command, place: Place, piped: string | null): Ends => {
  const { shell } = place
  const text = sliceOf(node, place)
  let assigns = passed(place.known)
  for (const item of [...node.prefix, ...node.args]) {
    if (item.type !== "Assignment") continue
    assigns = substituted(walk, item.value, place)
    // An assignment before a command applies only to that command.
    if (node.name !== undefined && node.prefix.some((own) => own === item)) continue
    const word = item.value.type === "Word" && item.index === undefined && item.append !== true ? item.value : null
    const status = word === null || !place.isSure ? null : statusIn(word.text.replaceAll('"', ""), place)
    shell.vars.set(item.name, { text: word === null ? null : wordIn(word, place).value, status: status })
  }
  const writes = redirected(walk, node.redirects, place)
  if (node.name === undefined) {
    emitWrite(walk, writes, text, place)
    return assigns
  }
  const args = [node.name, ...node.args].map((item) => {
    if (item.type === "Assignment") return { value: null, text: item.text }
    substituted(walk, item, place)
    return wordIn(item, place)
  })
  const run = { args: args.slice(0, maxWords), text, writes, input: inputOf(node, place, piped) }
  const definition = shell.functions.get(args[0]?.value ?? "")
  if (definition === undefined) return walk.run(run, place)
  const { body, source } = definition
  inShell({ ...place, source }, (own) => nodeOf(walk, body, { ...own, isSure: false }), shell)
  // We do not track which definition of the function applies, how its body ends, or whether the body exits the shell.
  if (/\bexit\b/.test(source.slice(body.pos, body.end))) leave(place, hidden(place.known))
  return hidden(place.known)
}
