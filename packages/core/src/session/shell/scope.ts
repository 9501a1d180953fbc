import { forEachChild, type HereDoc, type ParsedScript, type SyntaxNode, type Word, type WordPart } from "unbash"
import type { Arg, Context, Fails, Leaf, Scope, Shell } from "./model.ts"

/** Input that comes from somewhere, its text unknown. */
export const unknownInput = "\u0000"

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

/** The commands that failed for sure where the whole did. */
export const suspects = (fails: Fails): ReadonlyArray<Leaf> =>
  (fails ?? []).flatMap((clause) => {
    const only = clause[0]
    return only !== undefined && clause.every((leaf) => leaf === only) ? [only] : []
  })
