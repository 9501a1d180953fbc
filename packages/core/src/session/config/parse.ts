/** A configuration file as JSON with comments, decoded; what is wrong is named with its line and key. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"
import { redact } from "../../ground/redaction/Redaction.ts"
import { nearest } from "../../ground/text/Nearest.ts"
import { oneLine } from "../../ground/text/Text.ts"

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

/** Of several forms that a value may have, the one that such a part can be of. */
const formFor = (ast: AST.AST, part: PropertyKey): AST.AST => {
  const wanted = typeof part === "number" ? "TupleType" : "TypeLiteral"
  return ast._tag === "Union" ? (ast.types.find((type) => type._tag === wanted) ?? ast) : ast
}

const below = (ast: AST.AST, part: PropertyKey): AST.AST | undefined => {
  if (ast._tag === "TupleType") return ast.rest[0]?.type
  if (ast._tag !== "TypeLiteral") return undefined
  return ast.propertySignatures.find(({ name }) => name === part)?.type ?? ast.indexSignatures[0]?.type
}

/** The keys of the object that the path's last part is a key of. */
const fieldsAt = (schema: Schema.Schema.AnyNoContext, path: Path): ReadonlyArray<string> => {
  let ast: AST.AST | undefined = Schema.encodedSchema(schema).ast
  for (const part of path.slice(0, -1)) {
    ast = ast && below(formFor(ast, part), part)
  }
  const object = ast && formFor(ast, "")
  return object?._tag === "TypeLiteral" ? object.propertySignatures.map(({ name }) => String(name)) : []
}

const unknownKey = (schema: Schema.Schema.AnyNoContext, path: Path): string => {
  const known = fieldsAt(schema, path).filter((name) => !name.startsWith("$"))
  if (known.length === 0) return "not a name that is allowed here"
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

type Issue = ParseResult.ArrayFormatterIssue

const idOf = (path: Path): string => JSON.stringify(path.map(String))

/** Of a value with several forms every form complains: once is enough, and what one says of a part of it says more. */
const telling = (issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const above = new Set(issues.flatMap(({ path }) => path.map((_, index) => idOf(path.slice(0, index)))))
  const seen = new Set<string>()
  return issues.filter(({ message, path }) => {
    const place = idOf(path)
    const isNew = !seen.has(`${place} ${message}`)
    seen.add(`${place} ${message}`)
    return isNew && !above.has(place)
  })
}

/** The first problems with their places; finding a place takes as long as reading the text. */
const located = (
  schema: Schema.Schema.AnyNoContext,
  source: string,
  root: Node,
  error: ParseResult.ParseError
): Problems => {
  const issues = telling(ParseResult.ArrayFormatter.formatErrorSync(error))
  const [head, ...rest] = issues.slice(0, maxProblems).map(({ _tag, message, path }): Problem => ({
    ...place(source, nodeAt(root, path).offset),
    key: show(path),
    problem: _tag === "Unexpected" ? unknownKey(schema, path) : headline(message)
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

/** JSON with comments as a value; undefined where it is none. */
export const valueOf = (text: string): unknown => {
  const root = isDeep(text) ? undefined : parseTree(text, [], { allowTrailingComma: true })
  return root === undefined ? undefined : getNodeValue(root)
}

/** Reads JSON with comments through a schema; every problem has its place in the text. */
export const read = <A, I, E>(
  schema: Schema.Schema<A, I>,
  text: string,
  options: {
    readonly maxLength: number
    readonly fail: (problems: Problems) => E
    /** What is decoded in place of the value as it is written. */
    readonly renew?: (value: unknown) => unknown
  }
): Either.Either<A, E> => {
  const { fail, maxLength, renew = (value) => value } = options
  const source = text.replace(/^\uFEFF/u, " ")
  return Either.flatMap(Either.mapLeft(parsed(source, maxLength), fail), (root) =>
    Either.mapLeft(
      Schema.decodeUnknownEither(schema)(renew(getNodeValue(root)), { errors: "all", onExcessProperty: "error" }),
      (error) => fail(located(schema, source, root, error))
    )
  )
}
