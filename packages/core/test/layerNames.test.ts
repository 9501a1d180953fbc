import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const packages = ["core", "node", "retry", "claude-code", "codex", "opencode"]

const program = (): ts.Program => {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (file) => ts.sys.readFile(file))
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root)
  const entries = packages.map((name) => `${root}packages/${name}/src/index.ts`)
  return ts.createProgram(entries, { ...options, noEmit: true, composite: false, incremental: false })
}

/** What a layer or an effect needs, or those that a function returns. */
const needsOf = (checker: ts.TypeChecker, type: ts.Type): ReadonlyArray<ts.Type> => {
  const returned = type.getCallSignatures().flatMap((one) => needsOf(checker, one.getReturnType()))
  const name = (type.aliasSymbol ?? type.symbol)?.name
  if (name !== "Layer" && name !== "Effect") return returned
  const given = type.aliasTypeArguments ?? ("target" in type ? checker.getTypeArguments(Object(type)) : [])
  return [...returned, ...given.slice(2, 3)]
}

const exportsOf = (checker: ts.TypeChecker, symbol: ts.Symbol): ReadonlyArray<ts.Symbol> =>
  checker
    .getExportsOfModule(symbol)
    .map((one) => (one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one))

/** The values of a module, the static members of its classes among them. */
const valuesOf = (checker: ts.TypeChecker, module: ts.Symbol): ReadonlyArray<ts.Symbol> =>
  exportsOf(checker, module).flatMap((one) => {
    if (one.flags & ts.SymbolFlags.Class)
      return [...(one.exports?.values() ?? [])].filter((it) => it.name !== "prototype")
    return one.flags & ts.SymbolFlags.Value ? [one] : []
  })

describe("what a program is told to provide", { timeout: 120_000 }, () => {
  it("is named by its services, never by a name of ours for several of them", () => {
    const all = program()
    const checker = all.getTypeChecker()
    const wrong: Array<string> = []
    let seen = 0
    for (const entry of packages) {
      const file = all.getSourceFile(`${root}packages/${entry}/src/index.ts`)
      const index = file === undefined ? undefined : checker.getSymbolAtLocation(file)
      assert.isDefined(index, entry)
      for (const module of index === undefined ? [] : exportsOf(checker, index)) {
        for (const value of valuesOf(checker, module)) {
          for (const needs of needsOf(checker, checker.getTypeOfSymbol(value))) {
            seen++
            const shown = checker.typeToString(needs, undefined, ts.TypeFormatFlags.NoTruncation).split(" | ")
            const meant = (needs.isUnion() ? needs.types : [needs]).map((one) => one.symbol?.name ?? shown[0])
            const unknown = shown.filter((name) => !meant.includes(name))
            if (unknown.length > 0) wrong.push(`${entry}: ${value.name} asks for ${unknown.join(" | ")}`)
          }
        }
      }
    }
    assert.deepStrictEqual(wrong, [])
    assert.isAbove(seen, 80)
  })
})
