import { forEachChild } from "unbash"
import type { HereDoc, ParsedScript, Statement, SyntaxNode, Word, WordPart } from "unbash"
import type { CommandClass, Exit, Push } from "./ShellCommand.ts"
import type { Scripts } from "../project/RepoSignals.ts"

/** `echoed` behaves as `implied` on the way down and ends as `masked` with `echoesStatus`. */
export type Context = Exit | "echoed"

/** What a node's failure would mean: null, it cannot fail; else each clause names commands of which one failed. */
export type Fails = ReadonlyArray<ReadonlyArray<Leaf>> | null

export interface Leaf {
  words: ReadonlyArray<string | null>
  text: string
  via: string | null
  classes: ReadonlyArray<CommandClass>
  alsoProves: ReadonlyArray<CommandClass>
  runner: string | null
  exit: Exit
  echoesStatus: boolean
  soleSuspect: boolean
  filtered: boolean
  dryRun: boolean
  push: Push | null
  writes: ReadonlyArray<string>
}

/** One word of a command: its value where it can be known, and how to show it where not. */
export interface Arg {
  readonly value: string | null
  readonly text: string
  /** Its values in turn, in a loop over known words. */
  readonly values?: ReadonlyArray<string>
}

export interface Definition {
  readonly name: string
  readonly body: SyntaxNode
  readonly source: string
  /** Defined in a branch: a call may not find it. */
  readonly uncertain: boolean
}

/** What a shell process has set, shared by all that runs in it. */
export interface Shell {
  errexit: boolean
  pipefail: boolean
  /** In a condition, where `set -e` has no effect. */
  tested: boolean
  /** Where it runs, relative to the start unless absolute; null when it cannot be known. */
  dir: string | null
  /** In a branch or a loop: what is set there may not be set. */
  uncertain: boolean
  /** Behind `&&` or `||`: an option set there may not be set. */
  chained: boolean
  /** It may have ended with status 0 before now. */
  mayHaveSucceeded: boolean
  /** It may have ended with another status than 0, and not because of a command that is counted. */
  mayHaveFailed: boolean
}

export interface Scope {
  readonly shell: Shell
  readonly vars: Map<string, string | null>
  /** Variables of the loops around, with the words they go over. */
  readonly loops: ReadonlyMap<string, ReadonlyArray<string>>
  readonly functions: Map<string, Definition>
  /** Functions and scripts being run, so that none runs itself for ever. */
  readonly calling: ReadonlyArray<Definition>
  readonly active: ReadonlyArray<string>
  readonly via: string | null
  readonly depth: number
  readonly source: string
}

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

/** The parts of the walk that call one another, and what it gathers. */
export interface Walk {
  readonly leaves: Array<Leaf>
  readonly defined: Set<Definition>
  readonly called: Set<Definition>
  readonly scripts: Scripts
  unknown: boolean
  truncated: boolean
  budget: number
  readonly script: (source: string, context: Context, scope: Scope) => Fails
  readonly run: (run: Run, context: Context, scope: Scope) => Fails
  readonly node: (node: SyntaxNode, context: Context, scope: Scope) => Fails
  readonly list: (statements: ReadonlyArray<Statement>, context: Context, scope: Scope) => Fails
}

const freshShell: Shell = {
  errexit: false,
  pipefail: false,
  tested: false,
  dir: "",
  uncertain: false,
  chained: false,
  mayHaveSucceeded: false,
  mayHaveFailed: false
}

export const rootScope = (source: string): Scope => ({
  shell: { ...freshShell },
  vars: new Map(),
  loops: new Map(),
  functions: new Map(),
  calling: [],
  active: [],
  via: null,
  depth: 0,
  source
})

/** A shell of its own: what it sets, and how it ends, stays in it. */
export const childScope = (
  scope: Scope,
  changes: Partial<Omit<Scope, "shell">> = {},
  shell: Partial<Shell> = {}
): Scope => ({
  ...scope,
  vars: new Map(scope.vars),
  functions: new Map(scope.functions),
  depth: scope.depth + 1,
  ...changes,
  shell: { ...scope.shell, mayHaveSucceeded: false, mayHaveFailed: false, ...shell }
})

/** A new process that is no fork of this shell: its options are its own. */
export const processScope = (
  scope: Scope,
  changes: Partial<Omit<Scope, "shell">> = {},
  shell: Partial<Shell> = {}
): Scope => childScope(scope, { functions: new Map(), ...changes }, { ...freshShell, dir: scope.shell.dir, ...shell })

export const mask = (context: Context): Context => (context === "background" || context === "none" ? context : "masked")

export const negate = (context: Context): Context => {
  if (context === "implied") return "inverted"
  if (context === "inverted") return "implied"
  return mask(context)
}

const parameterValue = (text: string, scope: Scope): string | null => {
  const name = text.startsWith("${") ? text.slice(2, -1) : text.slice(1)
  return scope.vars.get(name) ?? null
}

const appendParts = (parts: ReadonlyArray<WordPart>, scope: Scope): Arg => {
  let text = ""
  let known = true
  for (const part of parts) {
    const arg = partArg(part, scope)
    text += arg.text
    known &&= arg.value !== null
  }
  return { value: known ? text : null, text }
}

const literal = (text: string): Arg => ({ value: text, text })

const partArg = (part: WordPart, scope: Scope): Arg => {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return literal(part.value)
    case "DoubleQuoted":
    case "LocaleString":
      return appendParts(part.parts, scope)
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return literal(part.text)
    case "SimpleExpansion": {
      const value = parameterValue(part.text, scope)
      return { value, text: value ?? part.text }
    }
    case "ParameterExpansion": {
      const plain = part.operation === undefined && part.prefix === undefined && part.index === undefined
      const value = plain ? parameterValue(part.text, scope) : null
      return { value, text: value ?? part.text }
    }
    default:
      return { value: null, text: part.text }
  }
}

/** The word with each value of the loop variable that it holds; null when it holds none. */
const inLoop = (word: Word, parts: ReadonlyArray<WordPart>, scope: Scope): ReadonlyArray<string> | null => {
  for (const [name, values] of scope.loops) {
    if (!word.text.includes(`$${name}`) && !word.text.includes(`\${${name}}`)) continue
    return values.map((value) => appendParts(parts, { ...scope, vars: new Map([...scope.vars, [name, value]]) }).text)
  }
  return null
}

export const wordArg = (word: Word, scope: Scope): Arg => {
  if (word.parts === undefined) return literal(word.value)
  const arg = appendParts(word.parts, scope)
  if (arg.value !== null || scope.loops.size === 0) return arg
  const values = inLoop(word, word.parts, scope)
  return values === null ? arg : { ...arg, values }
}

/** Scripts within scripts, calls within calls. */
export const maxDepth = 16
const maxNesting = 24

const collect = (node: SyntaxNode, into: Array<ParsedScript>, depth: number): void => {
  if (depth > maxNesting) return
  forEachChild(node, (child) => {
    if (child.type === "Script") into.push(child)
    else collect(child, into, depth + 1)
  })
}

const none: ReadonlyArray<ParsedScript> = []

/** The scripts of the command and process substitutions in a word, outermost only. */
export const substitutions = (node: Word | HereDoc | SyntaxNode): ReadonlyArray<ParsedScript> => {
  if (node.type === "Word" && node.parts === undefined) return none
  if (node.type === "HereDoc" && node.body.parts === undefined) return none
  const found: Array<ParsedScript> = []
  collect(node, found, 0)
  return found
}

export const join = (dir: string | null, path: string): string => {
  if (dir === "" || dir === null || path.startsWith("/") || path.startsWith("~") || path.startsWith("$")) return path
  let rest = path
  let base = dir
  while (rest.startsWith("./")) rest = rest.slice(2)
  while (rest.startsWith("../") && base !== "" && !base.endsWith("..")) {
    rest = rest.slice(3)
    base = base.slice(0, Math.max(0, base.lastIndexOf("/")))
  }
  return base === "" ? rest : `${base}/${rest}`
}

export const basename = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** A failure of either may be what failed. */
export const union = (left: Fails, right: Fails): Fails => {
  if (left === null) return right
  if (right === null) return left
  return left[0] === undefined || right[0] === undefined ? [] : [[...left[0], ...right[0]]]
}

/** A word as it has to be written for a shell. */
export const shellQuote = ({ value }: Arg): string => (value === null ? '"$_"' : `'${value.replaceAll("'", "'\\''")}'`)
