import { assert, describe, it } from "@effect/vitest"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { readFileSync } from "node:fs"
import { fill, reference } from "../../../../scripts/configuration.mjs"

const page = readFileSync(new URL("../../../../docs/configuration.md", import.meta.url), "utf8")

const { silent, tables } = reference(ReflexionConfig.PartialConfig, ReflexionConfig.defaults)

/** What a table says of a key: its type, its values, its default and what it does. */
const of = (section: string, key: string): ReadonlyArray<string> => {
  const row =
    tables
      .get(section)
      ?.split("\n")
      .find((line) => line.startsWith(`| \`${key}\` `)) ?? ""
  return row
    .split(" | ")
    .slice(1)
    .map((cell) => cell.replace(/ \|$/u, "").trim())
}

describe("the reference of the configuration", () => {
  it("says of every key what it does", () => {
    assert.deepStrictEqual(silent, [])
  })

  it("has types, values and defaults from the schema", () => {
    assert.deepStrictEqual(of("the-file", "profile").slice(0, 3), [
      "string",
      '`"balanced"`, `"strict"` or `"advisory"`',
      '`"balanced"`'
    ])
    assert.deepStrictEqual(of("memory", "crossTask").slice(0, 3), [
      "false or number",
      "false, or a similarity from 0 to 1",
      "0.3"
    ])
    assert.deepStrictEqual(of("checks[]", "timeout").slice(0, 3), [
      "number or string",
      'a number of seconds from 1 to 3,600, or a text such as `"5 minutes"`',
      "none"
    ])
    assert.deepStrictEqual(of("todos", "agents").slice(0, 2), [
      "list of strings",
      "a list of names of agents, at most 50"
    ])
    assert.deepStrictEqual(of("todos", "largeFrom").slice(0, 3), ["number", "a whole number from 1 to 100", "7"])
    assert.strictEqual(of("models.providers.*", "api")[2], "required")
  })

  it("is the page's, which `npm run docs` fills in", () => {
    assert.strictEqual(fill(page, tables), page)
  })

  it("is complete on the page", () => {
    const nothing = "<!-- keys of nothing -->\n<!-- end of keys -->"
    assert.throws(() => fill(nothing, tables), /says nothing/)
    assert.throws(() => fill(nothing, new Map()), /a block for nothing, which the schema does not know/)
    assert.lengthOf(tables.get("the-file")?.split("\n") ?? [], 18)
  })
})
