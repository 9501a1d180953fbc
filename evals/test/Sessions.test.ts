import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "@reflexion/core/Judgment"
import { agent, transcript, user } from "../src/case/Case.ts"
import * as Sessions from "../src/sessions/Sessions.ts"

const events = [user("First."), agent("One."), user("Second."), agent("Two?")]

const written = transcript({ id: "x", why: "", events, expect: { status: "complete" } })

const finalTexts = (session: typeof written): ReadonlyArray<string> => {
  const verdicts = Judgment.judgeTurns(session)
  return verdicts.map((verdict, index) =>
    Sessions.finalText(Sessions.turnEvents(session, verdict, verdicts[index + 1]))
  )
}

describe("the events of a turn", () => {
  it("are its own", () => {
    assert.deepStrictEqual(finalTexts(written), ["One.", "Two?"])
  })

  it("are its own where the host gives its messages no ids", () => {
    const nameless = written.events.map((event) => ("id" in event ? { ...event, id: null } : event))
    assert.deepStrictEqual(finalTexts({ ...written, events: nameless }), ["One.", "Two?"])
  })
})
