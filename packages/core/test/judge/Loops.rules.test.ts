/** A loop bears the name of a rule, by which it is turned up and down. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, run, transcript, user } from "../support/events.ts"
import { utmost } from "../support/utmost.ts"

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

const silent = (
  events: ReadonlyArray<TranscriptEvent>,
  { silence = 60, ...settings }: ReflexionConfig.PartialConfig & { readonly silence?: number } = {}
): StuckAssessment.Assessment => {
  const timed = events.map((event, index) => ({ ...event, at: at(index) }))
  const config = ReflexionConfig.merge(utmost, settings)
  const now = at(events.length - 1 + silence)
  return StuckAssessment.assessTranscript(transcript(timed), { now, context: { config } }).assessment
}

const order = user("Fix the crash in src/part-3.ts.")

const times = (count: number, ...round: ReadonlyArray<() => TranscriptEvent>) =>
  Array.from({ length: count }, () => round.map((make) => make())).flat()

const file = () => run("cat src/part-3.ts", 0, "const part = 3")

const red = () => run("npm test", 1, "Tests: 1 failed, 3 passed, 4 total")

const said = () => agent("I am looking into the crash.", false)

const rule = "loops/repeat"

const loops = {
  "the same result": [order, ...times(4, file)],
  "the same failing call": [order, ...times(4, red)],
  rounds: [order, ...times(4, file, red)],
  "the same words": [order, ...times(3, said)]
} as const

describe("a loop of a silent agent", () => {
  for (const [what, events] of Object.entries(loops)) {
    it(`is pushed for: ${what}`, () => {
      const { finding, shouldNudge } = silent(events)
      assert.deepInclude(finding, { rule, level: "push" })
      assert.isTrue(shouldNudge)
    })

    it(`is only told of where its rule only tells: ${what}`, () => {
      const { finding, nudge, stuck } = silent(events, { rules: { [rule]: "tell" } })
      assert.deepInclude(finding, { rule, level: "tell" })
      assert.deepStrictEqual([stuck, nudge], [true, null])
    })

    it(`is none where its rule is off: ${what}`, () => {
      const { finding, loops: seen } = silent(events, { rules: { [rule]: "off" } })
      assert.isUndefined(finding)
      assert.deepStrictEqual(seen, [])
    })
  }

  it("is told of in a silence that is too long in any case, whose nudge it words", () => {
    const looks = Array.from({ length: 12 }, (_, part) => call("Read", { file_path: `src/part-${part}.ts` }))
    const { finding, nudge } = silent([order, ...looks], { silence: 600, rules: { "loops/planning": "tell" } })
    assert.deepInclude(finding, { rule: "loops/planning", level: "tell" })
    assert.isTrue(nudge?.startsWith("STOP: Planning Loop Detected"))
  })

  it("is nothing at a stop, which is judged by what was done", () => {
    for (const what of ["the same result", "rounds", "the same words"] as const) {
      const { findings } = Judgment.judge(transcript(loops[what]))
      assert.notInclude(
        findings.map((found) => found.rule),
        rule
      )
    }
  })
})
