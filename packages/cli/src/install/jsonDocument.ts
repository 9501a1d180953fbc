/** A JSON text of a known shape: what is found in it, what is wrong with it, and edits made one after the other. */
import * as Either from "effect/Either"
import { findNodeAtLocation, type Node } from "jsonc-parser"
import * as JsonEdit from "./JsonEdit.ts"
import type { TextProblem } from "./JsonEdit.ts"

export type Result<A> = Either.Either<A, TextProblem>

export const child = (object: Node, key: string): Node | undefined => findNodeAtLocation(object, [key])

export const keyOf = (property: Node): unknown => property.children?.[0]?.value

/**
 * The problem that a value is not what it should be.
 *
 * @category constructors
 */
export const wrong = (text: string, node: Node, path: string, expected: string): TextProblem =>
  JsonEdit.problemAt(text, node.offset, `${path} should be ${expected}`)

/**
 * Of a key that is there twice, hosts read the last and an editor may take the first.
 *
 * @category predicates
 */
export const twice = (text: string, object: Node): TextProblem | null => {
  const keys = JsonEdit.children(object).map(keyOf)
  const at = keys.findIndex((key, index) => keys.indexOf(key) < index)
  const property = JsonEdit.children(object)[at]
  return property === undefined
    ? null
    : JsonEdit.problemAt(text, property.offset, `the key "${String(keys[at])}" is there twice`)
}

/**
 * The tree of a text in whose shape nothing is wrong.
 *
 * @category parsing
 */
export const read = (text: string, problemIn: (text: string, root: Node) => TextProblem | null): Result<Node> =>
  Either.flatMap(JsonEdit.parse(text), (root) => {
    const problem = problemIn(text, root)
    return problem === null ? Either.right(root) : Either.left(problem)
  })

/**
 * Edits until `next` has none left to make: each edit is followed by a new reading, so that offsets always hold.
 *
 * @category editing
 */
export const repeat = (
  text: string,
  parse: (text: string) => Result<Node>,
  next: (text: string, root: Node) => string | null
): Result<string> => {
  let current = text
  for (;;) {
    const root = parse(current)
    if (Either.isLeft(root)) return Either.left(root.left)
    const edited = next(current, root.right)
    if (edited === null) return Either.right(current)
    current = edited
  }
}
