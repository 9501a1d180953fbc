import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as CodexTranscript from "../src/CodexTranscript.ts"
import { asked, at, custom, done, event, meta, oldRollout, started } from "./support/lines.ts"
import { recorded, rows } from "./support/recorded.ts"

const decodeValues = (...values: ReadonlyArray<unknown>) => Decoding.fold(CodexTranscript, values)[0]

const sessionOf = (...values: ReadonlyArray<unknown>) => {
  let state = CodexTranscript.initial
  for (const value of values) state = CodexTranscript.step(state, value)[0]
  return CodexTranscript.session(state)
}

describe("the session", () => {
  it("is what the first line says, not what a fork copied", () => {
    const forked = meta({ id: "s2", forked_from_id: "s1", cwd: "/repo" })
    assert.deepStrictEqual(sessionOf(forked, meta({ id: "s1", cwd: "/elsewhere" })), {
      host: "codex",
      sessionId: "s2",
      parentSessionId: null,
      cwd: "/repo",
      mode: "unknown",
      attended: true
    })
  })

  it.each([
    [{ originator: "codex_exec", source: "exec" }, false],
    [{ originator: "codex_sdk_ts", source: "exec" }, false],
    [{ originator: "codex_cli_rs", source: "cli" }, true],
    [{ originator: "codex-tui", source: "vscode" }, true],
    [{ originator: "codex_vscode", source: "vscode" }, true],
    [{ originator: "Codex Desktop", source: "vscode" }, true],
    [{ originator: "a_client_of_mine", source: "vscode" }, null],
    [{ originator: undefined, source: undefined }, null]
  ])("has somebody in it by its client: %j", (client, attended) => {
    assert.strictEqual(sessionOf(meta({ id: "s1", cwd: "/repo", ...client })).attended, attended)
  })

  it.each([
    ["codex-screen", true],
    ["codex-exec", false],
    ["codex-exec-resumed-on-screen", null]
  ])("has somebody in it by its record: %s", (name, attended) => {
    assert.strictEqual(sessionOf(...recorded(name)).attended, attended)
  })

  it("has nobody in it where the command's own events tell of it", () => {
    assert.isFalse(sessionOf({ type: "thread.started", thread_id: "s1" }).attended)
  })

  it.each([
    [{ subagent: { thread_spawn: { parent_thread_id: "p1", depth: 1 } } }, {}, "p1"],
    [{ subagent: "review" }, { parent_thread_id: "p2" }, "p2"],
    [{ subagent: "review" }, { session_id: "p3" }, "p3"],
    [{ subagent: "compact" }, {}, "unknown"],
    ["exec", { session_id: "s1", forked_from_id: "p4" }, null]
  ])("of an agent, source %j, has a parent", (source, over, expected) => {
    assert.strictEqual(sessionOf(meta({ source, ...over })).parentSessionId, expected)
  })

  it("has the directory of a URL", () => {
    assert.strictEqual(sessionOf(meta({ cwd: "file:///repo/a" })).cwd, "/repo/a")
  })
})

describe("rollouts of before October 2025", () => {
  it("tell the session by their head and by what the model was told of the directory", () => {
    const { cwd, host, parentSessionId, sessionId } = sessionOf(...oldRollout("/repo"))
    assert.deepStrictEqual(
      { cwd, host, parentSessionId, sessionId },
      {
        host: "codex",
        sessionId: "s1",
        parentSessionId: null,
        cwd: "/repo"
      }
    )
  })

  it("have their calls, a patch as a patch", () => {
    const calls = decodeValues(...oldRollout("/repo")).flatMap((one) => (one.type === "tool_call" ? [one] : []))
    assert.deepStrictEqual(
      calls.map(({ cwd, exitCode, input, status, tool }) => [tool, input, cwd, status, exitCode]),
      [
        ["shell", { command: "make" }, "/repo", "pending", null],
        ["shell", { command: "make" }, "/repo", "error", 1],
        ["apply_patch", { patch: "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch" }, "/repo/b", "pending", null],
        ["apply_patch", { patch: "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch" }, "/repo/b", "completed", 0]
      ]
    )
  })

  it.each([
    ["its head", oldRollout("/repo")[0], true],
    ["its head with git", { id: "s1", timestamp: at(0), instructions: "", git: { branch: "main" } }, true],
    ["a state", { record_type: "state" }, true],
    ["an id and a time alone", { id: "s1", timestamp: at(0) }, false],
    ["a head that has a type", { id: "s1", timestamp: at(0), instructions: "", type: "session" }, false],
    ["an item that any program may write", { type: "message", role: "user", content: [] }, false]
  ])("are known by %s", (_, value, expected) => {
    assert.strictEqual(CodexTranscript.decoder.recognises(value), expected)
  })
})

describe("lines of Codex's", () => {
  it.each(rows)("%s", (_, row) => {
    assert.deepStrictEqual(Decoding.ofRow(CodexTranscript.decoder, row), row.to)
  })

  it("keeps the names of the files of a very long patch", () => {
    const long = `*** Begin Patch\n*** Add File: a.js\n${"+x\n".repeat(50_000)}*** Update File: b.js\n@@\n+y\n*** End Patch`
    const found = decodeValues(meta(), custom("c1", "apply_patch", long)).at(-1)
    const patch = "*** Add File: a.js\n*** Update File: b.js"
    assert.deepStrictEqual(found?.type === "tool_call" ? found.input : null, { patch })
  })
})

describe("the decoder", () => {
  it.each([
    [meta(), true],
    [{ type: "thread.started", thread_id: "s1" }, true],
    [event({ type: "token_count" }), true],
    [{ type: "session_meta", payload: {} }, false],
    [{ type: "user", sessionId: "s1", uuid: "u1" }, false],
    [{ version: 1, events: [] }, false],
    [null, false]
  ])("recognises %j: %s", (value, expected) => {
    assert.strictEqual(CodexTranscript.decoder.recognises(value), expected)
  })

  it("counts what it skips by its type", () => {
    const decoding = CodexTranscript.decoder.start()
    for (const value of [event({ type: "token_count" }), done({ type: "Reasoning" }), 7]) decoding.push(value)
    assert.deepStrictEqual(decoding.skipped(), {
      "event_msg/token_count": 1,
      "event_msg/item_completed/Reasoning": 1,
      untyped: 1
    })
  })

  it("tells times as the record has them", () => {
    const [prompt] = decodeValues({ ...started(), timestamp: at(1) }, { ...asked("go")[1], timestamp: "yesterday-ish" })
    assert.strictEqual(prompt?.at, null)
  })
})
