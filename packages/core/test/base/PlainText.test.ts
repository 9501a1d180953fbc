import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as PlainText from "../../src/base/text/PlainText.ts"
import { hidden, unseen } from "../support/unseen.ts"

const escape = "\u001b"

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
    ["what has no width", "a\u200bb\u00adc\ufeff", "abc"],
    ["letters of all languages stay", "grün 日本 👍🏽", "grün 日本 👍🏽"],
    ["joiners amid letters of no script that has them", "a\u200db\u200cc", "abc"],
    ["fillers", "a\u115fb\u1160c\u3164d\uffa0e\u17b4f\u034fg", "abcdefg"],
    ["variants and tags", "a\ufe0fb\u{e0100}c\u{e0041}d\u180be", "abcde"],
    [
      "an emoji keeps what it is joined by",
      "👩🏽\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3",
      "👩🏽\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3"
    ],
    ["but not more of it", "👩\u200d\u200d💻 👍\u200d", "👩💻 👍"],
    ["words of Persian and Hindi keep theirs", "می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"],
    ["but not at their ends", "\u200cمی\u200c x", "می x"],
    ["a choice of characters", `a${escape}(Bb`, "ab"]
  ])("%s", (_, text, expected) => {
    assert.strictEqual(PlainText.clean(text), expected)
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

  it.each([`${escape}]`, `${escape}[0`, `${escape}[`, "\u0007", `${escape}P0`])(
    "is linear on a megabyte of %j",
    (piece) => {
      const text = PlainText.clean(piece.repeat(1_000_000 / piece.length))
      assert.isBelow(text.length, 1_000_001)
    }
  )
})
