import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Layout from "../src/terminal/Layout.ts"

describe("Layout", () => {
  it.each([
    ["abc", 3],
    ["日本", 4],
    ["é", 1],
    ["e\u0301", 1],
    ["👍", 2],
    ["✓", 1]
  ])("width of %j is %j", (text, expected) => {
    assert.strictEqual(Layout.width(text), expected)
  })

  describe("wrap", () => {
    it("breaks between words and keeps blank lines", () => {
      assert.deepStrictEqual(Layout.wrap("one two three\n\nfour", 8), ["one two", "three", "", "four"])
    })

    it("hangs list items", () => {
      assert.deepStrictEqual(Layout.wrap("- one two three", 9), ["- one two", "  three"])
      assert.deepStrictEqual(Layout.wrap("10. one two three", 11), ["10. one two", "    three"])
    })

    it("breaks a word that is longer than a line", () => {
      assert.deepStrictEqual(Layout.wrap("abcdefgh", 3), ["abc", "def", "gh"])
    })

    it("makes no line wider than asked and loses no word", () => {
      const words = fc.array(fc.stringMatching(/^[a-z日本-]{1,14}$/), { maxLength: 30 })
      fc.assert(
        fc.property(words, fc.integer({ min: 4, max: 60 }), (parts, to) => {
          const lines = Layout.wrap(parts.join(" "), to)
          for (const line of lines) assert.isAtMost(Layout.width(line), to)
          assert.strictEqual(lines.join("").replaceAll(" ", ""), parts.join(""))
        })
      )
    })
  })

  it("clips to columns with a mark", () => {
    assert.strictEqual(Layout.clip("abcdef", 4, "…"), "abc…")
    assert.strictEqual(Layout.clip("abcd", 4, "…"), "abcd")
    assert.strictEqual(Layout.clip("日本語", 4, "…"), "日…")
  })

  it("marks lines that are left out", () => {
    assert.deepStrictEqual(Layout.firstLines(["a", "b", "c"], { count: 2, to: 10, mark: "…" }), ["a", "b …"])
    assert.deepStrictEqual(Layout.firstLines(["a", "b"], { count: 2, to: 10, mark: "…" }), ["a", "b"])
  })
})
