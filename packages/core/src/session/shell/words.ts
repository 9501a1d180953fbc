/** The words of a command, as far as they can be known, and paths in them. */
import { forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from "unbash"

/** One word of a command: its value where it can be known, and how to show it where not. */
export interface Arg {
  readonly value: string | null
  readonly text: string
}

export type Args = ReadonlyArray<Arg>

/** What a variable holds, null where that is not known. */
export type Variables = (name: string) => string | null

/** Input that comes from somewhere, its text unknown. */
export const unknownInput = "\u0000"

export const argOf = (text: string): Arg => ({ value: text, text })

/** What a command is handed, without anybody knowing what. */
export const anything: Arg = { value: null, text: "$_" }

const sets = new Map<string, ReadonlySet<string>>()

/** Whether a word is in a list of words separated by blanks, which is one of the source's own. */
export const has = (list: string, word: string | null | undefined): boolean => {
  if (typeof word !== "string" || word === "") return false
  const known = sets.get(list)
  const words = known ?? new Set(list.split(" "))
  if (known === undefined) sets.set(list, words)
  return words.has(word)
}

/** A table whose keys are several words. */
export const byWord = <A>(table: Readonly<Record<string, A>>): ReadonlyMap<string, A> =>
  new Map(Object.entries(table).flatMap(([words, value]) => words.split(" ").map((word) => [word, value] as const)))

/** The rows of a table that is written as a text: a line each, `key: words`; a line without a key goes on. */
export const rowsOf = (text: string): ReadonlyArray<readonly [key: string, words: ReadonlyArray<string>]> =>
  text
    .replaceAll(/\n\s+/g, " ")
    .split("\n")
    .flatMap((line) => {
      const [key, words] = line.split(/: (.*)/, 2)
      return key === undefined || words === undefined ? [] : [[key, words.split(" ")] as const]
    })

/** `--filter` of `--filter=web`, `-only-testing` of `-only-testing:X`. */
export const stem = (word: string): string => /^[^=:]*/.exec(word)?.[0] ?? word

export const isOption = (word: string | null | undefined): boolean =>
  typeof word === "string" && word.startsWith("-") && word.length > 1

export const hasOption = (args: Args, names: string): boolean =>
  args.some(({ value }) => value !== null && (has(names, value) || (value.includes("=") && has(names, stem(value)))))

/** The words that are no options and no values of options. */
export const operands = (args: Args, values: string): Args => {
  const dashes = args.findIndex(({ value }) => value === "--")
  return args.filter(({ value }, at) =>
    dashes >= 0 && at >= dashes ? at > dashes : !isOption(value) && !has(values, args[at - 1]?.value)
  )
}

/** The variable that a word is nothing but. */
export const variableOf = (text: string): string | null => /^\$\{?(\w{1,60})\}?$/.exec(text)?.[1] ?? null

const expanded = (parts: ReadonlyArray<WordPart>, vars: Variables): Arg =>
  parts.reduce<Arg>((before, part) => {
    const own =
      part.type === "DoubleQuoted" || part.type === "LocaleString"
        ? expanded(part.parts, vars)
        : part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted"
          ? argOf(part.value)
          : argOfPart(part, vars)
    return {
      value: before.value === null || own.value === null ? null : before.value + own.value,
      text: before.text + own.text
    }
  }, argOf(""))

const argOfPart = ({ text, type }: WordPart, vars: Variables): Arg => {
  const value = vars(variableOf(text) ?? "") ?? (/Glob|Brace/.test(type) ? text : null)
  return { value, text: value ?? text }
}

export const wordArg = ({ parts, value }: Word, vars: Variables): Arg =>
  parts === undefined ? argOf(value) : expanded(parts, vars)

const maxNesting = 24

/** The scripts of the command and process substitutions in a node, outermost only. */
export const substitutions = (node: SyntaxNode): ReadonlyArray<ParsedScript> => {
  const found: Array<ParsedScript> = []
  const collect = (parent: SyntaxNode, depth: number): void =>
    forEachChild(parent, (child) => {
      if (child.type === "Script") found.push(child)
      else if (depth < maxNesting) collect(child, depth + 1)
    })
  if (node.type !== "Word" || node.parts !== undefined) collect(node, 0)
  return found
}

export const joinPath = (dir: string | null, path: string): string => {
  if (dir === "" || dir === null || /^[/~$*]/.test(path)) return path
  let rest = path.replace(/^(?:\.\/)+/, "")
  let base = dir
  while (rest.startsWith("../") && base !== "" && !base.endsWith("..")) {
    rest = rest.slice(3)
    base = base.slice(0, Math.max(0, base.lastIndexOf("/")))
  }
  return base === "" ? rest : `${base}/${rest}`
}

/** Where `cd` goes. */
export const folderBelow = (dir: string | null, target: Arg | undefined): string | null => {
  if (target?.text.startsWith("$(git rev-parse --show-toplevel") === true) return ""
  const value = target === undefined ? "~" : target.value
  if (value === null || value === "-") return null
  if (/^[/~]/.test(value)) return value
  return dir === null || value === "." ? dir : joinPath(dir, `${value}/`).replace(/^\.\/|\/{1,4}$/g, "")
}

export const basename = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** A word as it has to be written for a shell. */
export const quoted = ({ value }: Arg): string => (value === null ? '"$_"' : `'${value.replaceAll("'", "'\\''")}'`)

/** The path that a word may stand for, with its variables as written; `*` when nothing of it is known. */
export const pathOf = ({ text, value }: Arg): string => {
  const path = (value ?? text).slice(0, 400).replace(/\$\([^()]{0,200}\)/g, "$_")
  if (value !== null) return path
  const fixed = path.replace(/\$(?:\{[^{}]{0,80}\}|\w{1,80})/g, "")
  return /[`()\n]/.test(path) || !/[A-Za-z0-9]/.test(fixed) ? "*" : path
}
