/** Reads a configuration file: JSON with comments. Problems are reported with their line and key. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"
import { redact } from "../../base/redaction/Redaction.ts"
import { nearest } from "../../base/text/Nearest.ts"
import { oneLine } from "../../base/text/Text.ts"
import type { ConfigProblem } from "./model.ts"

const maxDepth = 16
const maxProblems = 5

interface Problems {
  readonly problems: readonly [ConfigProblem, ...Array<ConfigProblem>]
  readonly more: number
}

type Issue = ParseResult.ArrayFormatterIssue
type Path = Issue["path"]

const place = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") }
}

const show = (path: Path): string | null =>
  path.length === 0
    ? null
    : path.reduce<string>((shown, part) => {
        if (typeof part === "number") return `${shown}[${part}]`
        const name = oneLine(redact(String(part)), 60)
        return shown === "" ? name : `${shown}.${name}`
      }, "")

const syntaxProblem = (text: string, { error, offset }: ParseError): Problems => {
  const words = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
  return { problems: [{ ...place(text, offset), key: null, problem: `not JSON: ${words}` }], more: 0 }
}

/** Returns the node at a path. If a key is missing, returns the nearest node above. */
const nodeAt = (root: Node, path: Path): Node => {
  const parts = path.map((part) => (typeof part === "number" ? part : String(part)))
  for (let length = parts.length; length > 0; length--) {
    const node = findNodeAtLocation(root, parts.slice(0, length))
    if (node !== undefined) return node.parent?.type === "property" ? node.parent : node
  }
  return root
}

/** The schema's message contains the known keys. */
const unknownKey = ({ message, path }: Issue): string => {
  const known = [...message.matchAll(/"([^"$][^"]*)"/g)].flatMap(([, name]) => name ?? [])
  if (known.length === 0) return "not a name that is allowed here"
  const guess = nearest(String(path.at(-1)), known)
  return `unknown key; ${guess === null ? `the keys are ${known.join(", ")}` : `did you mean "${guess}"?`}`
}

/** True if the text is nested too deeply for a JSON parser that calls itself for each level. */
const isDeep = (text: string): boolean => {
  const scanner = createScanner(text, true)
  let depth = 0
  do {
    scanner.scan()
    const token = text[scanner.getTokenOffset()] ?? ""
    if (token === "{" || token === "[") depth += 1
    if (token === "}" || token === "]") depth -= 1
  } while (scanner.getTokenOffset() < text.length && depth <= maxDepth)
  return depth > maxDepth
}

const whole = (problem: string): Problems => ({ problems: [{ line: 1, column: 1, key: null, problem }], more: 0 })

const idOf = (path: Path): string => JSON.stringify(path.map(String))

/** A value with several allowed forms gives several problems. A problem inside the value replaces these problems. */
const telling = (issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const above = new Set(issues.flatMap(({ path }) => path.map((_, index) => idOf(path.slice(0, index)))))
  const each = new Map(issues.map((issue) => [`${idOf(issue.path)} ${issue.message}`, issue]))
  return [...each.values()].filter(({ path }) => !above.has(idOf(path)))
}

/** Returns only the first problems, because finding the position of one problem takes as long as reading the text. */
const located = (source: string, root: Node, error: ParseResult.ParseError): Problems => {
  const issues = telling(ParseResult.ArrayFormatter.formatErrorSync(error))
  const [head, ...rest] = issues.slice(0, maxProblems).map((issue): ConfigProblem => ({
    ...place(source, nodeAt(root, issue.path).offset),
    key: show(issue.path),
    problem:
      issue._tag === "Unexpected" ? unknownKey(issue) : oneLine(redact(issue.message.split("\n", 1)[0] ?? ""), 300)
  }))
  return head === undefined
    ? whole("not valid")
    : { problems: [head, ...rest], more: Math.max(0, issues.length - maxProblems) }
}

const parsed = (source: string, maxLength: number): Either.Either<Node, Problems> => {
  if (source.length > maxLength) return Either.left(whole(`the file is larger than ${maxLength / 1024} kB`))
  if (isDeep(source)) return Either.left(whole(`the values are nested deeper than ${maxDepth} levels`))
  const errors: Array<ParseError> = []
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false })
  if (source.trim() === "" || root === undefined) return Either.left(whole("the file is empty"))
  const first = errors[0]
  return first === undefined ? Either.right(root) : Either.left(syntaxProblem(source, first))
}

export const read = <A, I, E>(
  schema: Schema.Schema<A, I>,
  text: string,
  options: {
    readonly maxLength: number
    readonly fail: (problems: Problems) => E
  }
): Either.Either<A, E> => {
  const source = text.replace(/^\uFEFF/u, " ")
  const decode = Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })
  return parsed(source, options.maxLength).pipe(
    Either.flatMap((root) => Either.mapLeft(decode(getNodeValue(root)), (error) => located(source, root, error))),
    Either.mapLeft(options.fail)
  )
}
