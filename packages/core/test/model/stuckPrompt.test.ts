/** What a model is shown of a quiet session, and what an agent is told of it: each text word for word, in a file. */
import { assert, describe, expect, it } from "@effect/vitest"
import { believe, render, version } from "../../src/model/detector/question.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import { look } from "../../src/judge/stuck/StuckLook.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

const order = user("Add axios to the client, and use it in src/client.ts.")

const failed = run("npm install axios", 1, "npm ERR! code ERESOLVE")

const words = (text: string, completed: boolean | null): TranscriptEvent => ({
  type: "assistant_message",
  id: null,
  at: null,
  text,
  completed,
  outputTokens: 150,
  model: null
})

/** Looked at a minute after the last event. */
const seen = (...events: ReadonlyArray<TranscriptEvent>) => {
  const timed = events.map((event, index) => ({ ...event, at: at(index) }))
  const session = transcript(timed)
  const context = Judgment.defaultContext
  return look(StuckAssessment.replay(session, context), { session, context, now: at(events.length + 59) })
}

const shown = (...events: ReadonlyArray<TranscriptEvent>): string => {
  const { prompt, system } = render(seen(...events), "record-1")
  return `version ${version}\n\n${system}\n\n=====\n\n${prompt}\n`
}

describe("a model is shown the message, the answer, the calls, the tokens and whether it is whole", () => {
  it("of a session that left a failed call behind", async () => {
    const text = shown(order, failed, edit("/repo/src/client.ts"), failed, words("axios is in use now.", null))
    await expect(text).toMatchFileSnapshot("golden/stuck-failed.txt")
  })

  it("of a session whose text breaks off", async () => {
    const text = shown(order, edit("/repo/src/client.ts"), words("Now I will pass the", null))
    await expect(text).toMatchFileSnapshot("golden/stuck-torn.txt")
  })
})

const answer = (problem: "cut_off" | "announced_step" | "unhandled_failure" | "only_planned") => ({
  reason: "genuinely_stuck" as const,
  problem,
  confidence: 0.9,
  push: 0.9
})

describe("what evidence cannot decide is asked, and what is believed is told in our words", () => {
  it("where a call failed, and the answer does not speak of it", async () => {
    const found = seen(order, failed, words("axios is in use now.", null))
    assert.deepStrictEqual([found.found.decided, found.refused], [false, null])
    const { nudge, shouldNudge } = believe(found, answer("unhandled_failure"))
    assert.isTrue(shouldNudge)
    await expect(nudge).toMatchFileSnapshot("golden/nudge-unhandled_failure.txt")
  })

  it.each<readonly ["cut_off" | "announced_step" | "only_planned", TranscriptEvent]>([
    ["cut_off", words("Now I will pass the", null)],
    ["announced_step", words("Ich werde die Bibliothek gleich einbauen.", null)],
    ["only_planned", words("Mein Plan: 1. axios einbauen, 2. den Client umstellen.", null)]
  ])("%s", async (problem, last) => {
    const look = call("Read", { file_path: "/repo/src/client.ts" }, { output: "export {}" })
    const { nudge } = believe(seen(order, look, last), answer(problem))
    await expect(nudge).toMatchFileSnapshot(`golden/nudge-${problem}.txt`)
  })

  it("says why nobody is nudged who is stuck", () => {
    const { evidence, shouldNudge, stuck } = believe(
      { ...seen(order, agent("Ich baue es ein.", null)), refused: "plan mode" },
      answer("announced_step")
    )
    assert.deepStrictEqual([stuck, shouldNudge, evidence.at(-1)], [true, false, "not nudged: plan mode"])
  })
})
