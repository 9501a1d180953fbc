import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as CodexTranscript from "../src/CodexTranscript.ts"
import { asked, at, custom, done, event, meta, started } from "./support/lines.ts"
import { recorded, rows } from "./support/recorded.ts"

const decodeValues = (...values: ReadonlyArray<unknown>) => Decoding.fold(CodexTranscript, values)[0]

const sessionOf = (...values: ReadonlyArray<unknown>) => {
  let state = CodexTranscript.initial
  for (const value of values) state = CodexTranscript.step(state, value)[0]
  return CodexTranscript.session(state)
}

describe("the session", () => {
  it("comes from the first line, not from lines that a fork copied", () => {
    const forked = meta({ id: "s2", forked_from_id: "s1", cwd: "file:///repo" })
    assert.deepStrictEqual(sessionOf(forked, meta({ id: "s1", cwd: "/elsewhere" })), {
      host: "codex",
      sessionId: "s2",
      parentSessionId: null,
      cwd: "/repo",
      mode: "unknown",
      attended: true
    })
  })

  it("the client or the record says whether the session is attended", () => {
    for (const [originator, source, attended] of [
      ["codex_exec", "exec", false],
      ["codex_sdk_ts", "exec", false],
      ["codex_cli_rs", "cli", true],
      ["codex-tui", "vscode", true],
      ["codex_vscode", "vscode", true],
      ["Codex Desktop", "vscode", true],
      ["a_client_of_mine", "vscode", null],
      [undefined, undefined, null]
    ] as const)
      assert.strictEqual(sessionOf(meta({ originator, source })).attended, attended, originator)
    for (const [name, attended] of [
      ["codex-screen", true],
      ["codex-exec", false],
      ["codex-exec-resumed-on-screen", null]
    ] as const)
      assert.strictEqual(sessionOf(...recorded(name)).attended, attended, name)
    assert.isFalse(sessionOf({ type: "thread.started", thread_id: "s1" }).attended)
  })

  it.each([
    [{ subagent: { thread_spawn: { parent_thread_id: "p1", depth: 1 } } }, {}, "p1"],
    [{ subagent: "review" }, { parent_thread_id: "p2" }, "p2"],
    [{ subagent: "review" }, { session_id: "p3" }, "p3"],
    [{ subagent: "compact" }, {}, "unknown"],
    ["exec", { session_id: "s1", forked_from_id: "p4" }, null]
  ])("has the right parent, source %j", (source, over, expected) => {
    assert.strictEqual(sessionOf(meta({ source, ...over })).parentSessionId, expected)
  })
})

describe("lines of a Codex rollout", () => {
  it.each(rows)("%s", (_, row) => {
    assert.deepStrictEqual(Decoding.ofRow(CodexTranscript.decoder, row), row.to)
  })

  it("a very long patch keeps its file names", () => {
    const long = `*** Begin Patch\n*** Add File: a.js\n${"+x\n".repeat(50_000)}*** Update File: b.js\n@@\n+y\n*** End Patch`
    const found = decodeValues(meta(), custom("c1", "apply_patch", long)).at(-1)
    const patch = "*** Add File: a.js\n*** Update File: b.js"
    assert.deepStrictEqual(found?.type === "tool_call" ? found.input : null, { patch })
  })
})

describe("the decoder", () => {
  it.each<readonly [unknown, boolean]>([
    [meta(), true],
    [{ type: "thread.started", thread_id: "s1" }, true],
    [event({ type: "token_count" }), true],
    [{ id: "s1", timestamp: at(0) }, false],
    [{ id: "s1", timestamp: at(0), instructions: "", type: "session" }, false],
    [{ type: "message", role: "user", content: [] }, false],
    [{ type: "session_meta", payload: {} }, false],
    [{ type: "user", sessionId: "s1", uuid: "u1" }, false],
    [{ version: 1, events: [] }, false],
    [null, false]
  ])("recognises %j: %s", (value, expected) => {
    assert.strictEqual(CodexTranscript.decoder.recognises(value), expected)
  })

  it("counts skipped lines by type", () => {
    const decoding = CodexTranscript.decoder.start()
    for (const value of [event({ type: "token_count" }), done({ type: "Reasoning" }), 7]) decoding.push(value)
    assert.deepStrictEqual(decoding.skipped(), {
      "event_msg/token_count": 1,
      "event_msg/item_completed/Reasoning": 1,
      untyped: 1
    })
  })

  it("uses the record's times", () => {
    const [prompt] = decodeValues({ ...started(), timestamp: at(1) }, { ...asked("go")[1], timestamp: "yesterday-ish" })
    assert.strictEqual(prompt?.at, null)
  })
})
