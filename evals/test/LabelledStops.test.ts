import { assert, describe, it } from "@effect/vitest"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import type { Stop } from "../src/sessions/Corpus.ts"
import * as LabelledStops from "../src/sessions/LabelledStops.ts"

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()

const user = (minute: number, turn: number): TranscriptEvent => ({
  type: "user_message",
  id: null,
  at: at(minute),
  text: "Do it.",
  synthetic: false,
  turn
})

const agent = (minute: number): TranscriptEvent => ({
  type: "assistant_message",
  id: null,
  at: at(minute),
  text: "Done.",
  completed: true,
  outputTokens: null,
  model: null
})

const session = (...events: ReadonlyArray<TranscriptEvent>): Transcript => ({
  version: 1,
  host: "transcript",
  sessionId: "x",
  parentSessionId: null,
  cwd: "/repo",
  mode: "build",
  events
})

const label = (turn: number, minute: number, stoppedAt?: string): Stop => ({
  session: "x",
  turn,
  userMessageAt: at(minute),
  sample: "random",
  kinds: ["complete"],
  push: false,
  why: [],
  ...(stoppedAt !== undefined && { stoppedAt })
})

const lengthOf = (whole: Transcript, stop: Stop): number | null =>
  LabelledStops.upTo(whole, stop)?.events.length ?? null

describe("the stop of a label", () => {
  it("is the end of its turn, or the event that the label names", () => {
    const whole = session(user(0, 0), agent(1), agent(2), user(3, 1), agent(4))
    assert.strictEqual(lengthOf(whole, label(0, 0)), 3)
    assert.strictEqual(lengthOf(whole, label(1, 3)), 5)
    assert.strictEqual(lengthOf(whole, label(0, 0, at(1))), 2)
  })

  it("is in the turn that its prompt joined", () => {
    const whole = session(user(0, 0), user(1, 0), agent(2))
    assert.strictEqual(lengthOf(whole, label(1, 1)), 3)
  })

  it("is none where no prompt has its time, and that is told", () => {
    const whole = session(user(0, 0), agent(1))
    const [found, lost] = [label(0, 0), label(0, 9)]
    assert.isNull(lengthOf(whole, lost))
    const read = LabelledStops.ofSession("shop", whole, [found, lost])
    assert.deepStrictEqual([read.found.map(({ stop }) => stop), read.lost], [[found], [lost]])
  })
})
