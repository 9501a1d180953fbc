import { assert, describe, it } from "@effect/vitest"
import * as Floors from "../src/report/Floors.ts"

describe("the floors", () => {
  it("are not met by a suite that loses cases", () => {
    const { stuck = 0 } = Floors.load().minCases
    assert.isAbove(stuck, 0)
    assert.deepStrictEqual(Floors.lostCases("stuck", stuck), [])
    assert.deepStrictEqual(Floors.lostCases("stuck", stuck + 1), [])
    assert.deepStrictEqual(Floors.lostCases("stuck", stuck - 1), [
      `stuck: ${stuck - 1} cases, at least ${stuck} needed`
    ])
    assert.match(Floors.lostCases("other", 100).join(), /^other has no floor/u)
  })
})
