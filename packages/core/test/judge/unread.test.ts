/** What was left unread may have been anything: nobody is accused of what may have happened there. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Notice, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, transcript, user } from "../support/events.ts"

const unread: Notice = { type: "notice", at: null, kind: "unread", detail: null }

const found = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  Judgment.judge({ ...transcript(events), attended: false }).findings.map(({ rule }) => rule)

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
})
