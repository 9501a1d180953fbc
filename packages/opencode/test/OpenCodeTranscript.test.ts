import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Failure from "../src/decoder/Failure.ts"
import * as OpenCodeAgents from "../src/decoder/OpenCodeAgents.ts"
import * as OpenCodeTranscript from "../src/decoder/OpenCodeTranscript.ts"
import { agent, bash, exported, info, ms, text, tool, user } from "./support/messages.ts"

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
    const parent = { ...known, parentSessionId: "ses_0", mode: "unknown" } as const
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

const failedAt = "2026-03-02T09:00:00.000Z"

const error = (responseHeaders: object, message = "Too many requests", statusCode = 429) => ({
  name: "APIError",
  data: { message, statusCode, isRetryable: true, responseHeaders }
})

const cases: ReadonlyArray<readonly [string, unknown, string | null]> = [
  ["seconds in the header", error({ "retry-after": "90" }), "2026-03-02T09:01:30.000Z"],
  ["a date in the header", error({ "retry-after": "Mon, 02 Mar 2026 10:00:00 GMT" }), "2026-03-02T10:00:00.000Z"],
  ["milliseconds in the header", error({ "retry-after-ms": "1500" }), "2026-03-02T09:00:01.500Z"],
  ["the later of header and message", error({ "retry-after": "1" }, "resets in 2 hours"), "2026-03-02T12:00:00.000Z"],
  [
    "only the message",
    error({}, "5-hour usage limit reached. It will reset in 4 hours.", 403),
    "2026-03-02T14:00:00.000Z"
  ],
  ["a long message before the header", error({ "retry-after": "90" }, "x".repeat(9000)), "2026-03-02T09:01:30.000Z"],
  ["no time", error({}), null],
  ["an unreadable header", error({ "retry-after": "soon" }), null],
  ["a year", error({ "retry-after": "31536000" }), null],
  ["no limit", error({ "retry-after": "90" }, "Internal error", 500), null],
  ["an abort", { name: "MessageAbortedError", data: { message: "retry in 5 s, 429" } }, null]
]

describe("a service answers again where its error has", () => {
  it.each(cases)("%s", (_, given, expected) => {
    assert.strictEqual(Failure.limitEnd(given, failedAt), expected === null ? null : Date.parse(expected))
  })
})

const task = (id: string, sessionId: unknown) => {
  const ended = { input: { prompt: "x" }, output: "<task_result>x</task_result>", time: { start: ms(1), end: ms(20) } }
  return tool(id, "task", { status: "completed", metadata: { parentSessionId: "ses_1", sessionId }, ...ended })
}

const tasks = [task("t1", "ses_2"), task("t2", "ses_3"), task("t3", "ses_2"), task("t4", 7), bash("t5", "ls", 0)]

const parent = exported([user("u1", 0, "delegate"), agent("a1", 1, tasks), agent("a2", 30, [text("done")])])

const child = (id: string, exit: number) => {
  const edit = { status: "completed", input: { filePath: "a.js", oldString: "1", newString: "2" } }
  const did = [bash("t1", "npm test", exit, "y".repeat(9000)), tool("t2", "edit", edit), tool("t3", "read", edit)]
  return exported([user("u1", 2, "x"), agent("a1", 3, [...did, text("done")])], { id, parentID: "ses_1" })
}

describe("a session's agents", () => {
  it("are named by its task calls, each once", () => {
    for (const one of [parent, parent["messages"]])
      assert.deepStrictEqual(OpenCodeAgents.children(one), ["ses_2", "ses_3"])
    assert.deepStrictEqual(OpenCodeAgents.children(null), [])
  })

  it("ran commands and edited files under names of their own, among the session's where they ended", () => {
    const calls = [child("ses_2", 1), child("ses_3", 0)].flatMap(OpenCodeAgents.calls)
    assert.deepStrictEqual(
      calls.slice(0, 2).map((one) => [one.id, one.agentId, one.tool, one.status, one.exitCode].join(" ")),
      ["ses_2/t1 ses_2 bash error 1", "ses_2/t2 ses_2 edit completed "]
    )
    assert.isBelow(calls[0]?.output?.length ?? 0, 5000)
    const [, events] = OpenCodeTranscript.step(OpenCodeTranscript.initial, parent)
    const ids = OpenCodeAgents.merged(events, calls).flatMap((one) => (one.type === "tool_call" ? [one.id] : []))
    assert.deepStrictEqual(ids, ["ses_2/t1", "ses_2/t2", "ses_3/t1", "ses_3/t2", "t1", "t2", "t3", "t4", "t5"])
  })
})
