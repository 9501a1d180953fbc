import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { worksWith } from "../../core/test/support/works.ts"
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
  it("comes from the export or its own record, with the parent, else from a message", () => {
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
  ])("is unattended if its record says that nobody may be asked: %s", (name, attended) => {
    const file = new URL(`../../testing/recordings/attended/${name}.json`, import.meta.url)
    assert.strictEqual(sessionOf(JSON.parse(readFileSync(file, "utf8"))).attended, attended)
  })
})

describe("messages of OpenCode", () => {
  it.each(Decoding.rows(new URL("decoder.rows.jsonl", import.meta.url)))("%s", (_, row) => {
    assert.deepStrictEqual(Decoding.ofRow(OpenCodeTranscript.decoder, row), row.to)
  })
})

describe("an export", () => {
  it("is recognised, as are its messages; other programs' files are not", () => {
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

describe("the end of a usage limit, from an error with", () => {
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
  it("its task calls name each agent once", () => {
    for (const one of [parent, parent["messages"]])
      assert.deepStrictEqual(OpenCodeAgents.children(one), ["ses_2", "ses_3"])
    assert.deepStrictEqual(OpenCodeAgents.children(null), [])
  })

  it("their calls have ids of their own and come where they ended in the session", () => {
    const calls = [child("ses_2", 1), child("ses_3", 0)].flatMap(OpenCodeAgents.calls)
    const told = calls.slice(0, 2).map((one) => [one.id, one.agentId, one.tool, one.status, one.exitCode].join(" "))
    assert.deepStrictEqual(told, ["ses_2/t1 ses_2 bash error 1", "ses_2/t2 ses_2 edit completed "])
    assert.isBelow(calls[0]?.output?.length ?? 0, 5000)
    const [, events] = OpenCodeTranscript.step(OpenCodeTranscript.initial, parent)
    const ids = OpenCodeAgents.merged(events, calls).flatMap((one) => (one.type === "tool_call" ? [one.id] : []))
    assert.deepStrictEqual(ids, ["ses_2/t1", "ses_2/t2", "ses_3/t1", "ses_3/t2", "t1", "t2", "t3", "t4", "t5"])
  })
})

const onDisk = worksWith(NodeContext.layer)

const fileOf = (name: string): string => `${Recordings.folder("opencode")}/${name}.json`

const recorded = (name: string) => Decoding.decode(OpenCodeTranscript.decoder, readFileSync(fileOf(name)))

/** The sessions in which a person wrote more than once. */
const prompts: Readonly<Record<string, ReadonlyArray<number>>> = {
  "second-task": [0, 1],
  "compacted-by-user": [0, 1],
  "queued-prompt": [0, 0],
  "user-shell": [0, 1]
}

describe("recorded sessions", () => {
  onDisk("decode without warnings, whole or by message: one turn per prompt, no open call", function* () {
    const recordings = yield* Recordings.list("opencode")
    assert.isAbove(recordings.length, 10)
    for (const { file, name } of recordings) {
      const { events, reader } = Decoding.decode(OpenCodeTranscript.decoder, readFileSync(file), 1000)
      assert.strictEqual(reader.warningCount(), 0, name)
      const mode = name === "plan-mode" ? ("plan" as const) : ("build" as const)
      assert.deepInclude(
        reader.session(),
        { host: "opencode", parentSessionId: null, cwd: "/home/dev/shop", mode },
        name
      )
      assert.match(reader.session().sessionId ?? "", /^ses_/, name)
      assert.deepStrictEqual(Decoding.genuine(events), prompts[name] ?? [0], name)
      const isOpen = Decoding.settled(events).some((one) => /pending|running/.test(one))
      assert.strictEqual(isOpen, name === "killed" || name === "background-running", name)
      assert.strictEqual(new Set(Decoding.texts(events)).size, Decoding.texts(events).length, name)
      const exported = JSON.parse(readFileSync(file, "utf8"))
      const [atOnce] = Decoding.fold(OpenCodeTranscript, [exported])
      const [oneByOne] = Decoding.fold(OpenCodeTranscript, [{ info: exported.info }, ...exported.messages])
      assert.deepStrictEqual(oneByOne, atOnce, name)
    }
  })

  it.each<[name: string, notices: string, calls?: string]>([
    ["fixed-and-tested", "", "read completed -, bash error 1, edit completed -, bash completed 0"],
    ["interrupted", "aborted", "bash interrupted -"],
    ["killed", "", "bash running -"],
    ["compacted", "compacted"],
    ["compacted-by-user", "compacted"],
    ["api-error", "api_error"],
    ["permission-denied", "", "edit completed -, bash denied -"],
    ["question-answered", "", "question completed -"],
    ["user-shell", "", "edit completed -"],
    ["subagent", "", "task completed -"],
    ["background-running", "", "task running -"],
    ["background-finished", "", "task completed -"]
  ])("%s has the notices %j and the calls %j", (name, notices, calls) => {
    const { events } = recorded(name)
    assert.strictEqual(Decoding.notices(events).join(), notices)
    if (calls !== undefined) assert.strictEqual(Decoding.settled(events).join(", "), calls)
  })

  it.each(["compacted", "compacted-by-user"])("%s: the compaction's summary is not among the agent's texts", (name) => {
    const exported: string = readFileSync(fileOf(name), "utf8")
    const summaries = JSON.parse(exported).messages.filter(
      (message: { info: { summary?: unknown } }) => message.info.summary === true
    )
    assert.strictEqual(summaries.length, 1)
    const said = summaries[0].parts.find((part: { type: string }) => part.type === "text").text
    assert.notInclude(Decoding.texts(recorded(name).events), said)
  })

  it("stopped-with-todos ends with the current list", () => {
    const last = recorded("stopped-with-todos").events.findLast((event) => event.type === "todo_update")
    assert.strictEqual(last?.todos.map((todo): string => todo.status).join(), "completed,in_progress,pending")
  })

  onDisk("in subagent, the agent is a separate session that names its parent", function* () {
    const recordings = yield* Recordings.list("opencode")
    const { file = "", sidechains = [] } = recordings.find(({ name }) => name === "subagent") ?? {}
    const parent = JSON.parse(readFileSync(file, "utf8"))
    assert.strictEqual(sidechains.length, 1)
    for (const agent of sidechains) {
      const session = Decoding.decode(OpenCodeTranscript.decoder, readFileSync(agent)).reader.session()
      assert.strictEqual(session.parentSessionId, parent.info.id)
      assert.deepStrictEqual(OpenCodeAgents.children(parent), [session.sessionId ?? "none"])
    }
    assert.isNotEmpty(yield* OpenCodeAgents.read(file))
  })
})
