import { assert, describe, it } from "@effect/vitest"
import { Status } from "@reflexion/core/Verdict"
import * as ExitCode from "../src/process/ExitCode.ts"
import { done, failing } from "./verdicts.ts"

describe("ExitCode", () => {
  it.each(Status.literals)("of a verdict that is %s", (status) => {
    const expected = status === "complete" ? 0 : status === "abstained" ? 3 : 1
    const verdict = status === "complete" ? done : { ...failing, status }
    assert.strictEqual(ExitCode.ofVerdict(verdict), expected)
  })

  it("of an assessment is 1 for one that is stuck or in a loop", () => {
    const loop = { pattern: "action", period: 1, count: 3, calls: [], callIds: [] } as const
    assert.strictEqual(ExitCode.ofAssessment({ stuck: false, loops: [] }), 0)
    assert.strictEqual(ExitCode.ofAssessment({ stuck: true, loops: [] }), 1)
    assert.strictEqual(ExitCode.ofAssessment({ stuck: false, loops: [loop] }), 1)
  })

  it.each([
    [[], 0],
    [[0, 0], 0],
    [[0, 3], 3],
    [[3, 1, 0], 1],
    [[0, 1, 2, 3], 2]
  ] as const)("of several, %j, is %i", (codes, expected) => {
    assert.strictEqual(ExitCode.combine(codes), expected)
  })
})
