import * as Judgment from "@reflexion/core/Judgment"
import * as Transcript from "@reflexion/core/Transcript"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { agent, user } from "../support/events.ts"

const asked = { type: "user_message", text: "Fix the rounding and run npm test." } as const
const done = { type: "assistant_message", text: "Fixed, and npm test passes.", completed: true } as const

describe("Transcript.make", () => {
  it("needs nothing but events", () => {
    const { events, ...session } = Transcript.make({ events: [asked, done] })
    assert.deepStrictEqual(session, {
      version: 1,
      host: "transcript",
      sessionId: null,
      parentSessionId: null,
      cwd: null,
      mode: "unknown"
    })
    assert.deepStrictEqual(events, [user(asked.text), agent(done.text)])
  })

  it("keeps what it is given, and can be extended", () => {
    const call = { type: "tool_call", id: "t1", tool: "bash", input: { command: "npm test" }, exitCode: 1 } as const
    const given = { sessionId: "s1", cwd: "/repo", mode: "build", attended: false } as const
    const first = Transcript.make({ ...given, events: [asked, call] })
    assert.include(first, given)
    assert.include(first.events[1], { id: "t1", exitCode: 1, status: null, output: null })
    const second = Transcript.make({ ...first, events: [...first.events, done] })
    assert.deepStrictEqual(second.events.slice(0, 2), first.events)
  })

  it("gives what the neutral form's Schema takes", () => {
    const made = Transcript.make({ events: [asked, { type: "notice", kind: "compacted" }, done] })
    assert.deepStrictEqual(Schema.decodeUnknownSync(Transcript.Transcript)(JSON.parse(JSON.stringify(made))), made)
  })

  it("says what is wrong with a field that no type has checked", () => {
    const wrong: object = { events: [{ type: "tool_call" }] }
    assert.throws(() => Transcript.make({ events: [], ...wrong }), /"tool"/)
  })
})

describe("a session without parentSessionId", () => {
  const whole = Transcript.make({ events: [asked, done] })

  it("is no subagent's, also where nobody checked its type", () => {
    const { parentSessionId: _, ...without } = whole
    const untyped: ReadonlyArray<unknown> = [without, { ...without, parentSessionId: undefined }]
    for (const transcript of untyped) {
      const verdict: unknown = Reflect.apply(Judgment.judge, undefined, [transcript])
      assert.deepStrictEqual(verdict, Judgment.judge(whole))
    }
    assert.isTrue(Judgment.judge(whole).shouldContinue)
  })

  it("and one with it is never pushed", () => {
    assert.isFalse(Judgment.judge({ ...whole, parentSessionId: "root" }).shouldContinue)
  })
})
