import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Text from "../../src/base/text/Text.ts"
import { groups, list, pairs } from "../support/rows.ts"
import * as PlainText from "../../src/base/text/PlainText.ts"
import { hidden, unseen } from "../support/unseen.ts"

const anyText = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.lorem({ maxCount: 20 }),
  fc.constantFrom("a. b! c?", "```\nx\n```\ny", "\n\n\n", "。？！")
)

it("clip ends at a word, and never exceeds its limit", () => {
  for (const [text, limit, clipped] of [
    ["short", 10, "short"],
    ["exactly ten", 11, "exactly ten"],
    ["one two three", 8, "one two…"],
    ["one two three", 5, "one…"],
    ["ab", 1, "…"]
  ] as const)
    assert.strictEqual(Text.clip(text, limit), clipped)
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 80 }), (text, limit) => {
      assert.isAtMost(Text.clip(text, limit).length, limit)
      assert.isAtMost(Text.oneLine(text, limit).length, limit)
      assert.notInclude(Text.oneLine(text, limit), "\n")
    })
  )
})

it("tail keeps the end, from the start of a line if one is near", () => {
  assert.strictEqual(Text.tail("first line\nsecond line", 15), "second line")
  assert.strictEqual(Text.tail("x".repeat(500), 100), "x".repeat(100))
  assert.strictEqual(Text.tail("whole", 100), "whole")
})

it("fenced code is left out of the prose, and an open fence is recognised", () => {
  assert.deepStrictEqual(Text.proseLines("a\n```ts\ncode\n```\nb\n~~~\ncode\n~~~"), ["a", "b"])
  assert.deepStrictEqual(Text.proseLines("a\n  ```\n  code\n  ```\nb"), ["a", "b"])
  for (const open of ["```\ncode", "~~~\na\n~~~\n```"]) assert.isTrue(Text.hasOpenFence(open))
  for (const closed of ["```\ncode\n```", "a `b` c"]) assert.isFalse(Text.hasOpenFence(closed))
})

describe("lines", () => {
  it("list items and headings are recognised by their marks", () => {
    for (const item of list`- a ¦ * a ¦ • a ¦ 1. a ¦ 2) a ¦ \  - a ¦ **3.** a ¦ a) a ¦ Option A: a`)
      assert.isTrue(Text.isListItem(item), item)
    for (const none of [...list`a ¦ -a ¦ 1.5 times ¦ **bold** a ¦ -- a`, ""])
      assert.isFalse(Text.isListItem(none), none)
    assert.isTrue(Text.isHeading("## What changed"))
    for (const none of ["#define A", "#1 is fixed"]) assert.isFalse(Text.isHeading(none))
  })

  it.each(pairs`
    ## **Done** :: Done ¦ - *All* tests __pass__ :: All tests pass ¦ 1. I’ve fixed it :: I've fixed it
    snake_case_name stays :: snake_case_name stays ¦ 2 * 3 * 4 :: 2 * 3 * 4 ¦ \  indented \  :: indented
  `)("%j in plain words: %j", (line, words) => assert.strictEqual(Text.plain(line), words))

  it("blank lines separate paragraphs", () => {
    assert.deepStrictEqual(Text.paragraphs(["", "a", "b", " ", "", "c"]), [["a", "b"], ["c"]])
  })
})

it.each(groups`
  One. Two! Three? :: One. ¦ Two! ¦ Three?
  See src/a.ts and v1.2.3 now. :: See src/a.ts and v1.2.3 now.
  Use a map, e.g. a Map. Done. :: Use a map, e.g. a Map. ¦ Done.
  No. Use a map. :: No. ¦ Use a map.
  It is no. 5 of six. :: It is no. 5 of six.
  He said "stop." Then he left. :: He said "stop." ¦ Then he left.
  Really?! Yes. :: Really?! ¦ Yes.
  修正しました。テストも通りました！ :: 修正しました。 ¦ テストも通りました！
  no end :: no end
  ... :: ...
`)("the sentences of %s", (line, ...parts) => {
  assert.deepStrictEqual(Text.sentences(line), parts)
  assert.deepStrictEqual(Text.sentences(""), [])
})

const escape = "\u001b"

describe("clean", () => {
  it("removes control sequences and invisible characters, and keeps the joiners of letters and emoji", () => {
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

  it("no invisible character stays except the line break", () => {
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

  it("a megabyte of unfinished control sequences is read in linear time", () => {
    for (const piece of [`${escape}]`, `${escape}[0`, `${escape}[`, "\u0007", `${escape}P0`])
      assert.isBelow(PlainText.clean(piece.repeat(1_000_000 / piece.length)).length, 1_000_001)
  })
})
