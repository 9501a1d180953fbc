import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { entries, examplesOf, printed } from "../../../scripts/docExamples.mjs"
import { blocksOf, isPartOf } from "../../../scripts/markdownExamples.mjs"

const source = `import { a } from "./a.ts"

/**
 * What it is.
 *
 * @example
 * \`\`\`ts
 * import { b } from "@reflexion/core/B"
 *
 * console.log(b) // => 1
 * console.log("two")
 * // => two
 * \`\`\`
 *
 * @since 0.1.0
 */
export const b = a

  /**
   * @example
   * \`\`\`ts
   * const c = 1
   * \`\`\`
   * @example one without code
   */
`

const packages = new URL("../../../packages/", import.meta.url)

/** The packages that programs import, by their folders. */
const libraries = readdirSync(packages).filter((name) => {
  const manifest: unknown = JSON.parse(readFileSync(new URL(`${name}/package.json`, packages), "utf8"))
  const { exports, private: isPrivate } = Object(manifest)
  return isPrivate !== true && Object(exports)["."] !== undefined
})

describe("the examples of docstrings", () => {
  it("are those of every library that is published", () => {
    assert.includeMembers(Object.keys(entries), libraries)
    assert.include(libraries, "opencode")
  })

  it("are found with the lines on which they begin", () => {
    assert.deepStrictEqual(examplesOf(source), [
      {
        line: 8,
        code: 'import { b } from "@reflexion/core/B"\n\nconsole.log(b) // => 1\nconsole.log("two")\n// => two\n'
      },
      { line: 22, code: "const c = 1\n" },
      { line: 24, code: null }
    ])
    assert.deepStrictEqual(examplesOf("/** @since 0.1.0 */\n// @example\n"), [])
  })

  it("say what they print", () => {
    assert.deepStrictEqual(printed(examplesOf(source)[0]?.code ?? ""), ["1", "two"])
  })
})

const page = `# A page

<!-- ts
declare const a: number
-->

~~~ts
const b = a + 1
~~~

\`\`\`\`text
\`\`\`ts
not code
\`\`\`
\`\`\`\`

<!-- from examples/one.ts -->

\`\`\`ts
const c = () =>
  1
\`\`\`

- a list

  \`\`\`ts
  const d = 1
  \`\`\`

\`\`\`typescript
const e = 1
\`\`\`

\`\`\`ts ignore
const f = 1
\`\`\`

<!-- a remark
-->

\`\`\`ts
const g = 1`

describe("the examples of a page", () => {
  it("stand on the page's own lines, below what is declared for them", () => {
    const blocks = blocksOf(page).map(({ code, ...more }) => ({ ...more, code: code?.replace(/^\n+/u, "") }))
    assert.deepStrictEqual(blocks, [
      { line: 7, code: "declare const a: number\n\n\n\nconst b = a + 1\n" },
      { line: 19, from: "examples/one.ts", code: "const c = () =>\n  1" },
      { line: 26, code: "  const d = 1\n" },
      { line: 30, problem: "a block of code begins with ```ts alone", code: undefined },
      { line: 34, problem: "a block of code begins with ```ts alone", code: undefined },
      { line: 41, code: "const g = 1\n" }
    ])
    for (const { code = "", from } of blocksOf(page)) {
      if (from !== undefined) continue
      for (const [at, line] of code.split("\n").entries()) {
        if (line !== "") assert.strictEqual(line, page.split("\n")[at])
      }
    }
  })

  it("are a part of the program that they are from, or not", () => {
    const source = "const b = 0\n\n  const c = () =>\n    1\n"
    assert.isTrue(isPartOf("const c = () =>\n  1", source))
    assert.isFalse(isPartOf("const c = () =>\n  2", source))
  })
})
