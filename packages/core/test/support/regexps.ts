/** Finds the regular expressions of source files. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"

export interface Found {
  readonly name: string
  readonly source: string
  readonly flags: string
}

/** Every TypeScript file below a folder, sorted. */
export const sourceFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path))
    .toSorted()

const ofLiteral = (text: string): { readonly source: string; readonly flags: string } => {
  const end = text.lastIndexOf("/")
  return { source: text.slice(1, end), flags: text.slice(end + 1) }
}

const ofConstructor = (node: ts.Node): { readonly source: string; readonly flags: string } | null => {
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== "RegExp") return null
  const [pattern, flags] = node.arguments ?? []
  if (pattern === undefined || !ts.isStringLiteralLike(pattern)) return null
  return { source: pattern.text, flags: flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : "" }
}

/** The literals of a file, and the constructed expressions whose text stands in it. */
export const regexpsOf = (file: string, name: string): ReadonlyArray<Found> => {
  const tree = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  const found: Array<Found> = []
  const visit = (node: ts.Node): void => {
    const expression =
      node.kind === ts.SyntaxKind.RegularExpressionLiteral ? ofLiteral(node.getText(tree)) : ofConstructor(node)
    if (expression !== null) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      found.push({ name: `${name}:${line + 1}`, ...expression })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}
