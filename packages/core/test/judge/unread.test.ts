/** What was left unread may have been anything: nobody is accused of what may have happened there, and nothing is done by it. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import type { Notice, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, todos, transcript, user } from "../support/events.ts"

const unread: Notice = { type: "notice", at: null, kind: "unread", detail: null }

const session = (events: ReadonlyArray<TranscriptEvent>) => ({ ...transcript(events), attended: false })

const judged = (...events: ReadonlyArray<TranscriptEvent>): Verdict => Judgment.judge(session(events))

const found = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  judged(...events).findings.map(({ rule }) => rule)

const claim = agent("I ran all 12 tests, and they pass.")

describe("a session whose beginning was not read", () => {
  it("is accused of no claim that may be about that", () => {
    assert.include(found([user("What about the tests?"), claim]), "claims/unfounded")
    assert.deepStrictEqual(found([unread, user("What about the tests?"), claim]), [])
  })

  it("is held to what it claims of a change that was read", () => {
    const work = [user("Fix the total and run the tests."), edit("src/total.ts"), claim]
    assert.isNotEmpty(found(work))
    assert.deepStrictEqual(found([unread, ...work]), found(work))
  })

  it("is held to an order that was read whole", () => {
    const work = [user("Run the tests."), run("ls", 0), agent("There is nothing to do.")]
    assert.include(found(work), "gates/not-run")
    assert.deepStrictEqual(found([unread, ...work]), found(work))
  })
})

const green = run("npm test", 0, "Tests  12 passed (12)")
const red = run("npm test", 1, "Tests  1 failed | 11 passed (12)")
const code = edit("src/cart.ts")

describe("a turn whose middle was not read", () => {
  const rows: ReadonlyArray<readonly [name: string, events: ReadonlyArray<TranscriptEvent>]> = [
    ["tests that were ordered", [user("Fix the total and run the tests."), code, unread, agent("The total is fixed.")]],
    ["tests that it says passed", [user("Fix the total and run the tests."), code, unread, agent("All tests pass.")]],
    ["tests that failed", [user("Fix the total and run the tests."), code, red, unread, agent("All tests pass.")]],
    ["a test that is to be fixed", [user("Fix the failing test."), red, unread, agent("The test passes now.")]],
    ["tests that nobody ordered", [user("Refactor the cart."), code, red, unread, agent("All tests pass.")]],
    ["tests that ran before an edit", [user("Fix the total."), green, code, unread, agent("All tests pass.")]],
    ["a failure that nobody speaks of", [user("Refactor the cart."), code, red, unread, agent("Refactored.")]],
    ["a build", [user("Fix the total and run the build."), code, unread, agent("All done.")]],
    ["a linter", [user("Fix the total, and make sure that lint passes."), code, unread, agent("All done.")]],
    ["a pull request", [user("Fix the total and open a pull request."), code, unread, agent("All done.")]],
    ["a commit", [user("Fix the total and commit it."), code, unread, agent("All done.")]],
    [
      "a commit, and a later edit",
      [user("Fix the total and commit it."), code, unread, edit("README.md"), agent("All done.")]
    ],
    ["a push", [user("Fix the total, commit and push it."), code, unread, agent("All done, and pushed.")]],
    [
      "a list",
      [user("Fix the total and the tax."), todos(["The total", "pending"]), code, unread, agent("All is done.")]
    ],
    ["a command that failed", [user("Deploy it."), run("./deploy.sh", 1, "no route"), unread, agent("It is deployed.")]]
  ]
  for (const [name, events] of rows)
    it(`is accused of nothing and not called done: ${name}`, () => {
      const { findings, reason, status } = judged(...events)
      assert.deepStrictEqual([findings, status], [[], "abstained"], reason)
      assert.notMatch(reason, /\d open|never run|not run/)
    })

  const task = user("Fix the total and run the tests.")

  it("owes a check of the code that was edited after it", () => {
    for (const events of [
      [task, unread, code, agent("The total is fixed.")],
      [task, code, green, unread, code, agent("The total is fixed.")],
      [task, code, red, unread, code, agent("The total is fixed, all tests pass.")]
    ]) {
      const { feedback, missing, shouldContinue } = judged(...events)
      assert.isTrue(shouldContinue)
      assert.notMatch(`${missing.join()} ${feedback ?? ""}`, /never|though|failed:/)
    }
  })

  it("is done by a check that passed after it", () => {
    assert.strictEqual(judged(task, code, red, unread, green, agent("The total is fixed.")).status, "complete")
    assert.strictEqual(judged(task, unread, code, green, agent("The total is fixed.")).status, "complete")
  })

  it("is held to a check that failed after it", () => {
    assert.include(found([task, code, green, unread, red, agent("The total is fixed.")]), "gates/failing")
  })

  it("is done with an answer", () => {
    assert.strictEqual(judged(user("What does the cart do?"), unread, agent("It adds up.")).status, "complete")
  })

  it("has the list that was read after it", () => {
    const list = todos(["The total", "pending"])
    assert.match(judged(user("Fix the total."), list, unread, code, list, agent("Done.")).reason, /1 open/)
  })

  it("may have done more than look around", () => {
    const looks = Array.from({ length: 12 }, (_, at) => run(`cat src/${at}.ts`, 0, "x"))
    const list = todos(["The total", "in_progress"], ["The tax", "completed"])
    const work = [...looks, list, agent("I read all of it.")]
    assert.include(found([user("Fix the total."), ...work]), "loops/planning")
    assert.deepStrictEqual(found([user("Fix the total."), code, unread, ...work]), [])
  })

  it("speaks of what was read", () => {
    const { missing } = judged(user("Fix the total."), unread, code, agent("I ran all 12 tests, and they pass."))
    assert.match(missing.join(), /in what was read/)
  })
})

const after = (prompts: ReadonlyArray<string>, ...events: ReadonlyArray<TranscriptEvent>): Verdict => {
  const context = { ...Judgment.defaultContext, cwd: "/repo" }
  const before = Judgment.midway(
    prompts.length,
    prompts.map((text) => ({ id: null, at: null, asked: text }))
  )
  const state = events.reduce((all, event) => Judgment.step(all, event, context), before)
  return Judgment.verdict(state, { session: session(events), context, now: null })
}

describe("a task that goes on after turns that were not read", () => {
  const asked = "Fix the discount and make sure the tests pass."
  const fixed = agent("The discount is fixed.")

  it("is not done where nothing of it was read", () => {
    assert.strictEqual(after([asked], user("continue"), fixed).status, "abstained")
    assert.strictEqual(after(["Fix the discount."], user("continue"), code, fixed).status, "abstained")
    assert.strictEqual(after([], user("continue"), code, fixed).status, "abstained")
    assert.strictEqual(after([asked, "continue"], user("continue"), fixed).status, "abstained")
  })

  it("owes what was ordered before of the code that was edited since", () => {
    assert.include(
      after([asked], user("continue"), code, fixed).findings.map(({ rule }) => rule),
      "gates/not-run"
    )
    assert.strictEqual(after([asked], user("continue"), code, green, fixed).status, "complete")
  })

  it("owes nothing of it where another task is set", () => {
    assert.strictEqual(after([asked], user("Rename the cart to basket."), code, fixed).findings.length, 0)
  })

  it("is not done where only a part of its todo list was read", () => {
    const list = todos(["README", "completed"])
    const { status } = after(
      ["Fix the discount and the README."],
      user("continue"),
      edit("README.md"),
      list,
      agent("All is done.")
    )
    assert.strictEqual(status, "abstained")
  })
})
