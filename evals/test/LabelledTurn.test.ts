import { assert, describe, it } from "@effect/vitest"
import { agent, transcript, user } from "../src/case/Case.ts"
import type { Stop } from "../src/sessions/Corpus.ts"
import * as Corpus from "../src/sessions/Corpus.ts"
import * as LabelledTurn from "../src/sessions/LabelledTurn.ts"

const session = transcript({
  id: "x",
  why: "",
  events: [user("First."), user("And this."), agent("Both are done.")],
  expect: { status: "complete" }
})

const [first, second] = session.events
const at = [first?.at ?? "", second?.at ?? ""] as const

/** As a host writes a prompt that was typed while the agent worked. */
const joined = {
  ...session,
  events: session.events.map((event, index) =>
    event.type === "user_message" ? { ...event, turn: 0, at: at[index] ?? "" } : event
  )
}

const label = (turn: number, userMessageAt: string): Stop => ({
  session: "x",
  turn,
  userMessageAt,
  sample: "random",
  kinds: ["complete"],
  push: false,
  why: []
})

const turns = [{ index: 0, userMessageAt: at[0] }]

describe("the turn of a label", () => {
  it("is its own, or the one that its prompt joined", () => {
    assert.strictEqual(LabelledTurn.of(joined, turns, label(0, at[0]))?.index, 0)
    assert.strictEqual(LabelledTurn.of(joined, turns, label(1, at[1]))?.index, 0)
  })

  it("is none where no prompt has its time, and that is said", () => {
    assert.isNull(LabelledTurn.of(joined, turns, label(1, "2001-01-01T00:00:00.000Z")))
    assert.deepStrictEqual(Corpus.notFound("nudges", 77, 79), ["nudges: 2 of 79 labelled stops are in no session"])
    assert.deepStrictEqual(Corpus.notFound("nudges", 79, 79), [])
  })
})
