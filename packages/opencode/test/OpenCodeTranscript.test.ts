import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as OpenCodeTranscript from "../src/decoder/OpenCodeTranscript.ts"
import { agent, exported, info, user } from "./support/messages.ts"

const { brief } = Decoding

const sessionOf = (...values: ReadonlyArray<unknown>) => {
  let state = OpenCodeTranscript.initial
  for (const value of values) state = OpenCodeTranscript.step(state, value)[0]
  return OpenCodeTranscript.session(state)
}

const known = { host: "opencode", sessionId: "ses_1", parentSessionId: null, cwd: "/repo", attended: null }

describe("the session", () => {
  it("is the export's with its parent, its own record's, or a message's where nothing else names it", () => {
    assert.strictEqual(sessionOf(exported([user("u1", 0, "plan it", { agent: "plan" })])).mode, "plan")
    const child = { parentID: "ses_0" }
    const parent = { ...known, parentSessionId: "ses_0", mode: "unknown" }
    for (const one of [exported([], child), info(child), { info: info(child) }])
      assert.deepStrictEqual(sessionOf(one), parent)
    assert.deepStrictEqual(sessionOf(user("u1", 0, "go"), agent("a1", 1, "ok")), { ...known, mode: "build" })
  })

  it.each([
    ["opencode-run", false],
    ["opencode-screen", null]
  ])("has nobody in it where its record says that nobody may be asked: %s", (name, attended) => {
    const file = new URL(`../../testing/recordings/attended/${name}.json`, import.meta.url)
    assert.strictEqual(sessionOf(JSON.parse(readFileSync(file, "utf8"))).attended, attended)
  })
})

describe("messages of OpenCode's", () => {
  it.each(Decoding.rows(new URL("decoder.rows.jsonl", import.meta.url)))("%s", (_, row) => {
    assert.deepStrictEqual(Decoding.ofRow(OpenCodeTranscript.decoder, row), row.to)
  })
})

describe("an export", () => {
  it("is recognised, as are its messages, and what other programs write is not", () => {
    const { recognises } = OpenCodeTranscript.decoder
    for (const one of [exported([]), [user("u1", 0, "a")], agent("a1", 1, "b")]) assert.isTrue(recognises(one))
    const others = [info(), [], { messages: [] }, "text", null, { type: "user", sessionId: "s", message: {} }]
    const streamed = { type: "text", timestamp: 1, sessionID: "s", part: {} }
    for (const one of [...others, streamed, { role: "user", content: "x" }])
      assert.isFalse(recognises(one), JSON.stringify(one))
  })

  it.each<[string, unknown]>([
    ["as it is printed", exported([user("u1", 0, "a"), agent("a1", 1, "b")])],
    ["that is its messages alone", [user("u1", 0, "a"), agent("a1", 1, "b")]]
  ])("%s is read whole", (_, value) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value, null, 2))
    const { events, reader } = Decoding.decode(OpenCodeTranscript.decoder, bytes)
    assert.deepStrictEqual(brief(events), ["user 0: a", "mode: build", "agent: b"])
    assert.deepStrictEqual([reader.host(), reader.warningCount()], ["opencode", 0])
  })
})
