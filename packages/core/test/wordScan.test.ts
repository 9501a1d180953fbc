import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { wordScanner } from "../src/internal/wordScan.ts"

const letters = fc.constantFrom("a", "b", "A", "!", "é")
const exact = fc.string({ unit: letters, minLength: 2, maxLength: 5 })
const either = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 2, maxLength: 5 })
const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "B", "!", "é", "\n"), maxLength: 40 })

describe("the scanner of words", () => {
  it("sees whether a text has one of them, as it is written or in either case", () => {
    fc.assert(
      fc.property(fc.array(exact, { maxLength: 5 }), fc.array(either, { maxLength: 5 }), text, (some, others, one) => {
        const seen = wordScanner(() => ({ exact: some, either: others }))(one)
        assert.strictEqual(
          seen.exact,
          some.some((word) => one.includes(word))
        )
        // What decides ends the search.
        if (seen.exact) return
        assert.strictEqual(
          seen.either,
          others.some((word) => one.toLowerCase().includes(word))
        )
        assert.strictEqual(seen.isBeyond, one.includes("é"))
      }),
      { numRuns: 2000 }
    )
  })
})
