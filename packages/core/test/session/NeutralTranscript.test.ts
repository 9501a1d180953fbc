import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as Transcript from "@reflexion/core/Transcript"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, FastCheck as fc, Schema } from "effect"
import { agent, call as made, transcript, user } from "../support/events.ts"

const decode = (value: unknown) => {
  const decoding = NeutralTranscript.decoder.start()
  const events = [...decoding.push(value), ...decoding.end()]
  return { events, decoding }
}

const document = (...events: ReadonlyArray<unknown>) => ({ version: 1, events })

const call = (fields: object) => decode(document({ type: "tool_call", tool: "bash", ...fields })).events[0]

const holds = (event: object) => Schema.is(Transcript.Transcript)({ ...transcript([]), events: [event] })

describe("NeutralTranscript", () => {
  it("needs only a type, and text or tool", () => {
    const { events } = decode(
      document(
        { type: "user_message", text: "do it" },
        { type: "assistant_message", text: "done" },
        { type: "tool_call", tool: "bash" }
      )
    )
    assert.deepStrictEqual(events, [
      user("do it", { id: "e0" }),
      { ...agent("done", null), id: "e1" },
      made("bash", null, { id: "e2", status: null, output: null })
    ])
  })

  it("takes a call with a result as completed, a background start as running, and nothing as unknown", () => {
    assert.deepInclude(call({ output: "" }), { status: "completed", exitCode: null })
    assert.deepInclude(call({ exitCode: 2 }), { status: "completed", exitCode: 2 })
    assert.deepInclude(call({ background: true, output: "started" }), { status: "running" })
    assert.deepInclude(call({}), { status: null })
    assert.deepInclude(call({ status: "denied", output: "no" }), { status: "denied" })
  })

  it("leaves out the event that does not decode, tells its place and keeps the positions", () => {
    const { decoding, events } = decode(
      document({ type: "user_message", text: 5 }, null, { type: "wish" }, { type: "user_message", text: "a", extra: 1 })
    )
    assert.deepStrictEqual(
      events.map((event) => "id" in event && event.id),
      ["e3"]
    )
    assert.deepStrictEqual(decoding.skipped(), { user_message: 1, untyped: 1, wish: 1 })
    const problems = decoding.problems?.() ?? []
    assert.strictEqual(problems.length, 3)
    assert.match(problems[0] ?? "", /^event 0 \(user_message\): text: /)
  })

  it("knows the session and begins with its mode", () => {
    const { decoding, events } = decode({ ...document(), host: "codex", sessionId: "s", cwd: "/repo", mode: "plan" })
    assert.deepStrictEqual(events, [{ type: "mode_change", at: null, mode: "plan" }])
    assert.deepStrictEqual(decoding.session(), {
      host: "codex",
      sessionId: "s",
      parentSessionId: null,
      cwd: "/repo",
      mode: "plan"
    })
  })

  it("reads on past header fields of a wrong type", () => {
    const { decoding } = decode({ ...document(), host: 1, sessionId: {}, mode: "turbo" })
    assert.strictEqual(decoding.session().host, "transcript")
    assert.strictEqual(decoding.session().mode, "unknown")
    assert.strictEqual(decoding.problems?.().length, 3)
  })

  it("recognises only its own documents", () => {
    assert.isTrue(NeutralTranscript.decoder.recognises(document()))
    for (const other of [{ version: 1 }, { events: [] }, { version: 2, events: [] }, [], null, "x"]) {
      assert.isFalse(NeutralTranscript.decoder.recognises(other))
    }
  })

  it("has no number that JSON could not write", () => {
    const numbered = { turn: user("do it"), outputTokens: agent("done"), exitCode: made("bash", null) }
    for (const [key, event] of Object.entries(numbered))
      assert.deepStrictEqual(
        [1, Number.POSITIVE_INFINITY, Number.NaN].map((number) => holds({ ...event, [key]: number })),
        [true, false, false],
        key
      )
  })

  it("gives a transcript in memory the events of the same transcript decoded", () => {
    fc.assert(
      fc.property(Arbitrary.make(Transcript.Transcript), (whole) => {
        const encoded = JSON.parse(JSON.stringify(Schema.encodeSync(Transcript.Transcript)(whole)))
        const inMemory = JSON.parse(JSON.stringify(NeutralTranscript.events(whole)))
        assert.deepStrictEqual(JSON.parse(JSON.stringify(decode(encoded).events)), inMemory)
      }),
      { numRuns: 20 }
    )
  })
})
