import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as CheckResult from "../../src/checks/CheckResult.ts"
import * as DueChecks from "../../src/checks/DueChecks.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"
import { checkResult } from "../support/checkResult.ts"

const check: CheckResult.Check = { name: "tests", command: "npm test" }

const green = checkResult({ result: "passed", exitCode: 0, failing: [], detail: "4 passed" })

const judge = (events: ReadonlyArray<TranscriptEvent>, results: ReadonlyArray<CheckResult.CheckResult> = []) => {
  const session = transcript(events)
  const { state } = Judgment.replay(session, Judgment.defaultContext)
  const options = { session, context: Judgment.defaultContext, now: null }
  return { state, options, verdict: CheckResult.review(state, results, options).verdict }
}

const asked = user("Fix the bug in the cart. All tests must pass.")
const claims = agent("I fixed the bug in the cart. All tests pass now.")
const unchecked = [asked, edit("/repo/src/cart.ts"), claims]
const stale = [asked, run("npm test", 0, "Tests:  4 passed, 4 total"), edit("/repo/src/cart.ts"), claims]
const checked = [asked, edit("/repo/src/cart.ts"), run("npm test", 0, "Tests:  4 passed, 4 total"), claims]
const red = [asked, edit("/repo/src/cart.ts"), run("npm test", 1, "Tests:  1 failed, 4 total"), claims]
const masked = [asked, edit("/repo/src/cart.ts"), run("npm test | tail -3", 0, "ok"), claims]

const due = (events: ReadonlyArray<TranscriptEvent>, checks = [check]) =>
  DueChecks.required(judge(events).verdict, checks)

describe("due", () => {
  it("is what is required and not known on the files as they are", () => {
    assert.deepStrictEqual(due(unchecked), ["tests"])
    assert.deepStrictEqual(due(stale), ["tests"])
    assert.deepStrictEqual(due(masked), ["tests"])
  })

  it("is nothing that ran, was not asked for or has no check", () => {
    assert.deepStrictEqual(due(checked), [])
    assert.deepStrictEqual(due(red), [])
    assert.deepStrictEqual(due(unchecked, [{ ...check, name: "lint" }]), [])
    assert.deepStrictEqual(due([user("What does the cart do?"), agent("It holds items.")]), [])
  })
})

describe("the verdict", () => {
  it("tells an agent that claims success the failing test's name, and who ran it", () => {
    for (const events of [unchecked, stale, masked]) {
      const { verdict } = judge(events, [checkResult()])
      assert.strictEqual(verdict.status, "incomplete")
      assert.strictEqual(verdict.source, "verification")
      assert.strictEqual(verdict.severity, "HIGH")
      assert.isTrue(verdict.shouldContinue)
      assert.include(verdict.feedback, "cart › empties")
      assert.include(verdict.feedback, "run by reflexion")
      assert.include(verdict.nextActions.join(), "cart › empties")
    }
  })

  it("tells how many failed, also where not all are named, and names a file that failed as a whole once", () => {
    const failing = Array.from({ length: 149 }, (_, at) => ({ name: `case ${at}`, file: null, line: null }))
    const many = checkResult({ failing, detail: "2 passed, 800 failed" })
    assert.include(judge(unchecked, [many]).verdict.feedback, '800 failing tests: "case 0"')
    const file = "test/b.test.js"
    const whole = checkResult({ failing: [{ name: file, file, line: 1 }], detail: "1 failed" })
    assert.include(judge(unchecked, [whole]).verdict.feedback, "1 failing test: test/b.test.js:1 (")
    const unloaded = { ...whole, telling: ["SyntaxError: Unexpected token '}'"] }
    assert.include(judge(unchecked, [unloaded]).verdict.feedback, "test/b.test.js could not be loaded (")
  })

  it("is as it was where what checks run has changed, and the user is told of all of them", () => {
    const changed = checkResult({ result: "unavailable", at: null, changed: true })
    const told = CheckResult.unrun([changed, { ...changed, command: "make lint" }])
    assert.include(told, "`make lint` were not run: what they run has changed since you agreed.")
    assert.include(CheckResult.unrun([changed]), "` was not run: what it runs has changed since you agreed.")
  })

  it("is complete where what was missing passes", () => {
    for (const events of [unchecked, stale, masked]) {
      const { verdict } = judge(events, [green])
      assert.strictEqual(verdict.status, "complete")
      assert.strictEqual(verdict.source, "verification")
      assert.isNull(verdict.feedback)
      assert.deepStrictEqual(verdict.missing, [])
      assert.deepStrictEqual(
        verdict.gates.filter(({ required }) => required).map(({ detail, result }) => [result, detail]),
        [["passed", "4 passed"]]
      )
    }
  })

  it("is as it was where a check says nothing, or only a part of them passed", () => {
    const before = judge(unchecked).verdict
    assert.strictEqual(before.source, "evidence")
    for (const silent of ["timed_out", "unavailable"] as const) {
      assert.deepStrictEqual(judge(unchecked, [checkResult({ result: silent })]).verdict, before)
      assert.deepStrictEqual(judge(unchecked, [green, checkResult({ result: silent })]).verdict, before)
    }
    assert.strictEqual(judge(unchecked, [green, checkResult(), green]).verdict.status, "incomplete")
  })

  it("is never complete over a check that failed", () => {
    const events = fc.array(
      fc.constantFrom<TranscriptEvent>(
        edit("/repo/src/cart.ts"),
        run("npm test", 0, "Tests:  4 passed, 4 total"),
        run("npm test", 1, "Tests:  1 failed, 4 total"),
        run("npm test | tail -3", 0, "ok"),
        run("git status", 0),
        claims
      ),
      { maxLength: 8 }
    )
    fc.assert(
      fc.property(events, (between) => {
        const { verdict } = judge([asked, ...between, claims], [checkResult()])
        assert.notStrictEqual(verdict.status, "complete")
      })
    )
  })
})

describe("a line for a person", () => {
  it("says what came of the check", () => {
    assert.strictEqual(
      CheckResult.describe(checkResult({ durationMs: 2100 })),
      "`npm test` failed: 1 failed, 3 passed (cart › empties) (2.1 s)"
    )
    const late = checkResult({ result: "timed_out", detail: "not finished after 300 s", cached: true })
    assert.strictEqual(
      CheckResult.describe(late),
      "`npm test` gave no result: not finished after 300 s (known from an earlier run on the same files)"
    )
    const never = checkResult({ result: "unavailable", detail: "another check of this workspace is running", at: null })
    assert.strictEqual(
      CheckResult.describe(never),
      "`npm test` gave no result: another check of this workspace is running"
    )
  })
})

describe("a review", () => {
  it("has the mark of what the agent did: another look at the same failure moves nothing", () => {
    const { options, state } = judge(unchecked)
    const first = CheckResult.review(state, [checkResult()], options)
    assert.isTrue(first.wouldContinue)
    assert.strictEqual(first.mark, Judgment.mark(state, options.context))
    const looked = judge([...unchecked, run("git status", 0), claims])
    assert.strictEqual(CheckResult.review(looked.state, [checkResult()], looked.options).mark, first.mark)
    const edited = judge([...unchecked, edit("/repo/src/cart.ts"), claims])
    assert.notStrictEqual(CheckResult.review(edited.state, [checkResult()], edited.options).mark, first.mark)
  })
})
