import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as PlainText from "../../src/base/text/PlainText.ts"
import { hidden, unseen } from "../support/unseen.ts"

const escape = "\u001b"

describe("clean", () => {
  it("leaves out what a terminal obeys and what is not seen, and keeps what letters and emoji are joined by", () => {
    const rows: ReadonlyArray<readonly [string, string]> = [
      [`${escape}[31;1mred${escape}[0m`, "red"],
      [`a${escape}[2J${escape}[1;1Hb`, "ab"],
      [`${escape}]0;title\u0007text`, "text"],
      [`${escape}]8;;http://x${escape}\\text${escape}]8;;${escape}\\`, "text"],
      [`a${escape}]0;b`, "a0;b"],
      [`a${escape}(Bb`, "ab"],
      ["a\u0008\u0000b\u009bc\u007f", "abc"],
      ["a\u202eb\u2066c\u200f", "abc"],
      ["a\r\nb\rc\u2028d\te", "a\nb\nc\nd  e"],
      ["a\u200bb\u00adc\ufeff", "abc"],
      ["grün 日本 👍🏽", "grün 日本 👍🏽"],
      ["a\u200db\u200cc", "abc"],
      ["a\u115fb\u1160c\u3164d\uffa0e\u17b4f\u034fg", "abcdefg"],
      ["a\ufe0fb\u{e0100}c\u{e0041}d\u180be", "abcde"],
      ...["👩🏽\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3", "می\u200cخواهم क्\u200dष"].map((kept) => [kept, kept] as const),
      ["👩\u200d\u200d💻 👍\u200d", "👩💻 👍"],
      ["\u200cمی\u200c x", "می x"]
    ]
    for (const [text, expected] of rows) assert.strictEqual(PlainText.clean(text), expected)
  })

  it("leaves nothing unseen but the line break", () => {
    const hostile = fc.stringOf(
      fc.oneof(fc.fullUnicode(), hidden, fc.constantFrom(escape, "[", "]", "\u0007", "\\", "\u009b", "P", "m"))
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const cleaned = PlainText.clean(text)
        assert.notMatch(cleaned, unseen)
        assert.strictEqual(PlainText.clean(cleaned), cleaned)
      })
    )
  })

  it("is linear on a megabyte of one beginning", () => {
    for (const piece of [`${escape}]`, `${escape}[0`, `${escape}[`, "\u0007", `${escape}P0`])
      assert.isBelow(PlainText.clean(piece.repeat(1_000_000 / piece.length)).length, 1_000_001)
  })
})
