/** What a model is shown of a quiet session, and what an agent is told of it: each text word for word, in a file. */
import { assert, describe, expect, it } from "@effect/vitest"
import { believe, render, version } from "../../src/model/detector/question.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import { look } from "../../src/judge/stuck/StuckLook.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { transcript } from "../support/events.ts"
import { session } from "../support/sessions.ts"

type Problem = Parameters<typeof believe>[1]["problem"]

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

const words = {
  order: "> Add axios to the client, and use it in src/client.ts.",
  failed: "$1 npm install axios => npm ERR! code ERESOLVE",
  edit: "edit /repo/src/client.ts",
  look: 'call Read {"file_path":"/repo/src/client.ts"} => export {}'
}

/** Looked at a minute after the last event. */
const seen = (line: string) => {
  const events = session(line, words).map((event, index) => ({
    ...event,
    ...(event.type === "assistant_message" && { outputTokens: 150 }),
    at: at(index)
  }))
  const given = transcript(events)
  const context = Judgment.defaultContext
  return look(StuckAssessment.replay(given, context), { session: given, context, now: at(events.length + 59) })
}

describe("what a model is shown of a quiet session is in the golden file", () => {
  it.each([
    ["failed", "order / failed / edit / failed / ~ axios is in use now."],
    ["torn", "order / edit / ~ Now I will pass the"]
  ])("%s", async (name, line) => {
    const { prompt, system } = render(seen(line), "record-1")
    const text = `version ${version}\n\n${system}\n\n=====\n\n${prompt}\n`
    await expect(text).toMatchFileSnapshot(`golden/stuck-${name}.txt`)
  })
})

const believed = (line: string, problem: Problem, refused: string | null = null) =>
  believe({ ...seen(line), refused }, { reason: "genuinely_stuck", problem, confidence: 0.9, push: 0.9 })

describe("what evidence cannot decide is asked, and what is believed is told in our words", () => {
  it.each<readonly [Problem, string]>([
    ["unhandled_failure", "order / failed / ~ axios is in use now."],
    ["cut_off", "order / look / ~ Now I will pass the"],
    ["announced_step", "order / look / ~ Ich werde die Bibliothek gleich einbauen."],
    ["only_planned", "order / look / ~ Mein Plan: 1. axios einbauen, 2. den Client umstellen."]
  ])("%s", async (problem, line) => {
    const { found, refused } = seen(line)
    assert.deepStrictEqual([found.decided, refused], [false, null])
    const { nudge, shouldNudge } = believed(line, problem)
    assert.isTrue(shouldNudge)
    await expect(nudge).toMatchFileSnapshot(`golden/nudge-${problem}.txt`)
  })

  it("says why nobody is nudged who is stuck", () => {
    const { evidence, shouldNudge, stuck } = believed("order / ~ Ich baue es ein.", "announced_step", "plan mode")
    assert.deepStrictEqual([stuck, shouldNudge, evidence.at(-1)], [true, false, "not nudged: plan mode"])
  })
})
