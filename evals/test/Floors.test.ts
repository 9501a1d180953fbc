import { assert, describe, it } from "@effect/vitest"
import * as ExactBound from "../src/measure/ExactBound.ts"
import { share, table } from "../src/measure/Table.ts"
import * as Floors from "../src/stops/Floors.ts"

describe("the floors", () => {
  it("name everything that is missing where nothing was judged", () => {
    const floors = Floors.load()
    const failures = Floors.failures(floors, {}, [])
    for (const name of Object.keys(floors.stops)) assert.include(failures.join("\n"), `${name}: 0 labelled stops`)
    assert.include(failures.join("\n"), "somebody there: 0 premature stops found")
    assert.include(failures.join("\n"), "model: 0 recorded answers")
  })
})

describe("the exact bounds", () => {
  it.each([
    [7, 7, 0.72],
    [6, 7, 0.55],
    [0, 10, 0]
  ])("of %i of %i are those of the tables", (hits, trials, low) => {
    assert.closeTo(ExactBound.lower(hits, trials), low, 0.005)
  })

  it("enclose the share", () => {
    assert.strictEqual(share(1, 4), "25 % (1–75)")
    assert.strictEqual(share(0, 0), "–")
    assert.closeTo(ExactBound.upper(0, 10), 0.206, 0.001)
  })
})

describe("a table", () => {
  it("has columns of the same width", () => {
    const rows = [
      ["", "found"],
      ["evidence", "2"]
    ]
    assert.strictEqual(table(rows), "          found\nevidence      2")
  })
})
