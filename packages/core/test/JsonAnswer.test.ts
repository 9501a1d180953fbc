import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as JsonAnswer from "../src/JsonAnswer.ts"

const cases: ReadonlyArray<readonly [string, string, string | null]> = [
  ["bare", '{"a":1}', '{"a":1}'],
  ["in a fence", 'Here it is:\n```json\n{"a":{"b":[1]}}\n```\nThat is all.', '{"a":{"b":[1]}}'],
  ["the last of two", '{"a":1} no, wait: {"a":2}', '{"a":2}'],
  ["before braces that are no JSON", '{"a":1} as in {this}', '{"a":1}'],
  ["with braces and quotes in a string", '{"a":"} \\" {"}', '{"a":"} \\" {"}'],
  ["cut off", '{"a":1, "b":{"c":2}, "d":', null],
  ["cut off in a string", '{"a":1} {"a":"', null],
  ["a list", "[1, 2]", null],
  ["words", "I cannot say.", null]
]

describe("JsonAnswer.lastObject", () => {
  for (const [name, text, expected] of cases) {
    it(`reads an answer: ${name}`, () => assert.strictEqual(JsonAnswer.lastObject(text), expected))
  }

  it("finds any object behind any words without braces, and nothing in any beginning of it", () => {
    const words = fc.string().map((text) => text.replaceAll(/[{}]/g, ""))
    const object = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(words, object, words, fc.nat(), (before, value, after, cut) => {
        const json = JSON.stringify(value)
        assert.strictEqual(JsonAnswer.lastObject(`${before}${json}${after}`), json)
        const part = json.slice(0, cut % json.length)
        assert.isNull(JsonAnswer.lastObject(`${before}${part}`))
      })
    )
  })
})
