import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { parse } from "jsonc-parser"
import * as PluginList from "../src/install/PluginList.ts"
import * as Arbitrary from "./arbitraryJson.ts"

const isOurs = (spec: string): boolean => spec.startsWith("file:///data/")

const schema = "https://opencode.ai/config.json"

const one = "file:///data/1/server.js"

const two = "file:///data/2/server.js"

const value = (text: string): unknown => parse(text.replace("\uFEFF", ""), [], { allowTrailingComma: true })

const install = (text: string, spec = one): string =>
  Either.getOrThrow(PluginList.install(text, { spec, isOurs, schema }))

const remove = (text: string, added: ReadonlyArray<string> = [PluginList.key]): string =>
  Either.getOrThrow(PluginList.remove(text, { isOurs, added }))

const specs = (text: string) => Either.getOrThrow(PluginList.specs(text))

const problem = (text: string): string => {
  const found = Either.getOrThrow(Either.flip(PluginList.install(text, { spec: one, isOurs, schema })))
  return `${found.line}:${found.column}: ${found.problem}`
}

const bare = (text: string): string => text.replace(/\s/gu, "")

const lines = (...texts: ReadonlyArray<string>): string => `${texts.join("\n")}\n`

const plugin = fc.oneof(fc.constantFrom("a", "./b.js"), fc.constant(["c@1", { key: [1] }]), fc.constant(1))

const file = fc
  .tuple(Arbitrary.settings, fc.option(fc.array(plugin, { maxLength: 3 }), { nil: undefined }), Arbitrary.hand)
  .map(([settings, list, write]) => {
    const before: { readonly plugin?: ReadonlyArray<unknown> } = { ...settings, ...(list && { plugin: list }) }
    return { value: before, ...write(before) }
  })

describe("PluginList", () => {
  it("makes a file that OpenCode has no reason to rewrite", () => {
    const text = lines("{", `  "$schema": "${schema}",`, `  "plugin": ["${one}"]`, "}")
    assert.strictEqual(install(""), text)
    assert.isTrue(PluginList.isBlank(remove(text)))
  })

  it("adds itself behind the plugins that are there, and keeps comments and commas", () => {
    const text = lines("{", '  "plugin": [', '    "./mine.js", // mine', "    /* none */", "  ],", "}")
    const after = lines(
      "{",
      '  "plugin": [',
      '    "./mine.js", // mine',
      `    "${one}",`,
      "    /* none */",
      "  ],",
      "}"
    )
    assert.strictEqual(bare(install(text)), bare(after))
    assert.include(install(text), '"./mine.js", // mine')
    assert.strictEqual(remove(install(text)), text)
  })

  it("puts another version in its place, with the options that its user gave it", () => {
    const text = lines("{", `  "plugin": ["a", ["${one}", { "maxAttempts": 1 } /* few */], "b"]`, "}")
    assert.strictEqual(install(text, two), text.replace(one, two))
    assert.deepStrictEqual(Either.getOrThrow(PluginList.plugins(text))[1], {
      spec: one,
      options: { maxAttempts: 1 }
    })
    assert.deepStrictEqual(specs(remove(text)), ["a", "b"])
  })

  it("leaves one of several of its own", () => {
    const text = lines(`{ "plugin": ["${one}", "a", ["${two}"], "${one}"] }`)
    assert.deepStrictEqual(specs(install(text, two)), [two, "a"])
  })

  it("leaves what is no plugin alone", () => {
    const text = lines('{ "plugin": [1, null, {}, [], [2, "x"], "a"] }')
    assert.deepStrictEqual(specs(install(text)), ["a", one])
    assert.strictEqual(remove(install(text)), text)
  })

  it("leaves an empty list of the user's", () => {
    assert.deepStrictEqual(value(remove(install('{ "plugin": [] }'), [])), { plugin: [] })
    assert.deepStrictEqual(value(remove(install("{}"))), {})
  })

  it.each([
    ["{", "1:2: not valid JSON: close brace expected"],
    ["[]", "1:1: the file should be a JSON object"],
    ['{ "plugin": {} }', "1:13: plugin should be a list"],
    ['{ "plugin": "a" }', "1:13: plugin should be a list"],
    ['{ "plugin": [],\n"plugin": [] }', '2:1: the key "plugin" is there twice']
  ])("refuses %s", (text, expected) => {
    assert.strictEqual(problem(text), expected)
  })

  it.each(["{}", "{\n}\n", `{ "$schema": "${schema}" }`])("sees nothing of the user's in %j", (text) => {
    assert.isTrue(PluginList.isBlank(text))
  })

  it.each(["{ // mine\n}", '{ "model": "x" }', '{ "$schema": "mine" }', "{", "[]"])("keeps %j", (text) => {
    assert.isFalse(PluginList.isBlank(text))
  })

  it("property: installing changes nothing of others', again nothing, and taking out leaves what was", () => {
    fc.assert(
      fc.property(file, ({ comments, text, value: before }) => {
        const theirs = Array.isArray(before.plugin) ? specs(text) : []
        const after = install(text)
        assert.deepStrictEqual(specs(after), [...theirs, one])
        assert.strictEqual(install(after), after)
        const out = remove(after, Array.isArray(before.plugin) ? [] : [PluginList.key])
        for (const comment of comments) assert.isTrue(after.includes(comment) && out.includes(comment))
        assert.deepStrictEqual(value(out), JSON.parse(JSON.stringify(before)))
      }),
      { numRuns: 100 }
    )
  })
})
