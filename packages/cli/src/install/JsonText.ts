/** Reads and edits a host's JSON text with jsonc-parser. Comments and trailing commas are allowed, as in the hosts. */
import * as Either from "effect/Either"
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type ModificationOptions,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"

/** Line and column count from 1. */
export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly problem: string
}

export type IsOurs = (entry: string) => boolean

export interface Ours {
  readonly isOurs: IsOurs
  /** The containers that existed before our entries. They stay even if they are empty. */
  readonly before: ReadonlyArray<string>
}

export type Result<A> = Either.Either<A, TextProblem>

/** The offsets in `root` are offsets in `text`. */
export interface Parsed {
  readonly text: string
  readonly root: Node
  readonly value: unknown
}

export const wrongAt = ({ root, text }: Pick<Parsed, "root" | "text">, path: JSONPath, problem: string): TextProblem =>
  problemAt(text, (findNodeAtLocation(root, path) ?? root).offset, problem)

const problemAt = (text: string, offset: number, problem: string): TextProblem => {
  const lines = text.slice(0, offset).split("\n")
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1, problem }
}

const words = (code: string): string => code.replace(/(?!^)[A-Z]/gu, " $&").toLowerCase()

/** Replaces a byte order mark with a space of the same length, because the parser does not accept it. */
const bare = (text: string): string => text.replace(/^\uFEFF/u, " ")

const keyOf = (property: Node): unknown => property.children?.[0]?.value

/** Finds a duplicate key. Hosts use its last value, but an edit would change its first value. */
const twice = (text: string, node: Node): TextProblem | null => {
  const properties = node.type === "object" ? (node.children ?? []) : []
  const keys = properties.map(keyOf)
  const second = properties.find((_, at) => keys.indexOf(keys[at]) < at)
  if (second !== undefined) return problemAt(text, second.offset, `the key "${String(keyOf(second))}" is there twice`)
  return (node.children ?? []).reduce<TextProblem | null>((found, child) => found ?? twice(text, child), null)
}

const atBegin = (problem: string): Result<never> => Either.left({ line: 1, column: 1, problem })

/** A missing or empty file is read as an empty object. */
export const parse = (given: string): Result<Parsed> => {
  const text = given.trim() === "" ? `${given}{}\n` : given
  const errors: Array<ParseError> = []
  try {
    const root = parseTree(bare(text), errors, { allowTrailingComma: true })
    const [error] = errors
    if (error !== undefined)
      return Either.left(problemAt(text, error.offset, `not valid JSON: ${words(printParseErrorCode(error.error))}`))
    if (root?.type !== "object") return atBegin("the file should be a JSON object")
    const found = twice(text, root)
    return found === null ? Either.right({ text, root, value: getNodeValue(root) }) : Either.left(found)
  } catch (cause) {
    if (cause instanceof RangeError) return atBegin("the file is nested too deeply")
    throw cause
  }
}

const layoutOf = (text: string): ModificationOptions => {
  const indent = /\n([ \t]+)\S/u.exec(text)?.[1] ?? "  "
  return {
    formattingOptions: {
      insertSpaces: !indent.startsWith("\t"),
      tabSize: indent.startsWith("\t") ? 1 : indent.length,
      eol: text.includes("\r\n") ? "\r\n" : "\n"
    }
  }
}

/** Missing parents are created. */
export const set = (text: string, path: JSONPath, value: unknown, more: ModificationOptions = {}): string => {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  const rest = text.slice(mark.length)
  return mark + applyEdits(rest, modify(rest, path, value, { ...layoutOf(rest), ...more }))
}

export const append = (text: string, list: JSONPath, value: unknown): string =>
  set(text, [...list, -1], value, { isArrayInsertion: true })

/** Matches a comma, with the white space and comments before it. */
const comma = /^((?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*),/u

/** jsonc-parser's own removal breaks some lists and comments. */
export const remove = ({ root, text }: Parsed, path: JSONPath): string => {
  const found = findNodeAtLocation(root, [...path])
  const child = typeof path.at(-1) === "string" ? found?.parent : found
  if (child?.parent?.children === undefined) return text
  const at = child.parent.children.indexOf(child)
  const [previous, next] = [child.parent.children[at - 1], child.parent.children[at + 1]]
  const end = child.offset + child.length
  if (next !== undefined) return text.slice(0, child.offset) + text.slice(next.offset)
  if (previous !== undefined) return text.slice(0, previous.offset + previous.length) + text.slice(end)
  const close = child.parent.offset + child.parent.length - 1
  const before = text.slice(child.parent.offset + 1, child.offset)
  const after = text.slice(end, close).replace(comma, "$1")
  const rest = `${before}${after}`.trim() === "" ? "" : before + after
  return text.slice(0, child.parent.offset + 1) + rest + text.slice(close)
}

/** After each edit the text is parsed again. */
export const repeat = (
  text: string,
  read: (text: string) => Result<Parsed>,
  next: (parsed: Parsed) => string | null
): Result<string> =>
  Either.flatMap(read(text), (parsed) => {
    const following = next(parsed)
    return following === null ? Either.right(parsed.text) : repeat(following, read, next)
  })

/** Some hosts ignore a whole file with comments or trailing commas. */
export const isPlain = (text: string): boolean => {
  const errors: Array<ParseError> = []
  if (text.trim() !== "") parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  return errors.length === 0
}
