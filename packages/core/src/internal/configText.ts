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
import { redact } from "../Redaction.ts"
import { nearest } from "./nearest.ts"
import { oneLine } from "./text.ts"

const maxDepth = 16
const maxProblems = 5

interface Problem {
  readonly line: number
  readonly column: number
  readonly key: string | null
  readonly problem: string
}

interface Problems {
  readonly problems: readonly [Problem, ...Array<Problem>]
  /** How many there are beside these. */
  readonly more: number
}

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
        const name = oneLine(redact(String(part)), 60)
        return shown === "" ? name : `${shown}.${name}`
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

/** `beside`: keys of the outermost object that whoever reads it knows beside the schema's. */
interface Known {
  readonly schema: Schema.Schema.AnyNoContext
  readonly beside: ReadonlyArray<string>
}

const unknownKey = ({ beside, schema }: Known, path: Path): string => {
  const fields = fieldsAt(schema, path.slice(0, -1)).filter((name) => !name.startsWith("$"))
  const known = path.length === 1 ? [...fields, ...beside] : fields
  const guess = nearest(String(path.at(-1)), known)
  const hint = guess === null ? `the keys are ${known.join(", ")}` : `did you mean "${guess}"?`
  return `unknown key; ${hint}`
}

/** The message's first line. */
const headline = (text: string): string => oneLine(redact(text.split("\n", 1)[0] ?? ""), 300)

/** Readers of JSON call themselves for each level. */
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

const single = (problem: Problem): Problems => ({ problems: [problem], more: 0 })

const whole = (problem: string): Problems => single({ line: 1, column: 1, key: null, problem })

/** The first problems with their places; finding a place takes as long as reading the text. */
const located = (known: Known, source: string, root: Node, error: ParseResult.ParseError): Problems => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
  const [head, ...rest] = issues.slice(0, maxProblems).map(({ _tag, message, path }): Problem => ({
    ...place(source, nodeAt(root, path).offset),
    key: show(path),
    problem: _tag === "Unexpected" ? unknownKey(known, path) : headline(message)
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
  return first === undefined ? Either.right(root) : Either.left(single(syntaxProblem(source, first)))
}

/** Reads JSON with comments through a schema; every problem has its place in the text. */
export const read = <A, I, E>(
  schema: Schema.Schema<A, I>,
  text: string,
  options: {
    readonly maxLength: number
    readonly fail: (problems: Problems) => E
    readonly beside?: ReadonlyArray<string>
  }
): Either.Either<A, E> => {
  const { beside = [], fail, maxLength } = options
  const source = text.replace(/^\uFEFF/u, " ")
  return Either.flatMap(Either.mapLeft(parsed(source, maxLength), fail), (root) =>
    Either.mapLeft(
      Schema.decodeUnknownEither(schema)(getNodeValue(root), { errors: "all", onExcessProperty: "error" }),
      (error) => fail(located({ schema, beside }, source, root, error))
    )
  )
}
