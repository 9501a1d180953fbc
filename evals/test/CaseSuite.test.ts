import { assert, describe, it } from "@effect/vitest"
import { judge, judgeAll, summary } from "../src/case/CaseSuite.ts"
import * as Floors from "../src/report/Floors.ts"
import { suites } from "../src/case/Suites.ts"

const known = new Set(Floors.load().cases.known)

describe.each(Object.entries(suites))("%s", (suite, cases) => {
  it.each(cases.filter((self) => !known.has(self.id)))("$id", (self) => {
    assert.deepStrictEqual(judge(suite, self).differences, [], self.why)
  })
})

describe("the suites", () => {
  it("name every case once", () => {
    const ids = Object.values(suites).flatMap((cases) => cases.map((self) => self.id))
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it("know no miss that has been mended", () => {
    assert.deepStrictEqual(Floors.caseGains(Floors.load().cases.known, summary(judgeAll())), [])
  })
})
