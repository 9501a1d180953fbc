import type { TranscriptEvent } from "@reflexion/core/Transcript"
import type { TranscriptDecoder } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { notice, user } from "../support/events.ts"

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
  it("finds the format by content and replays what came before", () => {
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
  ])("reads a whole document %s, however it is cut", (_, text) => {
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

  it("reads lines whose first is cut off", () => {
    for (const first of ['{"demo":"cut', '{"demo":', 'tail of a line"}']) {
      const { reader, texts } = run(`${first}\n{"demo":"a"}\n{"demo":"b"}\n`)
      assert.deepStrictEqual(texts, ["a", "b"])
      assert.strictEqual(reader.warnings()[0]?.line, 1)
    }
  })

  it("reads what is too long for a document as lines", () => {
    const rows = Array.from({ length: 50 }, () => '{"demo":"row"}').join("\n")
    const { texts } = run(`{"open":\n${rows}`, { maxLineBytes: 100 }, 10)
    assert.strictEqual(texts.length, 50)
  })

  it("reads as the host it is told, and says what it tried", () => {
    const forced = run('{"x":1}\n', { host: "demo" })
    assert.deepStrictEqual([forced.texts, forced.reader.tried()], [['{"x":1}'], ["demo"]])
    assert.deepStrictEqual(run('{"x":1}\n', { host: "nobody" }).reader.tried(), [])
  })

  it("decodes nothing from an unknown format, in bounded memory, and counts it", () => {
    const { events, reader } = run('{"x":1}\n'.repeat(2_000))
    assert.deepStrictEqual([events, reader.host(), reader.decoded()], [[], null, 0])
    assert.deepStrictEqual([reader.skipped(), reader.tried()], [{ unrecognised: 2_000 }, ["transcript", "demo"]])
  })

  it("keeps a hundred warnings and counts all", () => {
    const { reader } = run(`{"demo":"a"}\n${"broken\n".repeat(250)}`)
    assert.deepStrictEqual([reader.warnings().length, reader.warningCount(), reader.warnings()[0]?.line], [100, 250, 2])
  })

  it("does not hold on to a read buffer that is used again", () => {
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

  it("never throws, and is the same however the bytes are cut", () => {
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
