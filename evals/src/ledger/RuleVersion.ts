/**
 * The version of a rule: a hash of its check, of the modules that this calls, and of those that make the facts which it reads.
 * Comments, layout, examples and what stands below those modules are left out.
 */
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const core = fileURLToPath(new URL("../../../packages/core/src", import.meta.url))

/** The facts that have modules of their own, by their names in `Facts`. */
const makers: Readonly<Record<string, ReadonlyArray<string>>> = {
  gates: [
    "session/gates/Gates.ts",
    "session/gates/decidingRun.ts",
    "session/gates/possibleRun.ts",
    "session/facts/gateFacts.ts"
  ],
  contradictions: ["session/facts/disprovedClaims.ts"],
  reading: ["session/stop/StopSignal.ts"],
  directPushes: ["judge/rules/policyDirectPush.ts"]
}

/** What no check runs. */
const pages = ["judge/rules/example.ts", "judge/rules/model.ts"]

const isPage = (statement: ts.Statement): boolean =>
  ts.isVariableStatement(statement) &&
  statement.declarationList.declarations.some(({ name }) => ts.isIdentifier(name) && name.text === "page")

const printer = ts.createPrinter({ removeComments: true })

interface Source {
  readonly text: string
  readonly imports: ReadonlyArray<string>
}

const sources = new Map<string, Source>()

/** A module without comments, layout, types that it imports, and its page; with what it imports from beside it. */
const read = (file: string): Source => {
  const known = sources.get(file)
  if (known !== undefined) return known
  const source = parse(file)
  sources.set(file, source)
  return source
}

const parse = (file: string): Source => {
  const source = ts.createSourceFile(file, Fs.readFileSync(Path.join(core, file), "utf8"), ts.ScriptTarget.ESNext, true)
  const statements = source.statements.filter((statement) => !isPage(statement))
  const values = statements
    .filter(ts.isImportDeclaration)
    .filter(({ importClause }) => importClause?.isTypeOnly !== true)
  const imports = values
    .map(({ moduleSpecifier }) => (ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ""))
    .filter((name) => name.startsWith("."))
    .map((name) => Path.posix.join(Path.posix.dirname(file), name))
  const code = statements.filter((statement) => !ts.isImportDeclaration(statement))
  return {
    text: code.map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, source)).join("\n"),
    imports: imports.filter((name) => !pages.includes(name) && !name.startsWith("ground/"))
  }
}

/** `stop/cut-off` is in `stopCutOff.ts`. */
export const fileOf = (rule: string): string =>
  `judge/rules/${rule.replace(/[/-]([a-z])/gu, (_, letter: string) => letter.toUpperCase())}.ts`

/** The modules that a rule's version is made of. */
export const modules = (rule: string): ReadonlyArray<string> => {
  const own = read(fileOf(rule))
  const shared = own.imports.filter((name) => name.startsWith("judge/rules/")).map(read)
  const text = [own, ...shared].map((source) => source.text).join("\n")
  const facts = Object.entries(makers).flatMap(([fact, files]) =>
    new RegExp(`\\b${fact}\\b`, "u").test(text) ? files : []
  )
  const called = [...own.imports, ...shared.flatMap(({ imports }) => imports)]
  return [...new Set([fileOf(rule), ...called, ...facts])].sort((one, other) => (one < other ? -1 : 1))
}

/** Twelve hexadecimal digits. */
export const of = (rule: string): string =>
  Crypto.createHash("sha256")
    .update(
      modules(rule)
        .map((file) => `${file}\n${read(file).text}`)
        .join("\n\n")
    )
    .digest("hex")
    .slice(0, 12)
