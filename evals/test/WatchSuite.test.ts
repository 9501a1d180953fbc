import { assert, describe, it } from "@effect/vitest"
import { summary } from "../src/case/CaseSuite.ts"
import * as CompactionSuite from "../src/watch/CompactionSuite.ts"
import * as Floors from "../src/report/Floors.ts"
import * as ScoreSuite from "../src/score/ScoreSuite.ts"
import * as StuckSuite from "../src/watch/StuckSuite.ts"

const floors = Floors.load()

describe.each(Object.entries(StuckSuite.suites))("stuck: %s", (suite, cases) => {
  it.each(cases.filter(({ id }) => !floors.stuck.known.includes(id)))("$id", (self) => {
    assert.deepStrictEqual(StuckSuite.assess(suite, self).differences, [], self.why)
  })
})

describe.each(Object.entries(CompactionSuite.suites))("compaction: %s", (suite, cases) => {
  it.each(cases.filter(({ id }) => !floors.compaction.known.includes(id)))("$id", (self) => {
    assert.deepStrictEqual(CompactionSuite.assess(suite, self).differences, [], self.why)
  })
})

describe.each(Object.entries(ScoreSuite.suites))("score: %s", (suite, cases) => {
  it.each(cases.filter(({ id }) => !floors.score.known.includes(id)))("$id", (self) => {
    assert.deepStrictEqual(ScoreSuite.assess(suite, self).differences, [], self.why)
  })
})

describe("the suites", () => {
  it("name every case once", () => {
    const all = [StuckSuite.suites, CompactionSuite.suites, ScoreSuite.suites].flatMap((suites) =>
      Object.values(suites).flat()
    )
    assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
  })

  it("know no miss that has been mended", () => {
    assert.deepStrictEqual(Floors.caseGains(floors.stuck.known, summary(StuckSuite.assessAll())), [])
    assert.deepStrictEqual(Floors.caseGains(floors.compaction.known, summary(CompactionSuite.assessAll())), [])
    assert.deepStrictEqual(Floors.caseGains(floors.score.known, summary(ScoreSuite.assessAll())), [])
  })
})
