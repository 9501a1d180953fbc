import { assert, describe, it } from "@effect/vitest"
import { Status } from "@reflexion/core/Verdict"
import * as ExitCode from "../src/ExitCode.ts"
import { done, failing } from "./verdicts.ts"

describe("ExitCode", () => {
  it.each(Status.literals)("of a verdict that is %s", (status) => {
    const expected = status === "complete" ? 0 : status === "abstained" ? 3 : 1
    const verdict = status === "complete" ? done : { ...failing, status }
    assert.strictEqual(ExitCode.ofVerdict(verdict), expected)
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
