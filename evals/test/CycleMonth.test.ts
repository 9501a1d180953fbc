import { assert, describe, it } from "@effect/vitest"
import { byRule, monthOf, noise, simulate } from "../src/cycle/CycleMonth.ts"

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

  it("blames none of the files that only a task which breaks reads, nor one that is read at random", () => {
    assert.deepStrictEqual(month.byRule["skill_failure_correlation"], 1)
  })

  it("leaves no more behind after 30 days than after two", () => {
    const [, second] = month.sizes
    // 22 skills, 5 files of each of 100 tasks, and one of 200 that is read at random.
    const kept = { tasks: 200, runs: 2000, skills: 722 }
    assert.include(second, kept)
    for (const size of month.sizes.slice(1)) {
      assert.include(size, kept)
      assert.isAtMost(size.parts, (size.skills + 1) * 24)
    }
  })
})

it("finds every fault amid independent noise as well, and next to nothing on what is healthy", () => {
  const { astray, late, outcomes } = simulate({ ...monthOf(200), noise })
  assert.deepStrictEqual(late, [])
  assert.isAtMost(astray.length / outcomes, 2 / 100_000)
})

it("shows findings on what is healthy where the noise is loud, so that they can be seen", () => {
  const { astray } = simulate({ ...monthOf(200), days: 10, noise: { failed: 0.05, timeout: 0.05, short: 0.02 } })
  assert.isAbove(astray.length, 0)
  assert.notProperty(byRule(astray), "skill_failure_correlation")
})

it("misses a fault that no rule is for, so that the month can fail", () => {
  const whole = monthOf(100)
  const [fault = assert.fail("no fault")] = whole.faults
  const astray = { ...whole, days: 2, faults: [{ ...fault, rule: "stale_task" as const, subjectId: "nobody" }] }
  assert.lengthOf(simulate(astray).late, 1)
})
