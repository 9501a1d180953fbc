import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { needleFinder } from "../../src/ground/text/Needles.ts"

const word = fc.string({ unit: fc.constantFrom("a", "b", ".", "A"), minLength: 1, maxLength: 3 })
const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "A", "\n"), maxLength: 40 })

const present = (words: ReadonlyArray<string>, one: string): ReadonlyArray<string> => [
  ...new Set(words.filter((needle) => one.includes(needle)))
]

describe("the finder of words", () => {
  it("finds in each text the words that occur in it, in the first one and after many", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(text, { minLength: 1, maxLength: 6 }), (words, texts) => {
        const find = needleFinder(() => words)
        for (const one of texts) assert.sameMembers([...find(one)], [...present(words, one)])
        find("b".repeat(100_000))
        for (const one of texts) assert.sameMembers([...find(one)], [...present(words, one)])
      })
    )
  })
})
