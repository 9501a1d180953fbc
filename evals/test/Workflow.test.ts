import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

describe("the workflow of the evals", () => {
  it("runs where a package changes that they use, on main and in a pull request", () => {
    const manifest: unknown = JSON.parse(read("evals/package.json"))
    const own = Object.keys(Object(manifest).dependencies).filter((name) => name.startsWith("@reflexion/"))
    const workflow = read(".github/workflows/evals.yml")
    assert.include(own, "@reflexion/core")
    for (const name of own) {
      const path = `- packages/${name.replace("@reflexion/", "")}/src/**`
      assert.strictEqual(workflow.split(path).length - 1, 2, path)
    }
  })
})

describe("the workflow of the tests", () => {
  it("has every version of Node that is tested at night", () => {
    const pinned = readdirSync(new URL("../../packages/testing/nodes", import.meta.url)).toSorted()
    assert.include(read(".github/workflows/tests.yml"), `node: [20, ${pinned.join(", ")}]`)
  })
})
