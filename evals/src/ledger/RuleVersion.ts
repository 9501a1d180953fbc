/**
 * The version of a rule: a hash of its check, of what this calls in the modules that it imports, and of what makes the facts that
 * it reads. Comments, layout, examples and what lies deeper are left out; that the verdicts stay the same there, the recorded
 * evaluation says.
 */
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const here = fileURLToPath(new URL("../../../packages/core/src", import.meta.url))

/** What makes the facts that are more than a fold's own state, by their names in `Facts`. */
const makers: Readonly<Record<string, ReadonlyArray<readonly [file: string, names: ReadonlyArray<string>]>>> = {
  gates: [
    ["session/gates/Gates.ts", ["assess"]],
    ["session/facts/gateFacts.ts", ["gateFacts"]]
  ],
  contradictions: [["session/facts/gateFacts.ts", ["contradictionsOf"]]],
  held: [["session/facts/gateFacts.ts", ["heldClaims"]]],
  weakened: [["session/checkedits/CheckEdits.ts", ["step", "weakened"]]],
  reading: [["session/stop/StopSignal.ts", ["read"]]],
  directPushes: [["session/gates/Gates.ts", ["pushesToDefault"]]]
}

const printer = ts.createPrinter({ removeComments: true })

interface Imported {
  readonly file: string
  /** The name in the other module, null for the whole of it. */
  readonly name: string | null
}

interface Module {
  readonly source: ts.SourceFile
  readonly declared: ReadonlyMap<string, ts.Statement>
  readonly imported: ReadonlyMap<string, Imported>
}

const namesOf = (statement: ts.Statement): ReadonlyArray<string> => {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name === undefined ? [] : [statement.name.text]
  return []
}

const importsOf = (statement: ts.ImportDeclaration, file: string): ReadonlyArray<readonly [string, Imported]> => {
  const from = ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : ""
  const clause = statement.importClause
  if (!from.startsWith(".") || clause === undefined || clause.isTypeOnly) return []
  const target = Path.posix.join(Path.posix.dirname(file), from)
  const { namedBindings } = clause
  if (namedBindings === undefined) return []
  return ts.isNamespaceImport(namedBindings)
    ? [[namedBindings.name.text, { file: target, name: null }]]
    : namedBindings.elements
        .filter(({ isTypeOnly }) => !isTypeOnly)
        .map(({ name, propertyName }) => [name.text, { file: target, name: (propertyName ?? name).text }])
}

/** `export { a } from "./b.ts"` */
const passedOn = (statement: ts.ExportDeclaration, file: string): ReadonlyArray<readonly [string, Imported]> => {
  const { exportClause, moduleSpecifier } = statement
  if (exportClause === undefined || moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return []
  if (!ts.isNamedExports(exportClause) || !moduleSpecifier.text.startsWith(".")) return []
  const target = Path.posix.join(Path.posix.dirname(file), moduleSpecifier.text)
  return exportClause.elements.map(({ name, propertyName }) => [
    name.text,
    { file: target, name: (propertyName ?? name).text }
  ])
}

type Read = (file: string) => Module

const reader = (core: string): Read => {
  const read = new Map<string, Module>()
  return (file) => {
    const known = read.get(file)
    if (known !== undefined) return known
    const text = Fs.readFileSync(Path.join(core, file), "utf8")
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
    const module: Module = {
      source,
      declared: new Map(source.statements.flatMap((one) => namesOf(one).map((name) => [name, one] as const))),
      imported: new Map([
        ...source.statements.filter(ts.isExportDeclaration).flatMap((one) => passedOn(one, file)),
        ...source.statements.filter(ts.isImportDeclaration).flatMap((one) => importsOf(one, file))
      ])
    }
    read.set(file, module)
    return module
  }
}

/** What a statement names: identifiers, and `X.y` for the members of what was imported whole. */
const mentioned = (node: ts.Node): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (one: ts.Node): void => {
    if (ts.isPropertyAccessExpression(one) && ts.isIdentifier(one.expression))
      found.push(`${one.expression.text}.${one.name.text}`)
    if (ts.isIdentifier(one)) found.push(one.text)
    one.forEachChild(visit)
  }
  visit(node)
  return found
}

interface Slice {
  readonly text: string
  readonly uses: ReadonlyArray<readonly [file: string, name: string]>
}

/** The statements of a module that these names rest on, and what they use of others. */
const slice = ({ declared, imported, source }: Module, names: ReadonlyArray<string>): Slice => {
  const taken = new Set<ts.Statement>()
  const uses = new Map<string, readonly [string, string]>()
  const visit = (name: string): void => {
    const [head = "", member] = name.split(".")
    const from = imported.get(head)
    if (from !== undefined && (from.name !== null || member !== undefined)) {
      const wanted = from.name ?? member ?? ""
      uses.set(`${from.file}#${wanted}`, [from.file, wanted])
    }
    const statement = member === undefined ? declared.get(head) : undefined
    if (statement === undefined || taken.has(statement)) return
    taken.add(statement)
    for (const one of mentioned(statement)) visit(one)
  }
  for (const name of names) {
    if (!declared.has(name) && !imported.has(name))
      throw new Error(`${source.fileName} declares no ${name}, of which a rule's version is made`)
    visit(name)
  }
  const text = source.statements
    .filter((one) => taken.has(one))
    .map((one) => printer.printNode(ts.EmitHint.Unspecified, one, source))
    .join("\n")
  return { text, uses: [...uses.values()] }
}

/** `host/cut-off` is `hostCutOff`. */
const nameOf = (rule: string): string => rule.replace(/[/-]([a-z])/gu, (_, letter: string) => letter.toUpperCase())

/** What is looked into as deep as it goes: the rules themselves, and what finds what they report. */
const own = ["judge/rules/", "session/claims/", "session/checkedits/", "session/facts/gateFacts.ts"]

const isOwn = (file: string): boolean => own.some((one) => file.startsWith(one))

const isCounted = (file: string): boolean => !file.startsWith("base/")

/** By file and name, in the order of both. */
const grouped = (uses: Slice["uses"]): ReadonlyMap<string, ReadonlyArray<string>> => {
  const files = new Map<string, ReadonlyArray<string>>()
  for (const [file, name] of [...uses].toSorted()) files.set(file, [...(files.get(file) ?? []), name])
  return files
}

const partsOf = (read: Read, uses: Slice["uses"], seen: Set<string>): ReadonlyArray<string> =>
  [...grouped(uses.filter(([file]) => isCounted(file)))].flatMap(([file, names]) => {
    const key = `${file}#${names.join()}`
    if (seen.has(key)) return []
    seen.add(key)
    const own = slice(read(file), names)
    return [`${key}\n${own.text}`, ...(isOwn(file) ? partsOf(read, own.uses, seen) : [])]
  })

/** The properties of the objects in a node, as they are written. */
const propertiesOf = (node: ts.Node): ReadonlyArray<ts.PropertyAssignment> =>
  ts.isPropertyAssignment(node) ? [node] : node.getChildren().flatMap(propertiesOf)

/** The module with a rule's declaration, and its check. */
const checkOf = (read: Read, core: string, rule: string): { readonly file: string; readonly check: ts.Node } => {
  for (const name of Fs.readdirSync(Path.join(core, "judge/rules")).toSorted()) {
    const file = `judge/rules/${name}`
    const found = read(file)
      .declared.get(nameOf(rule))
      ?.getChildren()
      .flatMap(propertiesOf)
      .find(({ name: property }) => property.getText() === "check")
    if (found !== undefined) return { file, check: found }
  }
  throw new Error(`no module of judge/rules declares ${nameOf(rule)} with a check`)
}

/** The texts that a rule's version is made of: what it checks, not how far it may go; `core` is the source of the core to look at. */
export const parts = (rule: string, core: string = here): ReadonlyArray<string> => {
  const read = reader(core)
  const { check, file } = checkOf(read, core, rule)
  const { declared, imported, source } = read(file)
  const uses = mentioned(check)
    .filter((name) => declared.has(name) || imported.has(name))
    .map((name) => [file, name] as const)
  const own = [
    printer.printNode(ts.EmitHint.Unspecified, check, source),
    ...partsOf(read, [...new Map(uses.map((use) => [use[1], use])).values()], new Set())
  ]
  const facts = Object.entries(makers)
    .filter(([fact]) => own.some((text) => new RegExp(`\\b${fact}\\b`, "u").test(text)))
    .flatMap(([, made]) => made)
    .flatMap(([file, names]) =>
      partsOf(
        read,
        names.map((name) => [file, name] as const),
        new Set()
      )
    )
  return [...own, ...facts]
}

const versions = new Map<string, string>()

/** Twelve hexadecimal digits. */
export const of = (rule: string, core: string = here): string => {
  const key = `${core} ${rule}`
  const known = versions.get(key)
  if (known !== undefined) return known
  const version = Crypto.createHash("sha256").update(parts(rule, core).join("\n\n")).digest("hex").slice(0, 12)
  versions.set(key, version)
  return version
}
