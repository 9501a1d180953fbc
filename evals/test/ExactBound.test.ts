import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ExactBound from "../src/measure/ExactBound.ts"

/** The chance of at least so many hits, by its sum. */
const atLeast = (hits: number, trials: number, rate: number): number => {
  let [term, sum] = [(1 - rate) ** trials, 0]
  for (let count = 0; count <= trials; count++) {
    if (count >= hits) sum += term
    term *= ((trials - count) / (count + 1)) * (rate / (1 - rate))
  }
  return sum
}

describe("the exact bound of a rate", () => {
  it("is that of the tables", () => {
    expect(ExactBound.lower(7, 7)).toBeCloseTo(0.7197, 3)
    expect(ExactBound.lower(11, 12)).toBeCloseTo(0.7125, 3)
    expect(ExactBound.lower(14, 16)).toBeCloseTo(0.7004, 3)
    expect(ExactBound.lower(6, 6)).toBeCloseTo(0.6813, 3)
    expect(ExactBound.upper(0, 3)).toBeCloseTo(0.5358, 3)
  })

  it("is that rate at which so many hits have one chance in ten", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), (trials, given) => {
        const hits = 1 + (given % trials)
        expect(atLeast(hits, trials, ExactBound.lower(hits, trials))).toBeCloseTo(0.1, 2)
      })
    )
  })

  it("says nothing where nothing is known", () => {
    expect(ExactBound.lower(0, 0)).toBe(0)
    expect(ExactBound.lower(0.5, 4)).toBe(0)
    expect(ExactBound.upper(0, 0)).toBe(1)
  })

  it("grows with a half", () => {
    const [one, half, two] = [4, 4.5, 5].map((hits) => ExactBound.lower(hits, 6))
    expect(half).toBeGreaterThan(one ?? 1)
    expect(half).toBeLessThan(two ?? 0)
  })
})
