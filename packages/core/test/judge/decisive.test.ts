/** Facts that a single function decides, a row each: where it breaks, nothing else may notice. */
import { assert, describe, it } from "@effect/vitest"
import { decide } from "../../src/model/assessment/Decide.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Reflection } from "../../src/memory/lessons/Reflection.ts"
import * as RetryPrompt from "../../src/memory/lessons/RetryPrompt.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"
import { assessment, first, german, ofAssessment, turn } from "../support/opinions.ts"

const rules = (...events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  Judgment.judge(transcript(events, { attended: false })).findings.map(({ rule }) => rule)

describe("a claim of a check", () => {
  it("is unfounded where nothing was run", () => {
    const claimed = agent("Done. All tests pass.")
    assert.include(rules(user("Fix the parser."), edit("/repo/src/parser.ts"), claimed), "claims/unfounded")
    assert.notInclude(
      rules(
        user("Fix the parser."),
        edit("/repo/src/parser.ts"),
        run("npm test", 0, "Tests: 5 passed, 5 total"),
        claimed
      ),
      "claims/unfounded"
    )
  })
})

describe("a model that says that work is left", () => {
  const announced = { what: "the tests", event: "e2", quote: "Als Nächstes schreibe ich die Tests" }
  const ordered = { kind: "order", quote: "schreibe Tests dazu" } as const
  const verdictOn = (events: ReadonlyArray<TranscriptEvent>, work: typeof announced | typeof ordered) =>
    decide(turn(events), ofAssessment(assessment({ status: "in_progress", remaining_work: [work] })), first).verdict

  it("sends the agent on once for a message of the user's, whatever else it finds", () => {
    const begun = verdictOn(german, announced)
    assert.deepStrictEqual([begun.shouldContinue, verdictOn(german, ordered).shouldContinue], [true, true])
    const gone = [...german, user(begun.feedback ?? "", { synthetic: true }), ...german.slice(1)]
    assert.strictEqual(verdictOn(gone, ordered).shouldContinue, false)
  })
})

const lesson = (attemptNumber: number, analysis: string): Reflection => ({
  id: `r${attemptNumber}`,
  sessionId: "s1",
  taskId: "t1",
  subtaskId: "t1.1",
  attemptNumber,
  category: "root_cause",
  analysis,
  suggestion: `Mind the ${analysis}`,
  actionItems: [],
  confidence: 0.7,
  createdAt: `2026-01-0${attemptNumber}T10:00:00.000Z`,
  source: "heuristic",
  model: null,
  tags: []
})

describe("a lesson whose failure is over", () => {
  it("is told to nobody", () => {
    const [open, over] = [lesson(1, "The cart was empty."), lesson(2, "Prices were rounded too early.")]
    assert.include(RetryPrompt.render([open, over]), "rounded")
    const section = RetryPrompt.render([open, RetryPrompt.resolve(over)])
    assert.notInclude(section, "rounded")
    assert.include(section, "cart")
  })
})
