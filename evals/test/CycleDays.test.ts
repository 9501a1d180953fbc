import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { play } from "../src/cycle/CycleDays.ts"
import { monthOf, noise } from "../src/cycle/CycleMonth.ts"
import { day, type Fleet } from "../src/cycle/Fleet.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

const fleet: Fleet = {
  ...monthOf(100),
  days: 4,
  faults: [
    { rule: "consecutive_failures", subjectId: "task-40", from: start + day, until: start + 4 * day },
    { rule: "timeout_pattern", subjectId: "task-55", from: start + day, until: start + 4 * day },
    { rule: "stale_task", subjectId: "task-81", from: start + day, until: start + 4 * day }
  ]
}

describe("four days of a fleet of 100 through the whole cycle", () => {
  it.effect(
    "has what breaks found and paused, again where it was resumed and still fails, and nothing else",
    () =>
      Effect.gen(function* () {
        const { astray, outcomes, paused, unfound } = yield* play(fleet)
        assert.deepStrictEqual(unfound, [])
        assert.deepStrictEqual(astray, [])
        assert.deepStrictEqual(paused, ["task-40", "task-40", "task-40"])
        assert.isBelow(outcomes, 100 * 34 * 4, "what is paused does not run")
      }),
    180_000
  )

  it.effect(
    "has what breaks found amid noise, and next to nothing on what is healthy",
    () =>
      Effect.gen(function* () {
        const { astray, outcomes, unfound } = yield* play({ ...fleet, noise })
        assert.deepStrictEqual(unfound, [])
        // Three of ten runs time out by chance, now and then.
        assert.isAtMost(astray.length, 1)
        assert.isAbove(outcomes, 13_000)
      }),
    180_000
  )
})
