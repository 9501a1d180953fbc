import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Json from "../../src/base/json/Json.ts"
import { parseWithComments } from "../../src/base/json/JsonText.ts"
import { list } from "../support/rows.ts"

describe("Json", () => {
  it("answers with the asked type whatever the value", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        assert.isTrue(Json.isObject(Json.object(value)))
        assert.isTrue(Array.isArray(Json.list(value)))
        assert.isString(Json.text(value))
        assert.isString(Json.contentText(value))
        const status = Json.exitCode(value)
        assert.isTrue(status === null || (Number.isInteger(status) && status >= 0))
        for (const moment of [Json.time(value), Json.millis(value)]) {
          if (moment !== null) assert.isFalse(Number.isNaN(Date.parse(moment)))
        }
      })
    )
  })

  it("reads the text of a content, and keeps both ends of a long one", () => {
    const parts = [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }]
    assert.deepStrictEqual(["a", parts, { text: "a" }, { content: "a" }, null].map(Json.contentText), [
      "a",
      "a\nb",
      "a",
      "a",
      ""
    ])
    assert.strictEqual(Json.clip("abcdef", 3), "abcdef")
    assert.strictEqual(Json.clip("abcdefg", 3), "abc\n[1 characters left out]\nefg")
  })
})

describe("JSON with comments", () => {
  it.each([
    ["{}", {}],
    [" [1, 2 , ] ", [1, 2]],
    ['{ "a": "// no comment", /* but this */ "b": 1 // and this\n}', { a: "// no comment", b: 1 }],
    ['["\\\\", // "\n "a,]",]', ["\\", "a,]"]]
  ])("%j", (text, value) => assert.deepStrictEqual(parseWithComments(text), value))

  it.each([
    "",
    "[".repeat(100_000),
    ...list`// only a comment ¦ { "a": 1 } /* not closed ¦ { "a": 1,, } ¦ { a: 1 } ¦ [1] x`
  ])("cannot be read: %j", (text) => assert.isUndefined(parseWithComments(text)))
})
