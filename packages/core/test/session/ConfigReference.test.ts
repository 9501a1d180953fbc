import { assert, describe, it } from "@effect/vitest"
import * as ConfigReference from "@reflexion/core/internal/session/config/ConfigReference"
import { readFileSync } from "node:fs"
import { fill } from "../../../../scripts/configuration.mjs"

const page = readFileSync(new URL("../../../../docs/configuration.md", import.meta.url), "utf8")

const keys = ConfigReference.sections.flatMap((section) => section.keys)

const keyOf = (path: string) => keys.find((key) => key.path === path)

const of = (path: string) => {
  const { allowed, fallback, isRequired, type } = keyOf(path) ?? {}
  return { allowed, fallback, isRequired, type }
}

describe("the reference of the configuration", () => {
  it("says of every key what it does, and of nothing else", () => {
    assert.deepStrictEqual(
      keys.filter(({ words }) => words === undefined).map(({ path }) => path),
      []
    )
    assert.deepStrictEqual(
      ConfigReference.described.filter((path) => keyOf(path) === undefined),
      []
    )
  })

  it("has types, values and defaults from the schema", () => {
    const given = { isRequired: false }
    assert.deepStrictEqual(of("profile"), {
      ...given,
      type: "string",
      allowed: '"balanced", "strict" or "advisory"',
      fallback: "balanced"
    })
    assert.deepStrictEqual(of("memory.crossTask"), {
      ...given,
      type: "false or number",
      allowed: "false, or a similarity from 0 to 1",
      fallback: 0.3
    })
    assert.deepStrictEqual(of("verify.checks[].timeout"), {
      ...given,
      type: "number or string",
      allowed: 'a number of seconds from 1 to 3600, or a text such as "5 minutes"',
      fallback: 300
    })
    assert.deepInclude(of("todos.agents"), {
      type: "list of strings",
      allowed: "a list of names of agents, at most 50"
    })
    assert.deepInclude(of("todos.largeFrom"), { type: "number", fallback: 7 })
    assert.deepInclude(of("models.providers.*.api"), { isRequired: true })
  })

  it("is the page's, which `npm run docs:configuration` fills in", () => {
    assert.strictEqual(fill(page, ConfigReference.sections), page)
  })

  it("is complete on the page", () => {
    const [first] = ConfigReference.sections
    assert.throws(
      () => fill("<!-- keys of nothing -->\n<!-- end of keys -->", ConfigReference.sections),
      /says nothing/
    )
    assert.throws(
      () => fill("<!-- keys of nothing -->\n<!-- end of keys -->", []),
      /a block for nothing, which the Schema does not know/
    )
    assert.lengthOf(first?.keys ?? [], 16)
  })
})
