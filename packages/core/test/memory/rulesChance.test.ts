import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { lnChance } from "../../src/memory/rules/chance.ts"

const choose = (n: number, k: number): bigint => {
  if (k < 0 || k > n) return 0n
  let result = 1n
  for (let at = 1; at <= k; at += 1) result = (result * BigInt(n - k + at)) / BigInt(at)
  return result
}

/** By counting all the ways in which the failures may fall. */
const counted = (attempts: number, failures: number, loaded: number, failed: number): number => {
  let ways = 0n
  for (let k = failed; k <= Math.min(failures, loaded); k += 1)
    ways += choose(failures, k) * choose(attempts - failures, loaded - k)
  return Number((ways * 10n ** 30n) / choose(attempts, loaded)) / 1e30
}

const table = fc
  .record({
    passed: fc.nat(150),
    elsewhere: fc.nat(60),
    failed: fc.integer({ min: 1, max: 12 }),
    share: fc.double({ min: 0, max: 1, noNaN: true })
  })
  .map(({ elsewhere, failed, passed, share }) => ({
    attempts: passed + elsewhere + failed,
    failures: elsewhere + failed,
    loaded: failed + Math.floor(passed * share),
    failed
  }))

describe("the chance that attempts with a thing fail as often as they did", () => {
  it("is Fisher's of the lady who tastes tea", () => {
    assert.closeTo(Math.exp(lnChance(8, 4, 4, 4)), 1 / 70, 1e-7)
    assert.closeTo(Math.exp(lnChance(8, 4, 4, 3)), 17 / 70, 1e-7)
  })

  it.prop("is what counting gives", [table], ([one]) => {
    const { attempts, failed, failures, loaded } = one
    // Below what is usual nobody asks, and the sum begins with what is small.
    fc.pre(failed * attempts >= failures * loaded)
    const exact = counted(attempts, failures, loaded, failed)
    fc.pre(exact > 1e-20)
    assert.closeTo(Math.exp(lnChance(attempts, failures, loaded, failed)) / exact, 1, 1e-5)
    assert.isAtMost(lnChance(attempts, failures, loaded), lnChance(attempts, failures, loaded, failed) + 1e-9)
  })

  it("is small, and known, of a million attempts", () => {
    const ln = lnChance(1_000_000, 20_000, 300, 60)
    assert.isBelow(ln, -90)
    assert.isAbove(ln, -150)
  })
})
