import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type ParseError, parse } from "jsonc-parser"
import { parseWithComments } from "../../src/ground/json/JsonText.ts"

const reference = (text: string): unknown => {
  const errors: Array<ParseError> = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  return errors.length > 0 ? undefined : value
}

describe("JSON with comments", () => {
  it("is read as the reference parser reads it", () => {
    const table = [
      "",
      "{}",
      " [1, 2 , ] ",
      '{ "a": "// no comment", "b": "/* nor */ this", /* but this */ "c": 1 // and this\n}',
      '{ "a": "\\"", /* " */ "b": ",}", }',
      '["\\\\", // "\n "a,]",]',
      "// only a comment",
      '{ "a": 1 } // end',
      '{ "a": 1 } /* not closed',
      '{ "a": "not closed',
      '{ "a": 1,, }',
      '{ "a": 1 /* , */ "b": 2 }',
      "[1 /**/ , /* c */ ]",
      "[1 2]",
      "{ a: 1 }",
      "/",
      "[1] x"
    ]
    assert.deepStrictEqual(
      table.map((text) => [text, parseWithComments(text)]),
      table.map((text) => [text, reference(text)])
    )
  })

  it("gives back any value, whatever comments stand between its parts", () => {
    const between = fc.constantFrom(" ", "\n", "/**/", '/* , } " */', '// " ] ,\n', "\t// /*\n")
    fc.assert(
      fc.property(fc.json(), fc.array(between, { minLength: 1, maxLength: 5 }), (text, gaps) => {
        let at = 0
        const strewn = text.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (part) => {
          const gap = gaps[at++ % gaps.length] ?? ""
          return `${gap}${part}${gap}`
        })
        assert.deepStrictEqual(parseWithComments(strewn), JSON.parse(text))
      })
    )
  })

  it("agrees with the reference on any mixture of its signs", () => {
    const signs = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', '"a"', "\\", "/", "//", "/*", "*/", "1", "\n", " ")
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), (parts) => {
        const text = parts.join("")
        assert.deepStrictEqual(parseWithComments(text), reference(text))
      }),
      { numRuns: 200 }
    )
  })

  it("takes linear time on what is not closed", () => {
    for (const unit of ['"', '\\"', "/*", "//", ",", ", ", '"\\', "/* ", "1,", '"",'])
      assert.isUndefined(parseWithComments(`[${unit.repeat(260_000 / unit.length)}`))
  })
})
