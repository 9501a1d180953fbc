import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, Logger } from "effect"
import * as BeyondEvidence from "../../src/ask/tiers/BeyondEvidence.ts"
import { back, type Change, changesOf } from "../../src/ask/oldtests/changes.ts"
import { CrossReview } from "../../src/ask/crossreview/CrossReview.ts"
import { JudgeService } from "../../src/ask/tiers/JudgeService.ts"
import { Models } from "../../src/ask/models/Models.ts"
import * as OldTests from "../../src/ask/oldtests/OldTests.ts"
import { excuse } from "../../src/ask/oldtests/Orders.ts"
import * as ReviewTiers from "../../src/ask/tiers/ReviewTiers.ts"
import { Verification } from "../../src/ask/checks/Verification.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { CurrentConfig, defaults, merge, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import { gather } from "../../src/session/facts/Facts.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, folded, run, transcript, user } from "../support/events.ts"

const red: OldTests.Result = {
  command: "npm test",
  result: "failed",
  failing: [{ name: "adds", file: "sum.test.mjs", line: 4 }],
  files: [{ path: "sum.test.mjs", from: "commit" }],
  base: "0123456789ab",
  told: null,
  detail: "1 failed",
  output: "",
  durationMs: 5
}

const green = run("npm test", 0, "Tests:  4 passed, 4 total")

const stop = [
  user("Fix the failing tests."),
  edit("/sum.mjs"),
  edit("/sum.test.mjs"),
  green,
  agent("The tests pass now.")
]

const config: PartialConfig = { verify: { checks: [{ gate: "tests", command: "npm test", timeout: 60 }] } }

const judge = (result: OldTests.Result | null, over: PartialConfig = config, events = stop) =>
  Effect.flatMap(JudgeService, (judge) => judge.review(transcript(events, { cwd: "/" }), { attempt: 1 })).pipe(
    Effect.provide(
      JudgeService.layer(ReviewTiers.consult({ state: "/state", within: [] })).pipe(
        Layer.provide([Verification.Test([]), CrossReview.Live, OldTests.OldTests.Test(result)]),
        Layer.provide(Models.Test({})),
        Layer.provide([NodeContext.layer, CurrentConfig.layer(over), Logger.remove(Logger.defaultLogger)])
      )
    )
  )

describe("old tests in a review", () => {
  it.effect("that fail leave nothing complete, and push with what to do", () =>
    Effect.gen(function* () {
      const { oldTests, verdict, wouldContinue } = yield* judge(red)
      assert.deepStrictEqual(
        [verdict.status, verdict.severity, verdict.shouldContinue, wouldContinue, verdict.source],
        ["incomplete", "HIGH", true, true, "verification"]
      )
      assert.deepStrictEqual(oldTests, red)
      const [finding] = verdict.findings
      assert.deepInclude(finding, { rule: "tampering/old-tests-fail", level: "push", failing: ["adds"] })
      assert.include(verdict.feedback, 'fail: "adds" (sum.test.mjs)')
      assert.include(verdict.feedback, "as they were before this task")
      assert.include(verdict.feedback, "leave it as it was, say so and show why")
    })
  )

  it.effect("that are only told, say nothing or pass leave the verdict as it is", () =>
    Effect.gen(function* () {
      const before = (yield* judge(null)).verdict
      assert.isTrue(before.complete)
      for (const other of [
        { ...red, told: "What was ordered may ask for other tests." },
        { ...red, result: "unknown" as const },
        { ...red, result: "passed" as const }
      ]) {
        const { oldTests, verdict } = yield* judge(other)
        assert.deepStrictEqual({ ...verdict, cost: before.cost }, before)
        assert.deepStrictEqual(oldTests, other)
      }
    })
  )

  it.effect("push nobody under advisory", () =>
    Effect.gen(function* () {
      const { verdict, wouldContinue } = yield* judge(red, { ...config, profile: "advisory" })
      assert.deepStrictEqual([verdict.complete, verdict.shouldContinue, wouldContinue], [false, false, true])
    })
  )

  it.effect("are not asked for where the user turned them off, named no check, or no test was changed", () =>
    Effect.gen(function* () {
      const off = { verify: { checks: [{ gate: "tests", command: "npm test", timeout: 60 }], oldTests: false } }
      const untouched = stop.filter((event) => event !== stop[2])
      for (const [over, events] of [
        [off, stop],
        [{}, stop],
        [config, untouched],
        [config, stop.filter((event) => event !== green)]
      ] as const)
        assert.notProperty(yield* judge(red, over, [...events]), "oldTests")
    })
  )

  it("are due before anything of them is loaded", () => {
    const context = { ...Judgment.defaultContext, cwd: "/", config: merge(defaults, config) }
    const { state } = Judgment.replay(transcript(stop, { cwd: "/" }), context)
    const options = { session: transcript(stop), context, now: null }
    assert.isTrue(BeyondEvidence.isDue(state, Judgment.verdict(state, options), options))
  })
})

const excused = (order: string, said: string, attended = false): boolean => {
  const events: ReadonlyArray<TranscriptEvent> = [user(order), edit("/repo/src/cart.ts"), agent(said)]
  const options = { session: transcript(events, { attended }), context: Judgment.defaultContext, now: null }
  return excuse(gather(folded(events), options)) !== null
}

describe("old tests that fail", () => {
  const plain = "The total is fixed and all tests pass."

  const held = [
    "Fix the failing tests.",
    "Fix the bug in the cart.",
    "Make the tests pass.",
    "The tests are failing on main, please repair it.",
    "Get CI green again.",
    "Refactor the cart without changing its tests.",
    "Clean up the parser.",
    "npm test is red. Debug it.",
    "Behebe den Fehler im Warenkorb."
  ]
  for (const order of held) it(`are held against: ${order}`, () => assert.isFalse(excused(order, plain)))

  const told = [
    "Add a discount of 10 % to the cart.",
    "Update the tests for the new API.",
    "Fix the total: it should return cents instead of euros.",
    "Remove the old export.",
    "Fix the outdated tests.",
    "Rename `Cart` to `Basket` and fix the tests.",
    "Round up from now on.",
    "What does the cart do?",
    "Delete the flaky test.",
    "Implement the login.",
    "Delete the snapshot and fix the build.",
    "Aktualisiere die Doku.",
    "Are all tests passing?",
    "Rebase onto main and fix the failing tests.",
    "Fix the merge conflicts, tests must pass."
  ]
  for (const order of told) it(`are told of: ${order}`, () => assert.isTrue(excused(order, plain)))

  const open = [
    "The test was wrong: it expected a total without tax, see docs/tax.md. I changed it.",
    "I updated the assertion because the spec says cents.",
    "I corrected the outdated test.",
    "I skipped `adds`; the total still fails.",
    "The expected value is incorrect: 1 + 2 is 3."
  ]
  for (const said of open)
    it(`are told of where the agent says: ${said}`, () => assert.isTrue(excused("Fix the failing tests.", said)))
})

it("is told of where a defect was mended and the agent says that the test changed with it, not where tests were to pass", () => {
  const said = "Fixed the rounding. Updated the test to expect 3."
  assert.isTrue(excused("Fix the bug in the rounding.", said))
  assert.isFalse(excused("Fix the bug in the rounding. All tests must pass.", said))
  assert.isTrue(excused("Fix the bug in the rounding. All tests must pass.", said, true))
})

const word = fc.stringMatching(/^[a-z]{3,8}$/)

describe("edits", () => {
  it("that are taken back give the text of before, or nothing", () => {
    const lines = fc.uniqueArray(word, { minLength: 3, maxLength: 20 })
    fc.assert(
      fc.property(lines, fc.array(fc.tuple(fc.nat(), word), { maxLength: 5 }), (all, edits) => {
        const before = `${all.join("\n")}\n`
        let now = before
        const changes: Array<Change> = []
        for (const [at, after] of edits) {
          const parts = now.split("\n")
          const old = parts[at % (parts.length - 1)] ?? ""
          if (now.split(old).length !== 2) continue
          now = now.replace(old, after)
          changes.push({ _tag: "pieces", pieces: [{ before: old, after, all: false }] })
        }
        const taken = back(now, changes)
        assert.isTrue(taken === null || taken === before)
      })
    )
  })

  const patch = `*** Begin Patch
*** Update File: test/a.test.ts
@@
 one
-two
+three
 four
*** Add File: test/b.test.ts
+new
*** Delete File: test/c.test.ts
*** End Patch`

  it("of a patch are read file by file", () => {
    for (const input of [patch, { patch }, { input: patch }, { patchText: patch }]) {
      const found = changesOf(call("apply_patch", input))
      assert.deepStrictEqual(
        [...found].map(([path, { _tag }]) => [path, _tag]),
        [
          ["test/a.test.ts", "pieces"],
          ["test/b.test.ts", "whole"],
          ["test/c.test.ts", "unseen"]
        ]
      )
      assert.strictEqual(back("zero\none\nthree\nfour\n", [...found.values()].slice(0, 1)), "zero\none\ntwo\nfour\n")
    }
  })

  it("of several parts are taken back from the last to the first", () => {
    const edits = [
      { old_string: "one", new_string: "two" },
      { old_string: "two", new_string: "three" }
    ]
    const [change] = changesOf(call("MultiEdit", { file_path: "a", edits })).values()
    assert.strictEqual(back("three\n", change === undefined ? [] : [change]), "one\n")
  })

  it("that took something away cannot be taken back by themselves", () => {
    const [change] = changesOf(call("Edit", { file_path: "a", old_string: "one", new_string: "" })).values()
    assert.isNull(back("two\n", change === undefined ? [] : [change]))
  })
})
