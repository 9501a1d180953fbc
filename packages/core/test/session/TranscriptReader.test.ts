import type { TranscriptEvent } from "@reflexion/core/Transcript"
import type { TranscriptDecoder } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Arbitrary, Schema } from "effect"
import { notice, user, agent, call as made, transcript } from "../support/events.ts"
import * as Transcript from "@reflexion/core/Transcript"
import * as Judgment from "@reflexion/core/Judgment"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A format of lines `{"demo": "text"}`. */
const demo: TranscriptDecoder = {
  host: "demo",
  recognises: (value) => typeof value === "object" && value !== null && "demo" in value,
  ignores: (line) => (line[0] === 35 ? "comment" : null),
  start: () => ({
    push: (value) => [
      user(typeof value === "object" && value !== null && "demo" in value ? String(value.demo) : JSON.stringify(value))
    ],
    end: () => [notice("compacted", "end")],
    session: () => ({ host: "demo", sessionId: "s", parentSessionId: null, cwd: null, mode: "build" }),
    skipped: () => ({ inner: 2 })
  })
}

const decoders = [NeutralTranscript.decoder, demo]

const run = (input: string, options: Partial<TranscriptReader.Options> = {}, chunkSize = 1_000_000) => {
  const reader = TranscriptReader.make({ decoders, ...options })
  const all = bytes(input)
  const events: Array<TranscriptEvent> = []
  for (let at = 0; at < all.length; at += chunkSize) events.push(...reader.push(all.subarray(at, at + chunkSize)))
  events.push(...reader.end())
  return { reader, events, texts: events.flatMap((event) => ("text" in event ? [event.text] : [])) }
}

const neutral = { version: 1, host: "other", events: [{ type: "user_message", text: "hi" }] }

describe("TranscriptReader", () => {
  it("finds the format by content and replays the lines before it", () => {
    const { reader, texts } = run('{"what":1}\n{"demo":"a"}\n# dropped\n{"demo":"b"}')
    assert.deepStrictEqual(texts, ['{"what":1}', "a", "b"])
    assert.deepStrictEqual([reader.host(), reader.session().sessionId, reader.decoded()], ["demo", "s", 4])
    assert.deepStrictEqual(reader.skipped(), { inner: 2, comment: 1 })
  })

  it.each([
    ["on one line", JSON.stringify(neutral)],
    ["pretty-printed", JSON.stringify(neutral, null, 2)],
    ["pretty-printed after a byte order mark and blank lines", `\uFEFF\n \n${JSON.stringify(neutral, null, "\t")}\n`],
    ["pretty-printed with carriage returns", JSON.stringify(neutral, null, 2).replaceAll("\n", "\r\n")]
  ])("reads a whole document %s, in chunks of any size", (_, text) => {
    for (const size of [1, 3, 1000]) {
      const { reader, texts } = run(text, {}, size)
      assert.deepStrictEqual(texts, ["hi"])
      assert.strictEqual(reader.host(), "transcript")
      assert.deepStrictEqual(reader.warnings(), [])
    }
  })

  it("reads a document that is an array of a format's values", () => {
    const array = JSON.stringify([{ demo: "a" }, { demo: "b" }], null, 2)
    assert.deepStrictEqual(run(array).texts, ["a", "b"])
    assert.deepStrictEqual(run(array, { host: "demo" }).texts, ["a", "b"])
  })

  it("reads the lines after a cut-off first line", () => {
    for (const first of ['{"demo":"cut', '{"demo":', 'tail of a line"}']) {
      const { reader, texts } = run(`${first}\n{"demo":"a"}\n{"demo":"b"}\n`)
      assert.deepStrictEqual(texts, ["a", "b"])
      assert.strictEqual(reader.warnings()[0]?.line, 1)
    }
  })

  it("reads input that is too long for a document as lines", () => {
    const rows = Array.from({ length: 50 }, () => '{"demo":"row"}').join("\n")
    const { texts } = run(`{"open":\n${rows}`, { maxLineBytes: 100 }, 10)
    assert.strictEqual(texts.length, 50)
  })

  it("uses the given host's format, and lists the formats that it tried", () => {
    const forced = run('{"x":1}\n', { host: "demo" })
    assert.deepStrictEqual([forced.texts, forced.reader.tried()], [['{"x":1}'], ["demo"]])
    assert.deepStrictEqual(run('{"x":1}\n', { host: "nobody" }).reader.tried(), [])
  })

  it("an unknown format: no events, and a count of the skipped lines", () => {
    const { events, reader } = run('{"x":1}\n'.repeat(2_000))
    assert.deepStrictEqual([events, reader.host(), reader.decoded()], [[], null, 0])
    assert.deepStrictEqual([reader.skipped(), reader.tried()], [{ unrecognised: 2_000 }, ["transcript", "demo"]])
  })

  it("keeps a hundred warnings and counts all of them", () => {
    const { reader } = run(`{"demo":"a"}\n${"broken\n".repeat(250)}`)
    assert.deepStrictEqual([reader.warnings().length, reader.warningCount(), reader.warnings()[0]?.line], [100, 250, 2])
  })

  it("a reused read buffer does not change the events", () => {
    for (const text of [JSON.stringify(neutral, null, 2), '{"demo":"a"}\n{"demo":"b"}\n']) {
      const input = Buffer.from(text)
      const reader = TranscriptReader.make({ decoders })
      const buffer = Buffer.alloc(5)
      const events: Array<TranscriptEvent> = []
      for (let at = 0; at < input.length; at += 5) {
        const count = input.copy(buffer, 0, at, at + 5)
        events.push(...reader.push(buffer.subarray(0, count)))
      }
      events.push(...reader.end())
      assert.deepStrictEqual(events, run(text).events)
      assert.deepStrictEqual(reader.warnings(), [])
    }
  })

  it("never throws, and gives the same events and warnings for any chunk size", () => {
    const pieces = ["{", "[", "\n", '"', "{\n", "}", "\uFEFF", "x", "[]"]
    const piece = fc.constantFrom('{"demo":"a"}', JSON.stringify(neutral), ...pieces)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), fc.integer({ min: 1, max: 7 }), (pieces, size) => {
        const input = pieces.join("")
        const whole = run(input)
        const cut = run(input, {}, size)
        assert.deepStrictEqual(cut.events, whole.events)
        assert.deepStrictEqual(cut.reader.warnings(), whole.reader.warnings())
      }),
      { numRuns: 60 }
    )
  })
})

const decode = (value: unknown) => {
  const decoding = NeutralTranscript.decoder.start()
  const events = [...decoding.push(value), ...decoding.end()]
  return { events, decoding }
}

const document = (...events: ReadonlyArray<unknown>) => ({ version: 1, events })

const call = (fields: object) => decode(document({ type: "tool_call", tool: "bash", ...fields })).events[0]

const holds = (event: object) => Schema.is(Transcript.Transcript)({ ...transcript([]), events: [event] })

describe("NeutralTranscript", () => {
  it("an event needs only a type, and text or tool", () => {
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

  it("status: a call with a result is completed, a background start running, any other unknown", () => {
    assert.deepInclude(call({ output: "" }), { status: "completed", exitCode: null })
    assert.deepInclude(call({ exitCode: 2 }), { status: "completed", exitCode: 2 })
    assert.deepInclude(call({ background: true, output: "started" }), { status: "running" })
    assert.deepInclude(call({}), { status: null })
    assert.deepInclude(call({ status: "denied", output: "no" }), { status: "denied" })
  })

  it("an invalid event is left out and reported, and the others keep their positions", () => {
    const { decoding, events } = decode(
      document({ type: "user_message", text: 5 }, null, { type: "wish" }, { type: "user_message", text: "a", extra: 1 })
    )
    const found = events.map((event) => "id" in event && event.id)
    assert.deepStrictEqual(found, ["e3"])
    assert.deepStrictEqual(decoding.skipped(), { user_message: 1, untyped: 1, wish: 1 })
    const problems = decoding.problems?.() ?? []
    assert.strictEqual(problems.length, 3)
    assert.match(problems[0] ?? "", /^event 0 \(user_message\): text: /)
  })

  it("gives the session, and its mode as the first event", () => {
    const about = { host: "codex", sessionId: "s", cwd: "/repo", mode: "plan" } as const
    const { decoding, events } = decode({ ...document(), ...about })
    assert.deepStrictEqual(events, [{ type: "mode_change", at: null, mode: "plan" }])
    assert.deepStrictEqual(decoding.session(), { ...about, parentSessionId: null })
  })

  it("reports header fields of a wrong type and reads on", () => {
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

  it("refuses numbers that JSON cannot write", () => {
    const numbered = { turn: user("do it"), outputTokens: agent("done"), exitCode: made("bash", null) }
    for (const [key, event] of Object.entries(numbered))
      assert.deepStrictEqual(
        [1, Number.POSITIVE_INFINITY, Number.NaN].map((number) => holds({ ...event, [key]: number })),
        [true, false, false],
        key
      )
  })

  it("a transcript in memory and the same one decoded have the same events", () => {
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

const asked = { type: "user_message", text: "Fix the rounding and run npm test." } as const
const done = { type: "assistant_message", text: "Fixed, and npm test passes.", completed: true } as const

describe("Transcript.make", () => {
  it("needs nothing but events", () => {
    const { events, ...session } = Transcript.make({ events: [asked, done] })
    const unknown = { sessionId: null, parentSessionId: null, cwd: null, mode: "unknown" } as const
    assert.deepStrictEqual(session, { version: 1, host: "transcript", ...unknown })
    assert.deepStrictEqual(events, [user(asked.text), agent(done.text)])
  })

  it("keeps the given fields, and can be extended", () => {
    const call = { type: "tool_call", id: "t1", tool: "bash", input: { command: "npm test" }, exitCode: 1 } as const
    const given = { sessionId: "s1", cwd: "/repo", mode: "build", attended: false } as const
    const first = Transcript.make({ ...given, events: [asked, call] })
    assert.include(first, given)
    assert.include(first.events[1], { id: "t1", exitCode: 1, status: null, output: null })
    const second = Transcript.make({ ...first, events: [...first.events, done] })
    assert.deepStrictEqual(second.events.slice(0, 2), first.events)
  })

  it("returns a value that Transcript.Transcript decodes", () => {
    const made = Transcript.make({ events: [asked, { type: "notice", kind: "compacted" }, done] })
    assert.deepStrictEqual(Schema.decodeUnknownSync(Transcript.Transcript)(JSON.parse(JSON.stringify(made))), made)
  })

  it("the error names a field that no type has checked", () => {
    const wrong: object = { events: [{ type: "tool_call" }] }
    assert.throws(() => Transcript.make({ events: [], ...wrong }), /"tool"/)
  })
})

describe("a session without parentSessionId", () => {
  const whole = Transcript.make({ events: [asked, done] })

  it("is not a subagent's, also if the field is missing or undefined", () => {
    const { parentSessionId: _, ...without } = whole
    const untyped: ReadonlyArray<unknown> = [without, { ...without, parentSessionId: undefined }]
    for (const transcript of untyped) {
      const verdict: unknown = Reflect.apply(Judgment.judge, undefined, [transcript])
      assert.deepStrictEqual(verdict, Judgment.judge(whole))
    }
    assert.isTrue(Judgment.judge(whole).shouldContinue)
  })

  it("a session with parentSessionId is never nudged", () => {
    assert.isFalse(Judgment.judge({ ...whole, parentSessionId: "root" }).shouldContinue)
  })
})
