import { assert, describe, it } from "@effect/vitest"
import * as Lexical from "../../src/learn/memory/lexicalIndex.ts"

/** The same numbers in every run. */
const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const documents = 4000

/** Words of which the first stand in most texts and the last in few: lists of all lengths. */
const text = (next: () => number, count: number): string =>
  Array.from({ length: count }, () => `word${Math.floor(400 ** next())}`).join(" ")

const filled = (next: () => number): Lexical.LexicalIndex => {
  const index = Lexical.make()
  for (let document = 0; document < documents; document += 1)
    Lexical.add(index, text(next, 5 + Math.floor(next() * 30)))
  return index
}

describe("the index of words", () => {
  it("finds the same best whether it may look through everything or not", () => {
    const next = numbers(3)
    const index = filled(next)
    const factors = Array.from({ length: documents }, () => 0.4 + next() * 0.8)
    const accepted = Array.from({ length: documents }, () => next() < 0.8)
    for (let query = 0; query < 15; query += 1) {
      const words = text(next, 3 + Math.floor(next() * 12))
      const options = {
        accepts: (document: number) => accepted[document] === true,
        factor: (document: number) => factors[document] ?? 0,
        maxFactor: 1.2
      }
      const all = Lexical.search(index, words, { ...options, limit: documents })
      const found = Lexical.search(index, words, { ...options, limit: 7 })
      assert.deepStrictEqual(
        found.map(({ document }) => document),
        all.slice(0, 7).map(({ document }) => document),
        words
      )
      assert.isTrue(all.every(({ document, similarity }) => accepted[document] === true && similarity <= 1 + 1e-9))
    }
  })

  it("weighs as BM25 does", () => {
    const index = Lexical.make()
    const texts = ["cart cart total", "cart order", "order total price list", "", "nothing"]
    for (const one of texts) Lexical.add(index, one)
    const options = { limit: 5, accepts: () => true, factor: () => 1, maxFactor: 1 }
    const [first, ...rest] = Lexical.search(index, "cart", options)
    const idf = Math.log(1 + (5 - 2 + 0.5) / (2 + 0.5))
    const norm = 1.2 * (1 - 0.75 + (0.75 * 3) / (10 / 5))
    assert.strictEqual(first?.document, 0)
    assert.closeTo(first?.score ?? 0, (idf * 2 * 2.2) / (2 + norm) / (idf * 2.2), 1e-9)
    assert.deepStrictEqual(
      rest.map(({ document }) => document),
      [1]
    )
  })

  it("prefers the newer of equals, and keeps up as texts come", () => {
    const index = Lexical.make()
    for (const one of ["cart total", "cart total"]) Lexical.add(index, one)
    const options = { limit: 2, accepts: () => true, factor: () => 1, maxFactor: 1 }
    const order = () => Lexical.search(index, "cart", options).map(({ document }) => document)
    assert.deepStrictEqual(order(), [1, 0])
    Lexical.add(index, "cart total")
    assert.deepStrictEqual(order(), [2, 1])
  })
})
