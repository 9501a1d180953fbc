/**
 * Edits of a JSON text that leave every other byte of it where it was: comments, trailing commas, indentation, line
 * ends, a byte order mark.
 */
import * as Either from "effect/Either"
import {
  createScanner,
  type Node,
  parse as parseValue,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"

/**
 * What is wrong in a text, and where: line and column count from 1.
 *
 * @category models
 */
export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly problem: string
}

export const problemAt = (text: string, offset: number, problem: string): TextProblem => {
  const lines = text.slice(0, offset).split("\n")
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1, problem }
}

/** `CommaExpected` reads "comma expected". */
const words = (code: string): string => code.replace(/(?!^)[A-Z]/gu, " $&").toLowerCase()

/** More than anybody writes, and less than what recursion bears. */
const maxDepth = 200

const steps: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 }

/** Where a text is nested too deeply to be parsed; null where it is not. */
const tooDeep = (text: string): TextProblem | null => {
  const scanner = createScanner(text, true)
  let depth = 0
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    depth += steps[text[scanner.getTokenOffset()] ?? ""] ?? 0
    if (depth > maxDepth) return problemAt(text, scanner.getTokenOffset(), `nested deeper than ${maxDepth} levels`)
  }
  return null
}

/**
 * The tree of a text of JSON in which comments and trailing commas are allowed; offsets are the text's own.
 *
 * @category parsing
 */
export const parse = (text: string): Either.Either<Node, TextProblem> => {
  const deep = tooDeep(text)
  if (deep !== null) return Either.left(deep)
  const errors: Array<ParseError> = []
  const root = parseTree(text.replace(/^\uFEFF/u, " "), errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) {
    return Either.left(problemAt(text, error.offset, `not valid JSON: ${words(printParseErrorCode(error.error))}`))
  }
  return root === undefined ? Either.left(problemAt(text, 0, "not valid JSON: it is empty")) : Either.right(root)
}

/**
 * What a text says, whatever mistakes are in it; undefined where it says nothing.
 *
 * @category parsing
 */
export const valueOf = (text: string): unknown =>
  tooDeep(text) === null ? parseValue(text, [], { allowTrailingComma: true }) : undefined

/**
 * What a node holds: an object's properties or a list's items.
 *
 * @category accessors
 */
export const children = (node: Node): ReadonlyArray<Node> => node.children ?? []

const endOf = (node: Node): number => node.offset + node.length

interface Gap {
  /** Where the comma is, or null. */
  readonly comma: number | null
  /** The end of the last comment that begins on the line that `from` is on. */
  readonly lineEnd: number
  /** The end of the last comment. */
  readonly commentEnd: number
}

const token = /(?<eol>\r?\n|\r)|(?<comma>,)|(?<comment>\/\/[^\r\n]*|\/\*[^]*?\*\/)|[ \t]+/uy

/** What stands between a place after a value and the next value or closing bracket. */
const gapAfter = (text: string, from: number): Gap => {
  let gap: Gap = { comma: null, lineEnd: from, commentEnd: from }
  let sameLine = true
  let end = from
  for (;;) {
    token.lastIndex = end
    const found = token.exec(text)
    if (found === null) return gap
    const { comma, comment, eol } = found.groups ?? {}
    if (comma !== undefined) gap = { ...gap, comma: end }
    end += found[0].length
    if (eol !== undefined) sameLine = false
    if (comma !== undefined || comment !== undefined) {
      gap = { ...gap, lineEnd: sameLine ? end : gap.lineEnd, commentEnd: end }
    }
  }
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1

const indentAt = (text: string, offset: number): string =>
  /^\uFEFF?([ \t]*)/u.exec(text.slice(lineStart(text, offset), offset))?.[1] ?? ""

const beginsLine = (text: string, offset: number): boolean =>
  /^\uFEFF?[ \t]*$/u.test(text.slice(lineStart(text, offset), offset)) && lineStart(text, offset) > 0

const eolOf = (text: string): string => (/\r?\n/u.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n")

const rootOf = (node: Node): Node => (node.parent === undefined ? node : rootOf(node.parent))

/** One step of indentation, as the text has it. */
const unitOf = (text: string, node: Node): string => {
  const first = children(rootOf(node)).find((child) => beginsLine(text, child.offset))
  return (first === undefined ? "" : indentAt(text, first.offset)) || "  "
}

const isSpread = (text: string, container: Node): boolean => {
  const lines = text.slice(container.offset, endOf(container)).includes("\n")
  if (children(container).length > 0) return lines
  const root = rootOf(container)
  return lines || children(root).length === 0 || text.slice(root.offset, endOf(root)).includes("\n")
}

/** On one line, whatever the container is like: what is added stays easy to see. */
const lineJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(lineJson).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${lineJson(one)}`)
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

const splice = (text: string, from: number, to: number, piece: string): string =>
  text.slice(0, from) + piece + text.slice(to)

/** Whether each child has a line of its own, and what stands before a new one. */
interface Layout {
  readonly spread: boolean
  readonly before: string
}

const layoutIn = (text: string, container: Node): Layout => {
  const spread = isSpread(text, container)
  if (!spread) return { spread, before: " " }
  const last = children(container).at(-1)
  const inner =
    last !== undefined && beginsLine(text, last.offset)
      ? indentAt(text, last.offset)
      : indentAt(text, container.offset) + unitOf(text, container)
  return { spread, before: eolOf(text) + inner }
}

/** Into a container without children: what is only white space in it goes, comments stay. */
const fill = (text: string, container: Node, { before, spread }: Layout, piece: string): string => {
  const close = endOf(container) - 1
  const { commentEnd } = gapAfter(text, container.offset + 1)
  const rest = text.slice(commentEnd, close)
  const after = spread ? eolOf(text) + indentAt(text, container.offset) : " "
  const to = rest.includes("\n") && commentEnd > container.offset + 1 ? commentEnd : close
  return splice(text, commentEnd, to, `${before}${piece}${to === close ? after : ""}`)
}

const append = (text: string, container: Node, piece: string): string => {
  const layout = layoutIn(text, container)
  const last = children(container).at(-1)
  if (last === undefined) return fill(text, container, layout, piece)
  const { comma, lineEnd } = gapAfter(text, endOf(last))
  if (comma === null) {
    return `${text.slice(0, endOf(last))},${splice(text, lineEnd, lineEnd, layout.before + piece).slice(endOf(last))}`
  }
  const at = Math.max(lineEnd, comma + 1)
  return splice(text, at, at, `${layout.before}${piece},`)
}

/**
 * Adds a property behind an object's last.
 *
 * @category editing
 */
export const addProperty = (text: string, object: Node, key: string, value: unknown): string =>
  append(text, object, `${JSON.stringify(key)}: ${lineJson(value)}`)

/**
 * Adds an item behind a list's last.
 *
 * @category editing
 */
export const addItem = (text: string, list: Node, value: unknown): string => append(text, list, lineJson(value))

/**
 * Puts a string or a number in a value's place.
 *
 * @category editing
 */
export const replaceValue = (text: string, node: Node, value: string | number): string =>
  splice(text, node.offset, endOf(node), JSON.stringify(value))

const commaBefore = (text: string, container: Node, node: Node): number | null => {
  const siblings = children(container)
  const previous = siblings[siblings.indexOf(node) - 1]
  return previous === undefined ? null : gapAfter(text, endOf(previous)).comma
}

/** With the line that it leaves empty, or else with the spaces before it. */
const cut = (text: string, from: number, to: number): string => {
  const next = /^[ \t]*(?=\r?\n|$)/u.exec(text.slice(to))
  if (next === null || !beginsLine(text, from)) {
    const spaces = /[ \t]*$/u.exec(text.slice(lineStart(text, from), from))?.[0].length ?? 0
    return splice(text, from - spaces, to, "")
  }
  const start = lineStart(text, from) - 1
  return splice(text, text[start - 1] === "\r" ? start - 1 : start, to + next[0].length, "")
}

/**
 * Takes a property or an item out, with one of the commas beside it and the lines that it leaves empty; comments stay.
 *
 * @category editing
 */
export const remove = (text: string, node: Node): string => {
  const container = node.parent
  if (container === undefined) return text
  const { comma } = gapAfter(text, endOf(node))
  if (comma !== null) {
    const bare = text.slice(endOf(node), comma).trim() === ""
    return bare ? cut(text, node.offset, comma + 1) : cut(splice(text, comma, comma + 1, ""), node.offset, endOf(node))
  }
  const before = commaBefore(text, container, node)
  const without = cut(text, node.offset, endOf(node))
  return before === null ? without : splice(without, before, before + 1, "")
}

/**
 * Whether a text is JSON without comments and trailing commas: hosts that read no other kind ignore the whole file.
 *
 * @category predicates
 */
export const isPlain = (text: string): boolean => {
  const errors: Array<ParseError> = []
  if (text.trim() !== "" && tooDeep(text) === null)
    parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  return errors.length === 0
}
