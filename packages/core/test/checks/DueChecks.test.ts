import { assert, describe, it } from "@effect/vitest"
import * as BeyondEvidence from "../../src/review/tiers/BeyondEvidence.ts"
import * as CheckResult from "../../src/checks/CheckResult.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { type ActiveCheck, defaults, merge } from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import * as TakenChecks from "../../src/session/config/TakenChecks.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"
import { checkResult } from "../support/checkResult.ts"

const check = (gate: string, command: string): ActiveCheck => ({ gate, command, timeout: 300 })

const tests = check("tests", "npm test")
const all = [tests, check("build", "npm run build"), check("typecheck", "npm run types"), check("lint", "npm run lint")]

const repo = RepoSignals.fromFiles({ "package.json": '{ "scripts": { "test": "vitest run" } }' })

interface Setting {
  readonly attended?: boolean
  readonly taken?: ReadonlyArray<ActiveCheck>
  readonly checks?: ReadonlyArray<ActiveCheck>
}

const options = (events: ReadonlyArray<TranscriptEvent>, setting: Setting = {}) => {
  const { attended = false, checks = [], taken = all } = setting
  const config = TakenChecks.over(merge(defaults, { attended, verify: { checks } }), { root: "/repo", checks: taken })
  const session = transcript(events)
  const context = { config, repo, cwd: "/repo" }
  const { state } = Judgment.replay(session, context)
  return { state, given: { session, context, now: null } }
}

const due = (events: ReadonlyArray<TranscriptEvent>, setting?: Setting) => {
  const { given, state } = options(events, setting)
  return BeyondEvidence.dueAt(state, Judgment.verdict(state, given), given).gates
}

const green = checkResult({ result: "passed", exitCode: 0, failing: [], detail: "4 passed" })

const after = (events: ReadonlyArray<TranscriptEvent>, results: ReadonlyArray<CheckResult.CheckResult>) => {
  const { given, state } = options(events)
  return CheckResult.review(state, results, given).verdict
}

const task = user("Fix the rounding in the total of the cart.")
const source = edit("/repo/src/cart.ts")
const claim = agent("The rounding is fixed and all tests pass.")
const plain = agent("The rounding is fixed.")

describe("checks that were taken", () => {
  it("are run where nobody is there and the agent claims their result", () => {
    assert.deepStrictEqual(due([task, source, claim]), ["tests"])
    assert.deepStrictEqual(
      due([task, source, agent("The rounding is fixed. The tests pass and the build succeeds.")]),
      ["tests", "build"]
    )
    assert.deepStrictEqual(due([task, source, agent("The rounding is fixed and the linter is clean.")]), ["lint"])
  })

  it("are run where nobody is there and they are owed: required, or code was changed and nothing run since", () => {
    const asked = user("Fix the rounding. All tests must pass.")
    assert.deepStrictEqual(due([asked, source, plain]), ["tests"])
    assert.deepStrictEqual(due([task, source, plain]), ["tests"])
    assert.deepStrictEqual(due([task, run("npm test", 0, "Tests:  4 passed, 4 total"), source, plain]), ["tests"])
    const without = { taken: all.filter(({ gate }) => gate !== "tests") }
    assert.deepStrictEqual(due([task, source, plain], without), ["typecheck"])
  })

  it("are run for nothing else", () => {
    const ran = run("npm test", 0, "Tests:  4 passed, 4 total")
    const red = run("npm test", 1, "Tests:  1 failed, 4 total")
    const silent: ReadonlyArray<ReadonlyArray<TranscriptEvent>> = [
      [task, source, ran, claim],
      [task, source, red, claim],
      [task, source, ran, plain],
      [task, source, run("node src/cart.js", 0, "3.14"), plain],
      [task, edit("/repo/README.md"), agent("The README is updated.")],
      [user("What does the cart do?"), agent("It holds items.")],
      [user("Fix the rounding, but do not run the tests."), source, claim],
      [user("Fix the rounding, I'll run the tests myself."), source, plain],
      [task, source, agent("The tests should pass now.")].slice(0, 1),
      [task, source, call("Bash", { command: "npm run build" }, { status: "running" })]
    ]
    for (const events of silent) assert.deepStrictEqual(due(events), [], JSON.stringify(events.at(-1)))
  })

  it("are never run by themselves while somebody is there", () => {
    const asked = user("Fix the rounding. All tests must pass.")
    for (const events of [
      [task, source, claim],
      [asked, source, claim],
      [task, source, plain]
    ])
      assert.deepStrictEqual(due(events, { attended: true }), [])
  })

  it("leave what is configured as it was while somebody is there, and have it run for claims as well where nobody is", () => {
    const asked = user("Fix the rounding. All tests must pass.")
    const configured = { checks: [tests], taken: [] }
    assert.deepStrictEqual(due([asked, source, claim], { ...configured, attended: true }), ["tests"])
    assert.deepStrictEqual(due([task, source, claim], { ...configured, attended: true }), [])
    assert.deepStrictEqual(due([task, source, claim], configured), ["tests"])
  })

  it("stand behind what is configured for the same gate", () => {
    const { given } = options([task], { checks: [check("tests", "make test")] })
    const found = given.context.config.verify.checks.filter(({ gate }) => gate === "tests")
    assert.deepStrictEqual(found, [check("tests", "make test")])
  })
})

describe("a check that was run because nobody is there", () => {
  it("decides: green is complete, by verification", () => {
    for (const last of [claim, plain]) {
      const verdict = after([task, source, last], [green])
      assert.strictEqual(verdict.status, "complete")
      assert.strictEqual(verdict.source, "verification")
    }
  })

  it("decides: red is pushed, with what fails and who ran it", () => {
    for (const last of [claim, plain]) {
      const verdict = after([task, source, last], [checkResult()])
      assert.strictEqual(verdict.status, "incomplete")
      assert.isTrue(verdict.shouldContinue, verdict.reason)
      assert.include(verdict.feedback, "cart › empties")
      assert.include(verdict.feedback, "run by reflexion after you stopped")
    }
    assert.include(after([task, source, plain], [checkResult()]).feedback, "if it failed before, leave it, say so")
  })

  it("pushes nobody for what was as red before the first edit, and takes no word for it", () => {
    const before = run("npx vitest run", 1, " FAIL  src/cart.test.ts > cart > empties\n Tests  1 failed | 3 passed (4)")
    const known = { gate: "tests", command: "npm test", failing: [{ name: "cart › empties", file: null, line: null }] }
    const { state } = options([task, before, source, plain])
    const failing = state.evidence.runs[0]?.failing ?? []
    const found = checkResult({ ...known, failing })
    assert.isAbove(failing.length, 0)
    const verdict = after([task, before, source, plain], [found])
    assert.isFalse(verdict.shouldContinue, verdict.feedback ?? "")
    assert.notStrictEqual(verdict.status, "complete")
    const said = agent("The rounding is fixed. One test fails; it failed before my change as well.")
    assert.isTrue(after([task, source, said], [checkResult()]).shouldContinue)
  })
})

describe("TakenChecks", () => {
  const taken = { version: 1 as const, root: "/repo", at: "2026-01-01T00:00:00.000Z", checks: [tests] }

  it("can be written and read again, for its own project alone", () => {
    assert.deepStrictEqual(TakenChecks.parse(TakenChecks.render(taken), "/repo"), taken)
    assert.isNull(TakenChecks.parse(TakenChecks.render(taken), "/other"))
  })

  it("is nothing where the file is damaged or says something else", () => {
    const text = TakenChecks.render(taken)
    const twice = JSON.stringify({ ...taken, checks: [tests, tests] })
    for (const bad of ["", "{", text.slice(0, -20), text.replace("npm test", " "), twice, text.replace('"tests"', "7")])
      assert.isNull(TakenChecks.parse(bad, "/repo"), bad)
  })
})
