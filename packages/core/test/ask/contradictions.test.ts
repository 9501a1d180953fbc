import { assert, describe, it } from "@effect/vitest"
import * as SelfAssessment from "../../src/ask/assessment/SelfAssessment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, user } from "../support/events.ts"
import { assessment, type Given, turn, withTests } from "../support/opinions.ts"

const attempt = { attempt: 1, maxAttempts: 3 }

const open = { status: "in_progress", push: 0.95 } as const

const consulted = (events: ReadonlyArray<TranscriptEvent>, given: Given) =>
  SelfAssessment.apply(turn(events), assessment({ ...open, ...given }), attempt)

/** What of an answer a fact contradicts, and whether it pushes all the same. */
const wrong = (events: ReadonlyArray<TranscriptEvent>, given: Given) => {
  const { asked, verdict } = consulted(events, given)
  return [asked.contradicted.map(({ claim }) => claim), verdict.shouldContinue] as const
}

const ask = user("Fix the parser, run the tests and describe it in the changelog.")

/** The tests are green after the last edit; what is left, no rule sees. */
const green = [ask, edit("/repo/src/parser.ts"), run("npm test", 0, "4 passed"), agent("Fixed; the tests pass.")]

const left = { kind: "order", quote: "describe it in the changelog" } as const

describe("a statement of a model's that a fact contradicts", () => {
  it("voids none of an answer that is right in what stands on record", () => {
    assert.deepStrictEqual(wrong(green, { remaining_work: [left] }), [[], true])
    const told = withTests({ ran: true, results: "pass", commands: ["npm test"] })
    assert.deepStrictEqual(wrong(green, { remaining_work: [left], evidence: told }), [[], true])
  })

  it.each<readonly [string, string, Given]>([
    [
      "a check is missing that ran green",
      "tests is missing",
      { remaining_work: [left, { kind: "check", name: "tests" }] }
    ],
    ["the tests never ran", "tests never ran", { remaining_work: [left], evidence: withTests({ ran: false }) }],
    [
      "the tests failed",
      "tests failed",
      { remaining_work: [left], evidence: withTests({ ran: true, results: "fail" }) }
    ],
    [
      "the user ordered what they never said",
      "the user ordered something",
      { remaining_work: [left, { kind: "order", quote: "publish it to the registry" }] }
    ],
    [
      "the user ordered what the agent said",
      "the user ordered something",
      { remaining_work: [{ kind: "order", quote: "Fixed; the tests pass." }] }
    ],
    [
      "a line of the user's has what is not in it",
      "the user ordered something",
      { remaining_work: [{ event: "e0", quote: "translate it into French" }] }
    ]
  ])("voids the whole of it: %s", (_, claim, given) => {
    assert.deepStrictEqual(wrong(green, given), [[claim], false])
    assert.include(consulted(green, given).verdict.reason, "does not count")
  })

  it("is none where the record only does not bear it out", () => {
    const partly = [ask, edit("/repo/src/parser.ts"), run("npx vitest run a.test.ts", 0, "1 passed"), agent("Fixed.")]
    for (const name of ["integration tests", "e2e", "the docs build"])
      assert.deepStrictEqual(wrong(green, { remaining_work: [{ kind: "check", name }] }), [[], true], name)
    assert.deepStrictEqual(wrong(partly, { remaining_work: [{ kind: "check", name: "lint" }] })[0], [])
    const other = [...green.slice(0, 3), run("./run-integration", 1, "3 failed"), ...green.slice(3)]
    const before = [...green.slice(0, 1), run("npm run test:ci", 1, "1 failed"), ...green.slice(1)]
    for (const events of [partly, other, before])
      assert.deepStrictEqual(wrong(events, { remaining_work: [{ kind: "check", name: "tests" }] })[0], [])
    assert.deepStrictEqual(wrong(green, { remaining_work: [{ kind: "order", quote: "" }] }), [[], true])
    assert.deepStrictEqual(wrong(green, { remaining_work: [{ kind: "step", quote: "what nobody said" }] }), [[], true])
  })

  it("is that nothing was committed, where all of it was, or what the user forbade is missing", () => {
    const events = [
      user("Rename the parser and describe it in the changelog. Do not run the tests."),
      edit("/repo/src/parser.ts"),
      run("git commit -qam rename", 0),
      agent("Renamed.")
    ]
    assert.deepStrictEqual(wrong(events, { remaining_work: [{ kind: "check", name: "commit" }] }), [
      ["commit is missing"],
      false
    ])
    assert.deepStrictEqual(wrong(events, { remaining_work: [{ kind: "check", name: "tests" }] }), [
      ["tests is missing"],
      false
    ])
    const more = [...events.slice(0, 3), edit("/repo/src/lexer.ts"), ...events.slice(3)]
    assert.deepStrictEqual(wrong(more, { remaining_work: [{ kind: "check", name: "commit" }] })[0], [])
  })

  it("leaves a failed check that was ordered as it is, whatever the model says", () => {
    const failing = [ask, edit("/repo/src/parser.ts"), run("npm test", 1, "1 failed"), agent("Done.")]
    const { verdict } = consulted(failing, { status: "complete", push: 0, confidence: 1 })
    assert.deepStrictEqual([verdict.complete, verdict.shouldContinue, verdict.source], [false, true, "evidence"])
  })
})
