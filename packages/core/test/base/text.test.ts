import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import {
  clip,
  hasOpenFence,
  isHeading,
  isListItem,
  oneLine,
  paragraphs,
  plain,
  proseLines,
  sentences,
  tail
} from "../../src/base/text/Text.ts"
import { groups, list, pairs } from "../support/rows.ts"

const anyText = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.lorem({ maxCount: 20 }),
  fc.constantFrom("a. b! c?", "```\nx\n```\ny", "\n\n\n", "。？！")
)

describe("clip", () => {
  it("ends at a word, and never exceeds its limit", () => {
    for (const [text, limit, clipped] of [
      ["short", 10, "short"],
      ["exactly ten", 11, "exactly ten"],
      ["one two three", 8, "one two…"],
      ["one two three", 5, "one…"],
      ["ab", 1, "…"]
    ] as const)
      assert.strictEqual(clip(text, limit), clipped)
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 80 }), (text, limit) => {
        assert.isAtMost(clip(text, limit).length, limit)
        assert.isAtMost(oneLine(text, limit).length, limit)
        assert.notInclude(oneLine(text, limit), "\n")
      })
    )
  })
})

it("tail keeps the end, from a line's beginning where one is near", () => {
  assert.strictEqual(tail("first line\nsecond line", 15), "second line")
  assert.strictEqual(tail("x".repeat(500), 100), "x".repeat(100))
  assert.strictEqual(tail("whole", 100), "whole")
})

it("fenced code is left out of the prose, and known where it is still open", () => {
  assert.deepStrictEqual(proseLines("a\n```ts\ncode\n```\nb\n~~~\ncode\n~~~"), ["a", "b"])
  assert.deepStrictEqual(proseLines("a\n  ```\n  code\n  ```\nb"), ["a", "b"])
  for (const open of ["```\ncode", "~~~\na\n~~~\n```"]) assert.isTrue(hasOpenFence(open))
  for (const closed of ["```\ncode\n```", "a `b` c"]) assert.isFalse(hasOpenFence(closed))
})

describe("lines", () => {
  it("are items and headings by their marks", () => {
    for (const item of list`- a ¦ * a ¦ • a ¦ 1. a ¦ 2) a ¦ \  - a ¦ **3.** a ¦ a) a ¦ Option A: a`)
      assert.isTrue(isListItem(item), item)
    for (const none of [...list`a ¦ -a ¦ 1.5 times ¦ **bold** a ¦ -- a`, ""]) assert.isFalse(isListItem(none), none)
    assert.isTrue(isHeading("## What changed"))
    for (const none of ["#define A", "#1 is fixed"]) assert.isFalse(isHeading(none))
  })

  it.each(pairs`
    ## **Done** :: Done ¦ - *All* tests __pass__ :: All tests pass ¦ 1. I’ve fixed it :: I've fixed it
    snake_case_name stays :: snake_case_name stays ¦ 2 * 3 * 4 :: 2 * 3 * 4 ¦ \  indented \  :: indented
  `)("%j is plainly %j", (line, words) => {
    assert.strictEqual(plain(line), words)
  })

  it("make paragraphs between blank ones", () => {
    assert.deepStrictEqual(paragraphs(["", "a", "b", " ", "", "c"]), [["a", "b"], ["c"]])
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
  assert.deepStrictEqual(sentences(line), parts)
  assert.deepStrictEqual(sentences(""), [])
})
