import { assert, describe, it } from "@effect/vitest"
import * as ModelSample from "../src/model/ModelSample.ts"

const sessions = Array.from({ length: 300 }, (_, index) => `session-${index}`)

const stops = sessions.flatMap((session) => [0, 1, 2, 3, 4, 5].map((turn) => ({ session, turn, push: false })))

describe("the stops that models which answer by a rule are asked about", () => {
  it("are each that is one of a push, and of the others a share", () => {
    assert.isTrue(stops.every((stop) => ModelSample.isIn({ ...stop, push: true })))
    const part = stops.filter(ModelSample.isIn).length / stops.length
    assert.closeTo(part, 1 / ModelSample.share, 0.02)
    assert.isTrue(stops.every((stop) => ModelSample.isIn(stop) === ModelSample.isIn({ ...stop, push: false })))
  })

  it("are spread over sessions and turns", () => {
    const inside = stops.filter(ModelSample.isIn)
    for (const turn of [0, 1, 2, 3, 4, 5])
      assert.closeTo(inside.filter((stop) => stop.turn === turn).length / inside.length, 1 / 6, 0.06)
    assert.isAbove(new Set(inside.map(({ session }) => session)).size, 90)
    const other = { session: "session-0", turn: 0, push: null, stoppedAt: "2026-01-01T00:00:00Z" }
    assert.strictEqual(ModelSample.isIn(other), ModelSample.isIn({ ...other }))
  })
})
