import { assert, describe, it } from "@effect/vitest"
import * as BeyondEvidence from "../../src/review/tiers/BeyondEvidence.ts"
import * as CheckResult from "../../src/checks/CheckResult.ts"
import * as DueChecks from "../../src/checks/DueChecks.ts"
import { gather } from "../../src/session/facts/Facts.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { type ActiveCheck, defaults, merge } from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import * as TakenChecks from "../../src/session/config/TakenChecks.ts"
import { transcript } from "../support/events.ts"
import { checkResult } from "../support/checkResult.ts"
import { session as events, table } from "../support/sessions.ts"
import * as Failures from "../../src/checks/failures.ts"

const check = (gate: string, command: string): ActiveCheck => ({ name: gate, command })

const tests = check("tests", "npm test")
const all = [tests, check("build", "npm run build"), check("typecheck", "npm run types"), check("lint", "npm run lint")]

const repo = RepoSignals.fromFiles({ "package.json": '{ "scripts": { "test": "vitest run" } }' })

interface Setting {
  readonly attended?: boolean
  readonly taken?: ReadonlyArray<ActiveCheck>
  readonly cwd?: string
}

const settings: Readonly<Record<string, Setting>> = {
  "": {},
  own: { taken: [check("contract", "sh contract.sh"), check("verify", "npm run verify")] },
  script: { taken: [check("tests", "sh check.sh")] },
  docs: { taken: [{ ...check("lint", "npx markdownlint ."), paths: ["docs/**", "*.md"] }] },
  claim: { taken: [{ ...tests, when: "claim" }] },
  ask: { taken: [{ ...tests, when: "ask" }] },
  far: { taken: [tests], cwd: "/tmp/shop" }
}

const words = {
  task: "> Fix the rounding in the total of the cart.",
  source: "edit /repo/src/cart.ts",
  claim: "The rounding is fixed and all tests pass.",
  plain: "The rounding is fixed.",
  ran: "$ npm test => Tests:  4 passed, 4 total",
  red: "$1 npm test => Tests:  1 failed, 4 total",
  asked: "> Fix the bug in the cart. All tests must pass.",
  masked: "$ npm test | tail -3 => ok",
  claims: "I fixed the bug in the cart. All tests pass now."
}

const options = (line: string, { attended = false, cwd = "/repo", taken = all }: Setting = {}) => {
  const checks = taken.map((one) => ({ ...one, print: "0" }))
  const config = TakenChecks.over(merge(defaults, { attended, checks: [] }), { root: cwd, checks })
  const session = transcript(events(line, words))
  const context = { config, repo, cwd }
  const { state } = Judgment.replay(session, context)
  return { state, given: { session, context, now: null } }
}

const due = (line: string, setting?: Setting) => {
  const { given, state } = options(line, setting)
  return BeyondEvidence.dueAt(state, Judgment.verdict(state, given), given).gates.join(" ")
}

const every = "tests build typecheck lint"

/** A session, the checks that run at its end (whether or not somebody is there), and the checks that exist. */
const rows = String.raw`
  task / source / claim :: all
  task / source / plain :: all
  task / ran / source / plain :: all
  task / source / red / plain :: all
  task / source / ran / plain :: build typecheck lint
  task / source / $ npx vitest run cart => Tests  2 passed (2) / plain :: all
  task / source / $ npm test | tail -3 => Tests:  4 passed, 4 total / plain :: all
  task / edit /repo/tsconfig.json / plain :: all
  task / edit /repo/README.md / The README is updated. ::
  > What does the cart do? / It holds items. ::
  task / source / $running npm run build ::
  > Fix the rounding, but do not run the tests. / source / claim :: build typecheck lint
  > Fix the rounding, I'll run the tests myself. / source / claim :: build typecheck lint
  > Fix it, but never run \`sh contract.sh\` here. / source / plain :: verify :: own
  > Fix it. Führe sh contract.sh nicht aus. / source / plain :: verify :: own
  > Fix it. Please do not run verify, the database is in use. / source / plain :: contract :: own
  > Fix it, but don't run anything. / source / plain :: :: own
  > Fix it. Do not execute any commands please. / source / plain :: :: own
  > Fix it. Don't run npm install. / source / plain :: contract verify :: own
  > Fix it. I don't know why sh contract.sh fails. / source / plain :: contract verify :: own
  > Look at it. Never run sh contract.sh. / It adds. / > Fix it. / source / plain :: verify :: own
  // The agent's own run of the very command proves it, whole and with its exit status.
  task / source / $ sh check.sh / plain :: :: script
  task / source / $ cd /repo && sh check.sh / plain :: :: script
  task / source / $ sh check.sh | tail -3 / plain :: tests :: script
  task / source / $ sh check.sh || true / plain :: tests :: script
  task / source / $ sh check.sh --quick / plain :: tests :: script
  task / source / $ sh other.sh / plain :: tests :: script
  task / $ sh check.sh / source / plain :: tests :: script
  task / source / $1 sh check.sh / plain :: tests :: script
  // Behind a green run for what the task changed of the tests.
  task / source / edit /repo/test/cart.test.ts / ran / plain :: all
  task / source / edit /repo/test/cart.test.ts / ran / plain :: :: claim
  task / edit /tmp/shop/src/cart.ts / edit /tmp/shop/test/cart.test.ts / ran / plain :: tests :: far
  // For the files of a check's own paths.
  task / edit /repo/docs/use.md / plain :: lint :: docs
  task / source / plain :: :: docs
  // At a claim, an order or the user's own word alone.
  task / source / plain :: :: claim
  task / source / claim :: tests :: claim
  > Fix the rounding. All tests must pass. / source / plain :: tests :: claim
  > Fix the rounding. All tests must pass. / source / claim :: :: ask
`

/** The checks that run where the working copy shows that these files changed. */
const shown = (line: string, changed: ReadonlyArray<string> | null, one: ActiveCheck = tests) => {
  const { given, state } = options(line, { taken: [one] })
  const facts = gather(state, given)
  const verdict = Judgment.verdict(state, given)
  const isRun = !DueChecks.isUnsure(facts, verdict, one) || DueChecks.isShown(facts, one, changed)
  return isRun ? DueChecks.due(facts, verdict, [one]).join() : ""
}

describe("checks at a stop", () => {
  it.each(table(rows))("after %s, these checks are due: %s", (line = "", expected = "", setting = "") => {
    for (const attended of [true, false])
      assert.strictEqual(due(line, { ...settings[setting], attended }), expected === "all" ? every : expected)
  })

  it("a command that may have changed files: checks are due if the working copy changed", () => {
    const vague = "> Bring the cart up to date."
    for (const command of ["git merge other", "git checkout other -- src/cart.ts", "npm run gen", "chmod -x a"]) {
      const line = `${vague} / $ ${command} / plain`
      assert.strictEqual(shown(line, ["/repo/src/cart.ts"]), "tests", command)
      assert.strictEqual(shown(line, ["/repo/docs/use.md"]), "", command)
      assert.strictEqual(shown(line, ["/repo/src/cart.ts"], { ...tests, paths: ["web/**"] }), "", command)
    }
    assert.strictEqual(shown(`${vague} / $ node fix.cjs / plain`, null), "")
    assert.strictEqual(shown("task / $ node fix.cjs / plain", null), "tests")
    for (const command of ["git status", "cat src/cart.ts", "git log --oneline"])
      assert.strictEqual(shown(`task / $ ${command} / plain`, ["/repo/src/cart.ts"]), "", command)
  })
})

const after = (line: string, results: ReadonlyArray<CheckResult.CheckResult>, attended = false) => {
  const { given, state } = options(line, { attended })
  return CheckResult.review(state, results, given)
}

describe("a check that was run at a stop", () => {
  it.each(["claim", "plain"])("a red check nudges the agent, with the failing test and who ran it: %s", (last) => {
    const { feedback, shouldContinue, status } = after(`task / source / ${last}`, [checkResult()]).verdict
    assert.deepStrictEqual([status, shouldContinue], ["incomplete", true])
    for (const part of ["cart › empties", "run by reflexion after you stopped"]) assert.include(feedback, part)
    if (last === "plain") assert.include(feedback, "If it failed before, leave it, say so")
  })

  it("failures proven before the first edit cause no nudge; the agent's word proves nothing", () => {
    const line = "task / $1 npx vitest run =>  FAIL  src/cart.test.ts > cart > empties\\n Tests  1 failed (1)"
    const { state } = options(`${line} / source / plain`)
    const failing = state.evidence.runs[0]?.failing ?? []
    assert.isAbove(failing.length, 0)
    const { verdict } = after(`${line} / source / plain`, [checkResult({ failing })])
    assert.isFalse(verdict.shouldContinue, verdict.feedback ?? "")
    assert.notStrictEqual(verdict.status, "complete")
    const said = "task / source / The rounding is fixed. One test fails; it failed before my change as well."
    assert.isTrue(after(said, [checkResult()]).verdict.shouldContinue)
  })

  const weakened = ["checks/weakened"]

  it.each<readonly [string, boolean, boolean, ReadonlyArray<string>]>([
    ["Fix the rounding in the total of the cart.", false, true, weakened],
    ["Fix the rounding in the total of the cart.", true, false, weakened],
    ["Add the tax to the total of the cart.", false, false, []],
    ["Fix the stale tests of the cart.", false, false, []]
  ])("green tests whose versions from before the task fail: %s, attended %s", (order, attended, isSent, expected) => {
    const found = checkResult({ result: "passed", exitCode: 0, at: null, broken: checkResult().failing, failing: [] })
    const line = `> ${order} / source / edit /repo/test/cart.test.ts / ran / plain`
    const { failures, verdict } = after(line, [found], attended)
    assert.strictEqual(failures !== undefined, isSent, "what the agent is sent on for is known again")
    assert.deepStrictEqual([verdict.shouldContinue, verdict.complete], [isSent, expected.length === 0])
    const rules = verdict.findings.map(({ rule }) => rule)
    assert.deepStrictEqual(rules, expected)
  })
})

it("TakenChecks are read back unchanged, only for their own project, never from a damaged file", () => {
  const checks = [{ ...tests, print: "0" }]
  const taken = { version: 1 as const, root: "/repo", at: "2026-01-01T00:00:00.000Z", checks }
  const text = TakenChecks.render(taken)
  assert.deepStrictEqual(TakenChecks.parse(text, "/repo"), taken)
  assert.isNull(TakenChecks.parse(text, "/other"))
  const twice = JSON.stringify({ ...taken, checks: [...checks, ...checks] })
  const unbound = JSON.stringify({ ...taken, checks: [tests] })
  const cut = text.slice(0, -20)
  for (const bad of ["", "{", cut, text.replace("npm test", " "), twice, unbound, text.replace('"tests"', "7")])
    assert.isNull(TakenChecks.parse(bad, "/repo"), bad)
})

type Failing = readonly [name: string, file: string, line?: number]

const ran = (printed: string, ...failing: ReadonlyArray<Failing>): Failures.CheckRun => ({
  ...checkResult({ failing: failing.map(([name, file, line = 1]) => ({ name, file, line })) }),
  printed
})

const passed: Failures.CheckRun = { ...checkResult({ result: "passed", exitCode: 0, failing: [] }), printed: "" }

const told = ({ before, failing, result }: Failures.CheckRun) =>
  `${result} ${before} ${failing.map(({ name }) => name).join()}`

const line = (at: number) => `src/a.ts(${at},14): error TS2322: No.\n`
const one = ran(line(1), ["TS2322: No.", "src/a.ts", 1])
const two = ran(line(1) + line(3), ["TS2322: No.", "src/a.ts", 1], ["TS2322: No.", "src/a.ts", 3])

const old = (word: string, folder: string) =>
  ran(`not ok 1 - old\n  error: '${word}'\n`, ["old", `${folder}/p.test.js`])

it.each<readonly [string, Failures.CheckRun, Failures.CheckRun, string]>([
  ["is old where its file was moved", old("x", "src"), old("x", "test"), "failed_before failed "],
  ["is new where another of that name fails", old("y", "src"), old("x", "test"), "failed failed old"],
  ["hides no second one with the same words in the same file", two, one, "failed failed TS2322: No.,TS2322: No."],
  ["is old with the same words in the same file", one, one, "failed_before failed "],
  ["is old where one of two is left", one, two, "failed_before failed "]
])("a failure compared with those before the task %s", (_, now, before, expected) =>
  assert.strictEqual(told(Failures.since(now, before)), expected)
)

const both = { ...ran("a\nb\n", ["a", "a.test.js"], ["b", "b.test.js"]), before: "passed" } as const
const unnamed = { ...ran("error: no such file\n"), before: "passed" } as const
const none = { ...unnamed, tests: 0 }

it.each<readonly [string, Failures.CheckRun, Failures.CheckRun | null, string]>([
  ["fails at it too", both, ran("", ["a", "a.test.js"]), "failed passed a"],
  ["prints the same without a name", unnamed, ran("error: no such file\n"), "failed passed "],
  ["has as few tests", none, { ...passed, tests: 0 }, "failed passed "],
  ["does not exist", both, null, "failed unknown a,b"],
  ["passes", both, passed, "failed unknown a,b"],
  ["can't load the file", both, ran("", ["a.test.js", "a.test.js"]), "failed unknown a,b"],
  ["prints something else without a name", unnamed, ran("error: something else\n"), "failed unknown "],
  ["has tests", none, { ...passed, tests: 3 }, "failed unknown "]
])("a new failure, if the check in a work tree of the current files %s", (_, found, control, expected) =>
  assert.strictEqual(told(Failures.controlled(found, control)), expected)
)

const green = checkResult({ result: "passed", exitCode: 0, failing: [], detail: "4 passed" })

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
])("a required check is due if its result is unknown: %s, %s: %s", (line, name, expected) => {
  assert.strictEqual(DueChecks.required(judge(line), [{ name }]).join(), expected)
})

describe("the verdict after checks", () => {
  it.each(open)("a red check gives the failing test and who ran it, a green one `complete`: %s", (line) => {
    const { feedback, nextActions, ...red } = judge(line, [checkResult()])
    assert.deepInclude(red, { status: "incomplete", source: "verification", severity: "HIGH", shouldContinue: true })
    for (const part of ["cart › empties", "run by reflexion"]) assert.include(feedback, part)
    assert.include(nextActions.join(), "cart › empties")
    const { gates, ...done } = judge(line, [green])
    assert.deepInclude(done, { status: "complete", source: "verification", feedback: null, missing: [] })
    const shown = gates.filter(({ required }) => required).map(({ detail, result }) => [result, detail])
    assert.deepStrictEqual(shown, [["passed", "4 passed"]])
  })

  it("the feedback counts all failures, named or not, and names a wholly failed file once", () => {
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

  it("checks without a result leave the verdict unchanged, even if others passed", () => {
    const before = judge(unchecked)
    assert.strictEqual(before.source, "evidence")
    for (const silent of ["timed_out", "unavailable"] as const)
      for (const results of [[], [green]])
        assert.deepStrictEqual(judge(unchecked, [...results, checkResult({ result: silent })]), before)
    assert.strictEqual(judge(unchecked, [green, checkResult(), green]).status, "incomplete")
  })
})

it("the user reads each check's result, and which checks did not run because scripts changed", () => {
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
