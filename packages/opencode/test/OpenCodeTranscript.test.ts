import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as OpenCodeTranscript from "../src/decoder/OpenCodeTranscript.ts"
import { agent, exported, info, user } from "./support/messages.ts"

const { brief } = Decoding

const sessionOf = (...values: ReadonlyArray<unknown>) => {
  let state = OpenCodeTranscript.initial
  for (const value of values) state = OpenCodeTranscript.step(state, value)[0]
  return OpenCodeTranscript.session(state)
}

describe("the session", () => {
  it("is the export's, with its parent", () => {
    assert.deepStrictEqual(sessionOf(exported([], { parentID: "ses_0" })), {
      host: "opencode",
      sessionId: "ses_1",
      parentSessionId: "ses_0",
      cwd: "/repo",
      mode: "unknown",
      attended: null
    })
  })

  it("is known from a message where nothing else names it", () => {
    assert.deepStrictEqual(sessionOf(user("u1", 0, "go"), agent("a1", 1, "ok")), {
      host: "opencode",
      sessionId: "ses_1",
      parentSessionId: null,
      cwd: "/repo",
      mode: "build",
      attended: null
    })
  })

  it.each([
    ["opencode-run", false],
    ["opencode-screen", null]
  ])("has nobody in it where its record says that nobody may be asked: %s", (name, attended) => {
    const file = new URL(`../../testing/recordings/attended/${name}.json`, import.meta.url)
    assert.strictEqual(sessionOf(JSON.parse(readFileSync(file, "utf8"))).attended, attended)
  })

  it.each([[info({ parentID: "ses_0" })], [{ info: info({ parentID: "ses_0" }) }]])(
    "is known from its own record %#",
    (value) => {
      assert.strictEqual(sessionOf(value).parentSessionId, "ses_0")
    }
  )

  it("is in the mode of its last agent", () => {
    const plan = user("u1", 0, "plan it", { agent: "plan" })
    assert.strictEqual(sessionOf(exported([plan])).mode, "plan")
    const events = brief(
      Decoding.fold(OpenCodeTranscript, [exported([plan, agent("a1", 1, "so"), user("u2", 3, "do it")])])[0]
    )
    assert.deepStrictEqual(events, ["user 0: plan it", "mode: plan", "agent: so", "user 1: do it", "mode: build"])
  })
})

describe("messages of OpenCode's", () => {
  it.each(Decoding.rows(new URL("decoder.rows.jsonl", import.meta.url)))("%s", (_, row) => {
    assert.deepStrictEqual(Decoding.ofRow(OpenCodeTranscript.decoder, row), row.to)
  })
})

describe("what is recognised", () => {
  it.each<[unknown, boolean]>([
    [exported([]), true],
    [[user("u1", 0, "a")], true],
    [agent("a1", 1, "b"), true],
    [{ type: "text", timestamp: 1, sessionID: "s", part: {} }, false],
    [info(), false],
    [[], false],
    [{ messages: [] }, false],
    [{ role: "user", content: "x" }, false],
    [{ type: "user", sessionId: "s", message: {} }, false],
    ["text", false],
    [null, false]
  ])("%j: %j", (value, expected) => {
    assert.strictEqual(OpenCodeTranscript.decoder.recognises(value), expected)
  })

  it.each<[string, unknown]>([
    ["an export as it is printed", exported([user("u1", 0, "a"), agent("a1", 1, "b")])],
    ["the messages alone", [user("u1", 0, "a"), agent("a1", 1, "b")]]
  ])("%s is read whole", (_, value) => {
    const reader = TranscriptReader.make({ decoders: [OpenCodeTranscript.decoder] })
    const events = [...reader.push(new TextEncoder().encode(JSON.stringify(value, null, 2))), ...reader.end()]
    assert.deepStrictEqual(brief(events), ["user 0: a", "mode: build", "agent: b"])
    assert.deepStrictEqual([reader.host(), reader.warningCount()], ["opencode", 0])
  })
})
