import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { wordFinder, wordScanner } from "../../src/ground/text/WordScan.ts"

/** Whether it stands where no letter of ASCII stands before it. */
const beginsIn =
  (text: string) =>
  (word: string): boolean =>
    [...text].some((_, at) => text.startsWith(word, at) && !/\w/.test(text.charAt(at - 1)))

const letters = fc.constantFrom("a", "b", "A", "!", "é")
const exact = fc.string({ unit: letters, minLength: 2, maxLength: 5 })
const words = fc.array(exact, { maxLength: 5 })
const either = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 2, maxLength: 5 })
const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "B", "!", "é", "\n"), maxLength: 40 })

describe("the scanner of words", () => {
  it("sees whether a text has one of them, as it is written or in either case", () => {
    fc.assert(
      fc.property(words, words, fc.array(either, { maxLength: 5 }), text, (some, starts, others, one) => {
        const seen = wordScanner(() => ({ exact: some, begin: starts, either: others }))(one)
        assert.strictEqual(seen.exact, some.some((word) => one.includes(word)) || starts.some(beginsIn(one)))
        // What decides ends the search.
        if (seen.exact) return
        assert.strictEqual(
          seen.either,
          others.some((word) => one.toLowerCase().includes(word))
        )
        assert.strictEqual(seen.isBeyond, one.includes("é"))
      }),
      { numRuns: 200 }
    )
  })

  it("finds which of them a text has", () => {
    fc.assert(
      fc.property(words, words, fc.array(either, { maxLength: 5 }), text, (some, starts, others, one) => {
        const found = wordFinder(() => ({ exact: some, begin: starts, either: others }))(one)
        const there = [...some.filter((word) => one.includes(word)), ...starts.filter(beginsIn(one))]
        assert.deepStrictEqual([...found.exact].toSorted(), [...new Set(there)].toSorted())
        assert.strictEqual(
          found.either,
          others.some((word) => one.toLowerCase().includes(word))
        )
        assert.strictEqual(found.isBeyond, one.includes("é"))
      }),
      { numRuns: 200 }
    )
  })
})
