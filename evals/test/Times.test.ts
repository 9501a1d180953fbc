import { assert, describe, it } from "@effect/vitest"
import * as Times from "../src/measure/Times.ts"

describe("the time of a stop", () => {
  it("is that of its session by its stops, with the interval from resampling sessions", () => {
    Times.keep("test", { session: "a", stops: 4, ms: 8 })
    Times.keep("test", { session: "b", stops: 1, ms: 12 })
    const { test } = Times.results()
    assert.deepStrictEqual([test?.hits, test?.trials], [20, 5])
    const [low, high] = test?.interval ?? [0, 0]
    assert.deepStrictEqual([low, high], [2, 12])
  })

  it("is measured of what runs, whose result it gives", () => {
    assert.strictEqual(
      Times.measure(
        "measured",
        "a",
        () => "done",
        ({ length }) => length
      ),
      "done"
    )
    assert.strictEqual(Times.results()["measured"]?.trials, 4)
  })
})
