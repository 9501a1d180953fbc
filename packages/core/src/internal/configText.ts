import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"
import { nearest } from "./nearest.ts"

interface Problem {
  readonly line: number
  readonly column: number
  readonly key: string | null
  readonly problem: string
}

type Problems = readonly [Problem, ...Array<Problem>]

type Path = ReadonlyArray<PropertyKey>

const place = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf("\n") + 1
  return { line: before.split("\n").length, column: offset - lineStart + 1 }
}

const show = (path: Path): string | null =>
  path.length === 0
    ? null
    : path.reduce<string>((shown, part) => {
        if (typeof part === "number") return `${shown}[${part}]`
        return shown === "" ? String(part) : `${shown}.${String(part)}`
      }, "")

const syntax: Readonly<Record<string, string>> = {
  InvalidSymbol: "not a JSON value",
  InvalidNumberFormat: "not a number",
  PropertyNameExpected: "a key in double quotes is expected here",
  ValueExpected: "a value is expected here",
  ColonExpected: "':' is expected here",
  CommaExpected: "',' is expected here",
  CloseBraceExpected: "'}' is expected here",
  CloseBracketExpected: "']' is expected here",
  EndOfFileExpected: "the file should end here",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a string is not closed"
}

const syntaxProblem = (text: string, { error, offset }: ParseError): Problem => {
  const code = printParseErrorCode(error)
  return { ...place(text, offset), key: null, problem: syntax[code] ?? code }
}

/** The node at a path, or the nearest one above it (for a key that is missing). */
const nodeAt = (root: Node, path: Path): Node => {
  const parts = path.map((part) => (typeof part === "number" ? part : String(part)))
  for (let length = parts.length; length > 0; length--) {
    const node = findNodeAtLocation(root, parts.slice(0, length))
    if (node !== undefined) return node.parent?.type === "property" ? node.parent : node
  }
  return root
}

const fieldsAt = (schema: Schema.Schema.AnyNoContext, path: Path): ReadonlyArray<string> => {
  let ast = Schema.encodedSchema(schema).ast
  for (const part of path) {
    if (ast._tag === "TypeLiteral") {
      const field = ast.propertySignatures.find((signature) => signature.name === part)
      if (field === undefined) return []
      ast = field.type
    }
    if (ast._tag === "Union") ast = ast.types.find((type) => type._tag === "TupleType") ?? ast
    if (ast._tag === "TupleType" && typeof part === "number") ast = ast.rest[0]?.type ?? ast
  }
  return ast._tag === "TypeLiteral" ? ast.propertySignatures.map((signature) => String(signature.name)) : []
}

const unknownKey = (schema: Schema.Schema.AnyNoContext, path: Path): string => {
  const known = fieldsAt(schema, path.slice(0, -1)).filter((name) => !name.startsWith("$"))
  const guess = nearest(String(path.at(-1)), known)
  const hint = guess === null ? `the keys are ${known.join(", ")}` : `did you mean "${guess}"?`
  return `unknown key; ${hint}`
}

const one = (text: string): string => text.split("\n")[0] ?? text

/** Reads JSON with comments through a schema; every problem has its place in the text. */
export const read = <A, I, E>(
  schema: Schema.Schema<A, I>,
  text: string,
  fail: (problems: Problems) => E
): Either.Either<A, E> => {
  const errors: Array<ParseError> = []
  const source = text.replace(/^\uFEFF/u, " ")
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false })
  if (source.trim() === "" || root === undefined)
    return Either.left(fail([{ line: 1, column: 1, key: null, problem: "the file is empty" }]))
  const first = errors[0]
  if (first !== undefined) return Either.left(fail([syntaxProblem(source, first)]))
  return Either.mapLeft(
    Schema.decodeUnknownEither(schema)(getNodeValue(root), { errors: "all", onExcessProperty: "error" }),
    (error) => {
      const issues = ParseResult.ArrayFormatter.formatErrorSync(error).map(({ _tag, message, path }): Problem => ({
        ...place(source, nodeAt(root, path).offset),
        key: show(path),
        problem: _tag === "Unexpected" ? unknownKey(schema, path) : one(message)
      }))
      const [head = { line: 1, column: 1, key: null, problem: "not valid" }, ...rest] = issues
      return fail([head, ...rest])
    }
  )
}
