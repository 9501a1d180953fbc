import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Layout from "../src/Layout.ts"

const escape = "\u001b"

describe("Layout", () => {
  describe("clean", () => {
    it.each([
      ["colours", `${escape}[31;1mred${escape}[0m`, "red"],
      ["cursor moves", `a${escape}[2J${escape}[1;1Hb`, "ab"],
      ["a title ended by BEL", `${escape}]0;title\u0007text`, "text"],
      ["a link ended by ST", `${escape}]8;;http://x${escape}\\text${escape}]8;;${escape}\\`, "text"],
      ["an unfinished title keeps its text", `a${escape}]0;b`, "a0;b"],
      ["one-byte controls", "a\u0008\u0000b\u009bc\u007f", "abc"],
      ["turned text", "a\u202eb\u2066c\u200f", "abc"],
      ["line ends", "a\r\nb\rc\u2028d", "a\nb\nc\nd"],
      ["tabs", "\ta", "  a"],
      ["letters of all languages stay", "grün 日本 👍🏽", "grün 日本 👍🏽"]
    ])("%s", (_, text, expected) => {
      assert.strictEqual(Layout.clean(text), expected)
    })

    it("leaves no control character but the line break", () => {
      const hostile = fc.stringOf(
        fc.oneof(fc.fullUnicode(), fc.constantFrom(escape, "[", "]", "\u0007", "\\", "\u009b", "P", "m"))
      )
      fc.assert(
        fc.property(hostile, (text) => {
          assert.notMatch(Layout.clean(text).replaceAll("\n", ""), /\p{Cc}/u)
        })
      )
    })

    it.each([`${escape}]`, `${escape}[0`, `${escape}[`, "\u0007", `${escape}P0`])(
      "is linear on a megabyte of %j",
      (piece) => {
        const text = Layout.clean(piece.repeat(1_000_000 / piece.length))
        assert.isBelow(text.length, 1_000_001)
      }
    )
  })

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
