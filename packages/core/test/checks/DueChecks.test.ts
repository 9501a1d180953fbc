import { assert, describe, it } from "@effect/vitest"
import * as BeyondEvidence from "../../src/review/tiers/BeyondEvidence.ts"
import * as CheckResult from "../../src/checks/CheckResult.ts"
import * as DueChecks from "../../src/checks/DueChecks.ts"
import { gather } from "../../src/session/facts/Facts.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { type ActiveCheck, defaults, merge } from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import * as TakenChecks from "../../src/session/config/TakenChecks.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"
import { checkResult } from "../support/checkResult.ts"

const check = (gate: string, command: string): ActiveCheck => ({ name: gate, command })

const tests = check("tests", "npm test")
const all = [tests, check("build", "npm run build"), check("typecheck", "npm run types"), check("lint", "npm run lint")]

const repo = RepoSignals.fromFiles({ "package.json": '{ "scripts": { "test": "vitest run" } }' })

interface Setting {
  readonly attended?: boolean
  readonly taken?: ReadonlyArray<ActiveCheck>
  readonly checks?: ReadonlyArray<ActiveCheck>
  readonly cwd?: string
}

const options = (events: ReadonlyArray<TranscriptEvent>, setting: Setting = {}) => {
  const { attended = false, checks = [], cwd = "/repo", taken = all } = setting
  const config = TakenChecks.over(merge(defaults, { attended, checks }), {
    root: cwd,
    checks: taken.map((one) => ({ ...one, print: "0" }))
  })
  const session = transcript(events)
  const context = { config, repo, cwd }
  const { state } = Judgment.replay(session, context)
  return { state, given: { session, context, now: null } }
}

const due = (events: ReadonlyArray<TranscriptEvent>, setting?: Setting) => {
  const { given, state } = options(events, setting)
  return BeyondEvidence.dueAt(state, Judgment.verdict(state, given), given).gates
}

/** The checks that run where the working copy shows that these files changed. */
const shown = (events: ReadonlyArray<TranscriptEvent>, changed: ReadonlyArray<string> | null, taken = [tests]) => {
  const { given, state } = options(events, { taken })
  const facts = gather(state, given)
  const verdict = Judgment.verdict(state, given)
  const gates = DueChecks.due(facts, verdict, taken)
  const isRun = (one: ActiveCheck) => !DueChecks.isUnsure(facts, verdict, one) || DueChecks.isShown(facts, one, changed)
  return taken.filter((one) => gates.includes(one.name) && isRun(one)).map(({ name }) => name)
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

const of = (when: "claim" | "ask") => ({ taken: [{ ...tests, when }] })

describe("checks at a stop", () => {
  const every = ["tests", "build", "typecheck", "lint"]
  const ran = run("npm test", 0, "Tests:  4 passed, 4 total")

  it("are due where code was changed, with somebody there and with nobody, but for what passed since", () => {
    const red = run("npm test", 1, "Tests:  1 failed, 4 total")
    for (const attended of [true, false])
      for (const [expected, ...events] of [
        [every, task, source, claim],
        [every, task, source, plain],
        [every, task, ran, source, plain],
        [every, task, source, red, plain],
        [every.slice(1), task, source, ran, plain],
        [every, task, source, run("npx vitest run cart", 0, "Tests  2 passed (2)"), plain],
        [every, task, source, run("npm test | tail -3", 0, "Tests:  4 passed, 4 total"), plain],
        [every, task, edit("/repo/tsconfig.json"), plain]
      ] as const)
        assert.deepStrictEqual(due(events, { attended }), expected, JSON.stringify(events.at(-2)))
  })

  it("are not due where nothing was changed, nothing is finished or the user forbade it", () => {
    const silent: ReadonlyArray<ReadonlyArray<TranscriptEvent>> = [
      [task, edit("/repo/README.md"), agent("The README is updated.")],
      [user("What does the cart do?"), agent("It holds items.")],
      [task, source, call("Bash", { command: "npm run build" }, { status: "running" })]
    ]
    for (const events of silent) assert.deepStrictEqual(due(events), [], JSON.stringify(events.at(-1)))
    for (const words of ["Fix the rounding, but do not run the tests.", "Fix the rounding, I'll run the tests myself."])
      assert.deepStrictEqual(due([user(words), source, claim]), every.slice(1), words)
  })

  it("are not due where the user named their command, or all commands, as not to be run", () => {
    const own = { taken: [check("contract", "sh contract.sh"), check("verify", "npm run verify")] }
    for (const [expected, ...texts] of [
      [["verify"], "Fix it, but never run `sh contract.sh` here.", "Fix it. Führe sh contract.sh nicht aus."],
      [["contract"], "Fix it. Please do not run verify, the database is in use."],
      [[], "Fix it, but don't run anything.", "Fix it. Do not execute any commands please."],
      [["contract", "verify"], "Fix it. Don't run npm install.", "Fix it. I don't know why sh contract.sh fails."]
    ] as const)
      for (const text of texts) assert.deepStrictEqual(due([user(text), source, plain], own), expected, text)
    const earlier = user("Look at it. Never run sh contract.sh.")
    assert.deepStrictEqual(due([earlier, agent("It adds."), user("Fix it."), source, plain], own), ["verify"])
  })

  it("are not due where the agent ran the very command after its last edit, whole and with its exit status", () => {
    const own = { taken: [check("tests", "sh check.sh")] }
    const dueAfter = (command: string, exitCode: number) => due([task, source, run(command, exitCode), plain], own)
    assert.deepStrictEqual(dueAfter("sh check.sh", 0), [])
    assert.deepStrictEqual(dueAfter("cd /repo && sh check.sh", 0), [])
    for (const other of ["sh check.sh | tail -3", "sh check.sh || true", "sh check.sh --quick", "sh other.sh"])
      assert.deepStrictEqual(dueAfter(other, 0), ["tests"], other)
    assert.deepStrictEqual(due([task, run("sh check.sh", 0), source, plain], own), ["tests"])
    assert.deepStrictEqual(dueAfter("sh check.sh", 1), ["tests"], "red is run again, for its origin")
  })

  it("are due where a command or a subagent may have changed files, if the working copy shows it", () => {
    const vague = user("Bring the cart up to date.")
    for (const command of [
      "git merge other",
      "git checkout other -- src/cart.ts",
      "git pull",
      "npm run gen",
      "chmod -x a"
    ]) {
      const events = [vague, run(command, 0), plain]
      assert.deepStrictEqual(shown(events, ["/repo/src/cart.ts"]), ["tests"], command)
      assert.deepStrictEqual(shown(events, ["/repo/docs/use.md"]), [], command)
      const paths = [{ ...tests, paths: ["web/**"] }]
      assert.deepStrictEqual(shown(events, ["/repo/src/cart.ts"], paths), [], command)
    }
    assert.deepStrictEqual(shown([vague, run("node fix.cjs", 0), plain], null), [])
    assert.deepStrictEqual(shown([task, run("node fix.cjs", 0), plain], null), ["tests"])
    for (const command of ["git status", "cat src/cart.ts", "git log --oneline"])
      assert.deepStrictEqual(shown([task, run(command, 0), plain], ["/repo/src/cart.ts"]), [], command)
  })

  it("are due behind a green run for what the task changed of the tests", () => {
    const changed = edit("/repo/test/cart.test.ts")
    assert.deepStrictEqual(due([task, source, changed, ran, plain]), every)
    assert.deepStrictEqual(due([task, source, changed, ran, plain], of("claim")), [])
    const far = [task, edit("/tmp/shop/src/cart.ts"), edit("/tmp/shop/test/cart.test.ts"), ran, plain]
    assert.deepStrictEqual(due(far, { cwd: "/tmp/shop", taken: [tests] }), ["tests"])
  })

  it("are due for the files of their own paths, documents among them", () => {
    const docs: ActiveCheck = { ...check("lint", "npx markdownlint ."), paths: ["docs/**", "*.md"] }
    const own = { taken: [docs] }
    assert.deepStrictEqual(due([task, edit("/repo/docs/use.md"), plain], own), ["lint"])
    assert.deepStrictEqual(due([task, source, plain], own), [])
  })

  it("wait for a claim, an order or the user's own word where they say so", () => {
    const asked = user("Fix the rounding. All tests must pass.")
    assert.deepStrictEqual(due([task, source, plain], of("claim")), [])
    assert.deepStrictEqual(due([task, source, claim], of("claim")), ["tests"])
    assert.deepStrictEqual(due([asked, source, plain], of("claim")), ["tests"])
    assert.deepStrictEqual(due([asked, source, claim], of("ask")), [])
  })
})

describe("a check that was run at a stop", () => {
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
    const known = { name: "tests", command: "npm test", failing: [{ name: "cart › empties", file: null, line: null }] }
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

describe("green tests that the task changed, and that fail as they were before", () => {
  const found = checkResult({ ...green, at: null, broken: checkResult().failing })
  const told = (words: string, attended = false) => {
    const events = [user(words), source, edit("/repo/test/cart.test.ts"), run("npm test", 0, "4 passed"), plain]
    const { given, state } = options(events, { attended })
    const { failures, verdict } = CheckResult.review(state, [found], given)
    const { complete, findings, shouldContinue } = verdict
    assert.strictEqual(failures !== undefined, shouldContinue, "what is pushed is known again")
    return { complete, shouldContinue, rules: findings.map(({ rule }) => rule) }
  }
  const weakened = { complete: false, rules: ["checks/weakened"] }

  it("send an agent on that was to repair something, where nobody is there, and are told where somebody is", () => {
    const order = "Fix the rounding in the total of the cart."
    assert.deepStrictEqual(told(order), { ...weakened, shouldContinue: true })
    assert.deepStrictEqual(told(order, true), { ...weakened, shouldContinue: false })
  })

  it("are another matter where other behaviour or other tests were ordered", () => {
    for (const order of ["Add the tax to the total of the cart.", "Fix the stale tests of the cart."])
      assert.deepStrictEqual(told(order), { complete: true, shouldContinue: false, rules: [] }, order)
  })
})

const faster = (scripts: object, command = "npm test") =>
  DueChecks.fasterThan(
    { name: "tests", command },
    RepoSignals.fromFiles({
      "package.json": JSON.stringify({ scripts: { test: "vitest run && playwright test", ...scripts } })
    })
  )

describe("a faster check", () => {
  it("is a script of a part of the same tests, what is called quick first, else the type check", () => {
    const scripts = { e2e: "vitest run test/e2e", "test:unit": "vitest run", "test:watch": "vitest test/unit" }
    assert.strictEqual(faster(scripts, "pnpm test"), "pnpm run test:unit")
    assert.strictEqual(faster({ cart: "vitest run test/cart" }), "npm run cart")
    assert.strictEqual(faster({ typecheck: "tsc --noEmit", start: "node ." }), "npm run typecheck")
    assert.isNull(faster({ start: "node ." }))
    assert.isNull(faster({ "test:unit": "vitest run", e2e: "vitest run test/e2e" }, "npm run test:unit"))
  })
})

describe("TakenChecks", () => {
  const checks = [{ ...tests, print: "0" }]
  const taken = { version: 1 as const, root: "/repo", at: "2026-01-01T00:00:00.000Z", checks }

  it("can be written and read again, for its own project alone", () => {
    assert.deepStrictEqual(TakenChecks.parse(TakenChecks.render(taken), "/repo"), taken)
    assert.isNull(TakenChecks.parse(TakenChecks.render(taken), "/other"))
  })

  it("is nothing where the file is damaged or says something else", () => {
    const text = TakenChecks.render(taken)
    const twice = JSON.stringify({ ...taken, checks: [...checks, ...checks] })
    const unbound = JSON.stringify({ ...taken, checks: [tests] })
    for (const bad of [
      "",
      "{",
      text.slice(0, -20),
      text.replace("npm test", " "),
      twice,
      unbound,
      text.replace('"tests"', "7")
    ])
      assert.isNull(TakenChecks.parse(bad, "/repo"), bad)
  })
})
