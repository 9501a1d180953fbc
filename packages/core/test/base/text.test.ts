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

const anyText = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.lorem({ maxCount: 20 }),
  fc.constantFrom("a. b! c?", "```\nx\n```\ny", "\n\n\n", "。？！")
)

describe("clip", () => {
  it.each([
    ["short", 10, "short"],
    ["exactly ten", 11, "exactly ten"],
    ["one two three", 8, "one two…"],
    ["one two three", 5, "one…"],
    ["ab", 1, "…"]
  ] as const)("%j to %i: %j", (text, limit, clipped) => {
    assert.strictEqual(clip(text, limit), clipped)
  })

  it("never exceeds its limit", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 80 }), (text, limit) => {
        assert.isAtMost(clip(text, limit).length, limit)
        assert.isAtMost(oneLine(text, limit).length, limit)
        assert.notInclude(oneLine(text, limit), "\n")
      })
    )
  })
})

describe("tail", () => {
  it("keeps the end, from a line's beginning where one is near", () => {
    assert.strictEqual(tail("first line\nsecond line", 15), "second line")
    assert.strictEqual(tail("x".repeat(500), 100), "x".repeat(100))
    assert.strictEqual(tail("whole", 100), "whole")
  })
})

describe("fences", () => {
  it("leaves fenced code out of the prose", () => {
    assert.deepStrictEqual(proseLines("a\n```ts\ncode\n```\nb\n~~~\ncode\n~~~"), ["a", "b"])
    assert.deepStrictEqual(proseLines("a\n  ```\n  code\n  ```\nb"), ["a", "b"])
  })

  it.each([
    ["```\ncode", true],
    ["```\ncode\n```", false],
    ["a `b` c", false],
    ["~~~\na\n~~~\n```", true]
  ] as const)("%j is open: %s", (text, open) => {
    assert.strictEqual(hasOpenFence(text), open)
  })
})

describe("lines", () => {
  it.each(["- a", "* a", "• a", "1. a", "2) a", "  - a", "**3.** a", "a) a", "Option A: a"])(
    "%j is an item",
    (line) => {
      assert.isTrue(isListItem(line))
    }
  )

  it.each(["a", "-a", "1.5 times", "**bold** a", "-- a", ""])("%j is none", (line) => {
    assert.isFalse(isListItem(line))
  })

  it("knows headings", () => {
    assert.isTrue(isHeading("## What changed"))
    assert.isFalse(isHeading("#define A"))
    assert.isFalse(isHeading("#1 is fixed"))
  })

  it.each([
    ["## **Done**", "Done"],
    ["- *All* tests __pass__", "All tests pass"],
    ["1. I’ve fixed it", "I've fixed it"],
    ["snake_case_name stays", "snake_case_name stays"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["  indented  ", "indented"]
  ])("%j is plainly %j", (line, words) => {
    assert.strictEqual(plain(line), words)
  })

  it("splits paragraphs at blank lines", () => {
    assert.deepStrictEqual(paragraphs(["", "a", "b", " ", "", "c"]), [["a", "b"], ["c"]])
  })
})

describe("sentences", () => {
  it.each([
    ["One. Two! Three?", ["One.", "Two!", "Three?"]],
    ["See src/a.ts and v1.2.3 now.", ["See src/a.ts and v1.2.3 now."]],
    ["Use a map, e.g. a Map. Done.", ["Use a map, e.g. a Map.", "Done."]],
    ["No. Use a map.", ["No.", "Use a map."]],
    ["It is no. 5 of six.", ["It is no. 5 of six."]],
    ['He said "stop." Then he left.', ['He said "stop."', "Then he left."]],
    ["Really?! Yes.", ["Really?!", "Yes."]],
    ["修正しました。テストも通りました！", ["修正しました。", "テストも通りました！"]],
    ["no end", ["no end"]],
    ["", []],
    ["...", ["..."]]
  ])("%j", (line, parts) => {
    assert.deepStrictEqual(sentences(line), parts)
  })
})
