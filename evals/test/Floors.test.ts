import { assert, it } from "@effect/vitest"
import * as ExactBound from "../src/measure/ExactBound.ts"
import { share, table } from "../src/measure/Table.ts"
import * as Floors from "../src/stops/Floors.ts"

it("if nothing was judged, the floors name everything that is missing", () => {
  const floors = Floors.load()
  const failures = Floors.failures(floors, {}, []).join("\n")
  for (const name of Object.keys(floors.stops)) assert.include(failures, `${name}: 0 labelled stops`)
  for (const part of ["somebody there: 0 premature stops found", "model: 0 recorded answers"])
    assert.include(failures, part)
})

it("the exact bounds match the statistical tables and enclose the share", () => {
  for (const [hits, trials, low] of [
    [7, 7, 0.72],
    [6, 7, 0.55],
    [0, 10, 0]
  ] as const)
    assert.closeTo(ExactBound.lower(hits, trials), low, 0.005)
  assert.closeTo(ExactBound.upper(0, 10), 0.206, 0.001)
  assert.deepStrictEqual([share(1, 4), share(0, 0)], ["25 % (1–75)", "–"])
})

it("a table has columns of the same width", () => {
  assert.strictEqual(
    table([
      ["", "found"],
      ["evidence", "2"]
    ]),
    "          found\nevidence      2"
  )
})
