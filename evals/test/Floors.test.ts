import { assert, describe, it } from "@effect/vitest"
import * as Floors from "../src/report/Floors.ts"
import * as Recorded from "../src/report/Recorded.ts"

const floors = Floors.load()
const recorded = Recorded.load()

/** What the suites were asked to have from the beginning. */
const asked = { cases: 60, stuck: 40, compaction: 30, score: 20, retry: 10 }

const recordedCases = {
  cases: recorded.cases.cases,
  stuck: recorded.watch.stuck?.cases,
  compaction: recorded.watch.compaction?.cases,
  score: recorded.score?.cases.cases,
  retry: recorded.retry?.cases.cases,
  ...Object.fromEntries(Object.entries(recorded.stops).map(([suite, { judge }]) => [suite, judge.stops]))
}

describe("the floors", () => {
  it("allow no other number of pushes than the record has", () => {
    for (const [suite, { atUtmost, judge }] of Object.entries(recorded.stops)) {
      assert.strictEqual(floors.stops[suite]?.maxFalsePushes, judge.falsePushes, suite)
      assert.strictEqual(floors.stops[suite]?.minFoundPushes, judge.foundPushes, suite)
      assert.strictEqual(floors.stops[suite]?.minAtUtmost, atUtmost, suite)
      assert.isBelow((judge.kindAgreement ?? 0) - (floors.stops[suite]?.minKindAgreement ?? 0), 0.01, suite)
    }
    const { maxFalseIfAsked, maxFalsePushes, minDecided } = floors.models
    const models = recorded.models ?? []
    const most = (of: (summary: (typeof models)[number]) => number): number =>
      Math.max(...models.map((summary) => of(summary) / summary.labelledNoPush))
    const [pushes, ifAsked] = [most(({ falsePushes }) => falsePushes), most(({ falseIfAsked }) => falseIfAsked)]
    assert.isTrue(maxFalsePushes >= pushes && maxFalsePushes - pushes < 0.02)
    assert.isTrue(maxFalseIfAsked >= ifAsked && maxFalseIfAsked - ifAsked < 0.05)
    const decided = Math.min(...models.map(({ decided, stops }) => decided / stops))
    assert.isTrue(minDecided <= decided && decided - minDecided < 0.02)
  })

  it("count the cases of every suite as they are recorded, which are as many as were asked for", () => {
    assert.deepStrictEqual<unknown>(floors.minCases, recordedCases)
    for (const [suite, least] of Object.entries(asked)) assert.isAtLeast(floors.minCases[suite] ?? 0, least, suite)
  })

  it("are not met by a suite that loses cases", () => {
    const { stuck = 0 } = floors.minCases
    assert.deepStrictEqual(Floors.lostCases("stuck", stuck), [])
    assert.deepStrictEqual(Floors.lostCases("stuck", stuck + 1), [])
    assert.deepStrictEqual(Floors.lostCases("stuck", stuck - 1), [
      `stuck: ${stuck - 1} cases, at least ${stuck} needed`
    ])
    assert.match(Floors.lostCases("other", 100).join(), /^other has no floor/u)
  })

  it("are not met by stops of which one is a false push", () => {
    const [summary] = Object.values(recorded.stops)
    if (summary === undefined) assert.fail("no stops are recorded")
    assert.deepStrictEqual(Floors.stopFailures(floors, "claude-code", summary), [])
    const worse = { ...summary, judge: { ...summary.judge, falsePushes: 1 } }
    assert.deepStrictEqual(Floors.stopFailures(floors, "claude-code", worse), [
      "claude-code: 1 false pushes, at most 0 allowed"
    ])
    const blind = { ...summary, atUtmost: summary.atUtmost - 1 }
    assert.deepStrictEqual(Floors.stopFailures(floors, "claude-code", blind), [
      `claude-code: ${blind.atUtmost} pushes found by rules at their utmost, at least ${summary.atUtmost} needed`
    ])
  })
})
