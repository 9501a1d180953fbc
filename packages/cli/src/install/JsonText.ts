/** A JSON text of a host's, with comments and trailing commas as hosts allow them, and edits of it by jsonc-parser. */
import * as Array from "effect/Array"
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

/** What is wrong in a text, and where: line and column count from 1. */
export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly problem: string
}

export type Result<A> = Either.Either<A, TextProblem>

/** The tree of a text and what it says. Offsets are those of the text. */
export interface Parsed {
  readonly text: string
  readonly root: Node
  readonly value: unknown
}

/** That something is wrong at a path of a text. */
export const wrongAt = ({ root, text }: Pick<Parsed, "root" | "text">, path: JSONPath, problem: string): TextProblem =>
  problemAt(text, (findNodeAtLocation(root, path) ?? root).offset, problem)

const problemAt = (text: string, offset: number, problem: string): TextProblem => {
  const lines = text.slice(0, offset).split("\n")
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1, problem }
}

const words = (code: string): string => code.replace(/(?!^)[A-Z]/gu, " $&").toLowerCase()

/** A byte order mark is no white space to the parser; a space is as long. */
const bare = (text: string): string => text.replace(/^\uFEFF/u, " ")

const keyOf = (property: Node): unknown => property.children?.[0]?.value

/** Of a key that is there twice hosts read the last, and an edit would change the first. */
const twice = (text: string, node: Node): TextProblem | null => {
  const properties = node.type === "object" ? (node.children ?? []) : []
  const keys = properties.map(keyOf)
  const second = properties.find((_, at) => keys.indexOf(keys[at]) < at)
  if (second !== undefined) return problemAt(text, second.offset, `the key "${String(keyOf(second))}" is there twice`)
  return (node.children ?? []).reduce<TextProblem | null>((found, child) => found ?? twice(text, child), null)
}

const atBegin = (problem: string): Result<never> => Either.left({ line: 1, column: 1, problem })

/** A file that is not there, or is empty, reads as an empty object. */
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
    if (cause instanceof RangeError) return atBegin("it is nested too deeply to be read")
    throw cause
  }
}

/** As the text itself is laid out. */
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

const edited = (text: string, path: JSONPath, value: unknown, more: ModificationOptions = {}): string => {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  const rest = text.slice(mark.length)
  return mark + applyEdits(rest, modify(rest, path, value, { ...layoutOf(rest), ...more }))
}

/** The text with a value at a path; what is missing on the way is made. */
export const set = (text: string, path: JSONPath, value: unknown): string => edited(text, path, value)

/** The text with one more item at the end of a list, which is made where it is missing. */
export const append = (text: string, list: JSONPath, value: unknown): string =>
  edited(text, [...list, -1], value, { isArrayInsertion: true })

/** White space and comments, and the comma behind them. */
const comma = /^((?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*),/u

/**
 * The text without what is at a path, and without one comma. jsonc-parser's own removal breaks a list whose last item
 * ends right before the bracket, and an object whose only property has a comma behind it.
 */
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

/** Edits until `next` has none left to make. Each edit is followed by a new reading. */
export const repeat = (
  text: string,
  read: (text: string) => Result<Parsed>,
  next: (parsed: Parsed) => string | null
): Result<string> =>
  Either.flatMap(read(text), (parsed) => {
    const following = next(parsed)
    return following === null ? Either.right(parsed.text) : repeat(following, read, next)
  })

/** Whether a text is JSON without comments and trailing commas. Some hosts ignore a whole file of any other kind. */
export const isPlain = (text: string): boolean => {
  const errors: Array<ParseError> = []
  if (text.trim() !== "") parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  return Array.isEmptyArray(errors)
}
