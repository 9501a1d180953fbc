import { assert, describe, it } from "@effect/vitest"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, run, transcript, user } from "../support/events.ts"
import { utmostContext } from "../support/utmost.ts"

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

/** The session, one event a second, looked at so many seconds after its last. */
const assess = (events: ReadonlyArray<TranscriptEvent>, silence: number): StuckAssessment.Assessment => {
  const timed = events.map((event, index) => ({ ...event, at: at(index) }))
  const now = at(events.length - 1 + silence)
  return StuckAssessment.assessTranscript(transcript(timed), { context: utmostContext, now }).assessment
}

const looks = Array.from({ length: 12 }, (_, index) =>
  call("Read", { file_path: `src/part-${index}.ts` }, { output: `text ${index}` })
)

const patterns = ({ loops }: StuckAssessment.Assessment): ReadonlyArray<string> => loops.map(({ pattern }) => pattern)

describe("an agent that only looks around", () => {
  const events = [user("Fix the crash in src/part-3.ts."), ...looks]

  it("is at work until it has been quiet for long", () => {
    const soon = assess(events, 60)
    assert.deepStrictEqual([soon.reason, soon.shouldNudge, patterns(soon)], ["working", false, ["planning"]])
  })

  it("is stuck then, and is told that it plans", () => {
    const late = assess(events, 600)
    assert.deepStrictEqual([late.reason, late.shouldNudge], ["genuinely_stuck", true])
    assert.isTrue(late.nudge?.startsWith("STOP: Planning Loop Detected"))
  })

  it("and then answers what it was asked has not planned in circles", () => {
    const review = user("/review the code changes against main. Report findings only, do not change anything.")
    const answer = agent("Reviewed: no issues found. The change keeps the order of the events and is covered by tests.")
    assert.deepStrictEqual(patterns(assess([review, ...looks, answer], 60)), [])
  })
})

describe("an agent that repeats a failing call", () => {
  const red = Array.from({ length: 4 }, () => run("npm test", 1, "Tests: 1 failed, 3 passed, 4 total"))

  it("is stuck as soon as silence counts", () => {
    const assessment = assess([user("Fix the crash."), ...red], 60)
    assert.deepStrictEqual([assessment.reason, assessment.shouldNudge], ["genuinely_stuck", true])
    assert.isTrue(assessment.nudge?.startsWith("STOP: Action Loop Detected"))
    assert.include(assessment.nudge ?? "", "npm test")
  })
})
