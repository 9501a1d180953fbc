/** Reads the words of a command, if they can be known, and handles paths. */
import { forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from "unbash"

export interface Arg {
  /** The word after expansion. Null if it cannot be known. */
  readonly value: string | null
  /** The text to show. If the value is unknown, the word as written. */
  readonly text: string
}

export type Args = ReadonlyArray<Arg>

export type Variables = (name: string) => string | null

/** Marks input that exists, but with an unknown text. */
export const unknownInput = "\u0000"

export const argOf = (text: string): Arg => ({ value: text, text })

export const anything: Arg = { value: null, text: "$_" }

const sets = new Map<string, ReadonlySet<string>>()

/** True if a word is in a list. The list is a constant of this program, with its words separated by spaces. */
export const has = (list: string, word: string | null | undefined): boolean => {
  if (typeof word !== "string" || word === "") return false
  const known = sets.get(list)
  const words = known ?? new Set(list.split(" "))
  if (known === undefined) sets.set(list, words)
  return words.has(word)
}

/** Makes a map from a table. A key with several words becomes one entry for each word. */
export const byWord = <A>(table: Readonly<Record<string, A>>): ReadonlyMap<string, A> =>
  new Map(Object.entries(table).flatMap(([words, value]) => words.split(" ").map((word) => [word, value] as const)))

/** Reads a table that is written as text. Each line is `key: words`. An indented line continues the line before it. */
export const rowsOf = (text: string): ReadonlyArray<readonly [key: string, words: ReadonlyArray<string>]> =>
  text
    .replaceAll(/\n\s+/g, " ")
    .split("\n")
    .flatMap((line) => {
      const [key, words] = line.split(/: (.*)/, 2)
      return key === undefined || words === undefined ? [] : [[key, words.split(" ")] as const]
    })

/** Returns the name of an option: `--filter` for `--filter=web`, or `-only-testing` for `-only-testing:X`. */
export const stem = (word: string): string => /^[^=:]*/.exec(word)?.[0] ?? word

export const isOption = (word: string | null | undefined): boolean =>
  typeof word === "string" && word.startsWith("-") && word.length > 1

export const hasOption = (args: Args, names: string): boolean =>
  args.some(({ value }) => value !== null && (has(names, value) || (value.includes("=") && has(names, stem(value)))))

export const operands = (args: Args, values: string): Args => {
  const dashes = args.findIndex(({ value }) => value === "--")
  return args.filter(({ value }, at) =>
    dashes >= 0 && at >= dashes ? at > dashes : !isOption(value) && !has(values, args[at - 1]?.value)
  )
}

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

/** Nested substitutions are not included. */
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

export const folderBelow = (dir: string | null, target: Arg | undefined): string | null => {
  if (target?.text.startsWith("$(git rev-parse --show-toplevel") === true) return ""
  const value = target === undefined ? "~" : target.value
  if (value === null || value === "-") return null
  if (/^[/~]/.test(value)) return value
  return dir === null || value === "." ? dir : joinPath(dir, `${value}/`).replace(/^\.\/|\/{1,4}$/g, "")
}

export const basename = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

export const quoted = ({ value }: Arg): string => (value === null ? '"$_"' : `'${value.replaceAll("'", "'\\''")}'`)

/** Returns the path that a word names, with variables as written. `*` if nothing about the path is known. */
export const pathOf = ({ text, value }: Arg): string => {
  const path = (value ?? text).slice(0, 400).replace(/\$\([^()]{0,200}\)/g, "$_")
  if (value !== null) return path
  const fixed = path.replace(/\$(?:\{[^{}]{0,80}\}|\w{1,80})/g, "")
  return /[`()\n]/.test(path) || !/[A-Za-z0-9]/.test(fixed) ? "*" : path
}
