import { assert, describe, it } from "@effect/vitest"
import { examplesOf, printed } from "../../../scripts/docExamples.mjs"

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

describe("the examples of docstrings", () => {
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
