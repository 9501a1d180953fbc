import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Json from "../../src/base/json/Json.ts"

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

  it.each([
    ["a", "a"],
    [[{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }], "a\nb"],
    [{ text: "a" }, "a"],
    [{ content: "a" }, "a"],
    [null, ""]
  ])("reads the text of %j", (content, expected) => {
    assert.strictEqual(Json.contentText(content), expected)
  })

  it("keeps both ends of a long text and says how much it left out", () => {
    assert.strictEqual(Json.clip("abcdef", 3), "abcdef")
    assert.strictEqual(Json.clip("abcdefg", 3), "abc\n[1 characters left out]\nefg")
  })
})
