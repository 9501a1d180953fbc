import { assert, describe, it } from "@effect/vitest"
import * as CheckResult from "../../src/checks/CheckResult.ts"
import * as DueChecks from "../../src/checks/DueChecks.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { transcript } from "../support/events.ts"
import { checkResult } from "../support/checkResult.ts"
import { session as events } from "../support/sessions.ts"

const green = checkResult({ result: "passed", exitCode: 0, failing: [], detail: "4 passed" })

const words = {
  asked: "> Fix the bug in the cart. All tests must pass.",
  source: "edit /repo/src/cart.ts",
  ran: "$ npm test => Tests:  4 passed, 4 total",
  red: "$1 npm test => Tests:  1 failed, 4 total",
  masked: "$ npm test | tail -3 => ok",
  claims: "I fixed the bug in the cart. All tests pass now."
}

const judge = (line: string, results: ReadonlyArray<CheckResult.CheckResult> = []) => {
  const session = transcript(events(line, words))
  const { state } = Judgment.replay(session, Judgment.defaultContext)
  const options = { session, context: Judgment.defaultContext, now: null }
  return CheckResult.review(state, results, options).verdict
}

const unchecked = "asked / source / claims"

/** The user asked for the tests, and their result on the current files is not known. */
const open = [unchecked, "asked / ran / source / claims", "asked / source / masked / claims"]

it.each<readonly [string, string, string]>([
  ...open.map((line) => [line, "tests", "tests"] as const),
  ["asked / source / ran / claims", "tests", ""],
  ["asked / source / red / claims", "tests", ""],
  [unchecked, "lint", ""],
  ["> What does the cart do? / It holds items.", "tests", ""]
])("a required check is due where it is not known: %s, %s: %s", (line, name, expected) => {
  assert.strictEqual(DueChecks.required(judge(line), [{ name }]).join(), expected)
})

describe("the verdict", () => {
  it.each(open)("tells the failing test's name and who ran it, and is complete where it passes: %s", (line) => {
    const { feedback, nextActions, ...red } = judge(line, [checkResult()])
    assert.deepInclude(red, { status: "incomplete", source: "verification", severity: "HIGH", shouldContinue: true })
    for (const part of ["cart › empties", "run by reflexion"]) assert.include(feedback, part)
    assert.include(nextActions.join(), "cart › empties")
    const { gates, ...done } = judge(line, [green])
    assert.deepInclude(done, { status: "complete", source: "verification", feedback: null, missing: [] })
    assert.deepStrictEqual(
      gates.filter(({ required }) => required).map(({ detail, result }) => [result, detail]),
      [["passed", "4 passed"]]
    )
  })

  it("tells how many failed, also where not all are named, and names a file that failed as a whole once", () => {
    const failing = Array.from({ length: 149 }, (_, at) => ({ name: `case ${at}`, file: null, line: null }))
    const file = "test/b.test.js"
    const whole = checkResult({ failing: [{ name: file, file, line: 1 }], detail: "1 failed" })
    for (const [result, said] of [
      [checkResult({ failing, detail: "2 passed, 800 failed" }), '800 failing tests: "case 0"'],
      [whole, "1 failing test: test/b.test.js:1 ("],
      [{ ...whole, telling: ["SyntaxError: Unexpected token '}'"] }, "test/b.test.js could not be loaded ("]
    ] as const)
      assert.include(judge(unchecked, [result]).feedback, said)
  })

  it("is as it was where a check says nothing, or only a part of them passed", () => {
    const before = judge(unchecked)
    assert.strictEqual(before.source, "evidence")
    for (const silent of ["timed_out", "unavailable"] as const)
      for (const results of [[], [green]])
        assert.deepStrictEqual(judge(unchecked, [...results, checkResult({ result: silent })]), before)
    assert.strictEqual(judge(unchecked, [green, checkResult(), green]).status, "incomplete")
  })
})

it("a person is told what came of a check, and of all whose command has changed", () => {
  const late = checkResult({ result: "timed_out", detail: "not finished after 300 s", cached: true })
  const never = checkResult({ result: "unavailable", detail: "another check of this workspace is running", at: null })
  for (const [result, line] of [
    [checkResult({ durationMs: 2100 }), "failed: 1 failed, 3 passed (cart › empties) (2.1 s)"],
    [late, "gave no result: not finished after 300 s (result of an earlier run on the same files)"],
    [never, "gave no result: another check of this workspace is running"]
  ] as const)
    assert.strictEqual(CheckResult.describe(result), `\`npm test\` ${line}`)
  const changed = checkResult({ result: "unavailable", at: null, changed: true })
  const told = CheckResult.unrun([changed, { ...changed, command: "make lint" }])
  assert.include(told, "`make lint` were not run: the scripts behind them have changed since you agreed.")
  assert.include(CheckResult.unrun([changed]), "` was not run: the script behind it has changed since you agreed.")
})
