import { assert, describe, it } from "@effect/vitest"
import { monthOf, simulate } from "../src/CycleMonth.ts"

describe("a month of a fleet of 200", () => {
  const month = simulate(monthOf(200))

  it("has every fault found within a day", () => {
    assert.strictEqual(month.outcomes, 204_000)
    assert.deepStrictEqual(month.late, [])
  })

  it("has nothing found on what is healthy", () => {
    assert.deepStrictEqual(
      month.astray.map(({ detail }) => detail),
      []
    )
  })

  it("leaves no more behind after 30 days than after two", () => {
    const [, second] = month.sizes
    assert.deepStrictEqual(second, { tasks: 200, runs: 2000, skills: 22, parts: 23 * 24 })
    for (const size of month.sizes.slice(1)) assert.deepStrictEqual(size, second)
  })
})

it("misses a fault that no rule is for, so that the month can fail", () => {
  const whole = monthOf(100)
  const [fault = assert.fail("no fault")] = whole.faults
  const astray = { ...whole, days: 2, faults: [{ ...fault, rule: "stale_task" as const, subjectId: "nobody" }] }
  assert.lengthOf(simulate(astray).late, 1)
})
