/** Finds the regular expressions of source files, and reads them. */
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

export type Node =
  | { readonly kind: "set"; readonly chars: ReadonlyArray<string>; readonly atom: string }
  | { readonly kind: "repeat"; readonly max: number; readonly min: number; readonly body: Node }
  | { readonly kind: "sequence"; readonly items: ReadonlyArray<Node> }
  | { readonly kind: "choice"; readonly options: ReadonlyArray<Node> }
  | { readonly kind: "look"; readonly body: Node }
  | { readonly kind: "nothing" }

/** A choice of characters that tells the classes in use apart. */
const alphabet = [..."az0 -_.:/\"'`,;!?()[]{}<>*+=~#@$%&|^\\AZ9\t\nexs✓✅é。？…–"]

const atomPattern =
  /^(?:\\[pP]\{[^}]{1,40}\}|\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\k<\w{1,40}>|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S])/

/** A reader of the syntax, not of the meaning: enough to know what repeats what. */
class Reader {
  readonly source: string
  readonly flags: string
  at = 0

  constructor(source: string, flags: string) {
    this.source = source
    this.flags = flags
  }

  choice(): Node {
    const options = [this.sequence()]
    while (this.source[this.at] === "|") {
      this.at += 1
      options.push(this.sequence())
    }
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: "choice", options }
  }

  sequence(): Node {
    const items: Array<Node> = []
    while (this.at < this.source.length && this.source[this.at] !== "|" && this.source[this.at] !== ")")
      items.push(this.quantified())
    return { kind: "sequence", items }
  }

  quantified(): Node {
    const body = this.atom()
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.at, this.at + 24))
    if (found === null) return body
    this.at += found[0].length
    const [, sign, low, comma, high] = found
    const min = sign === undefined ? Number(low) : sign === "+" ? 1 : 0
    const max =
      sign === undefined ? (comma === "" ? min : high === "" ? Infinity : Number(high)) : sign === "?" ? 1 : Infinity
    return { kind: "repeat", min, max, body }
  }

  atom(): Node {
    const group = /^\((?:\?(?::|<?[=!]|<\w{1,40}>))?/.exec(this.source.slice(this.at, this.at + 48))
    if (group === null) return this.set()
    this.at += group[0].length
    const body = this.choice()
    this.at += 1
    return /[=!]$/.test(group[0]) ? { kind: "look", body } : body
  }

  set(): Node {
    const atom = atomPattern.exec(this.source.slice(this.at))?.[0] ?? ""
    this.at += Math.max(1, atom.length)
    if (atom === "^" || atom === "$" || atom === "\\b" || atom === "\\B" || /^\\[k1-9]/.test(atom))
      return { kind: "nothing" }
    const one = new RegExp(`^(?:${atom})$`, this.flags.replaceAll(/[gy]/g, ""))
    const chars = alphabet.filter((char) => one.test(char))
    const own = atom.length === 1 ? [atom] : []
    return { kind: "set", chars: chars.length > 0 ? chars : own, atom }
  }
}

export const parse = (source: string, flags: string): Node => new Reader(source, flags).choice()
