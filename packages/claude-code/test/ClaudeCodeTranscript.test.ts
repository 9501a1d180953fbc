import * as Decoding from "@reflexion/testing/samples/Decoding"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as ClaudeCodeTranscript from "../src/ClaudeCodeTranscript.ts"

let count = 0

const user = (content: unknown) => ({
  type: "user",
  cwd: "/repo",
  sessionId: "s1",
  uuid: `u${++count}`,
  isSidechain: false,
  timestamp: new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString(),
  message: { content }
})

const decoded = (...lines: ReadonlyArray<unknown>) =>
  Decoding.decode(
    ClaudeCodeTranscript.decoder,
    new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join("\n"))
  )

const recorded = (name: string) =>
  readFileSync(new URL(`../../testing/recordings/attended/${name}.jsonl`, import.meta.url))

const modeOf = (...lines: ReadonlyArray<unknown>) => decoded(...lines).reader.session().mode

describe("lines of a Claude Code session", () => {
  it.each(Decoding.rows(new URL("decoder.rows.jsonl", import.meta.url)))("%s", (_, row) => {
    assert.deepStrictEqual(Decoding.ofRow(ClaudeCodeTranscript.decoder, row), row.to)
  })

  it("long outputs and inputs keep only their beginning and end", () => {
    const long = `a${"x".repeat(400_000)}z`
    const use = { type: "tool_use", id: "t1", name: "Write", input: { file_path: "f", content: long } }
    const result = { type: "tool_result", tool_use_id: "t1", content: long }
    const { events } = decoded(
      { ...user(""), type: "assistant", message: { id: "m1", content: [use] } },
      user([result])
    )
    const settled = events.at(-1)
    if (settled?.type !== "tool_call") return assert.fail("no call")
    const output = settled.output ?? ""
    assert.isBelow(output.length, 132_000)
    assert.isTrue(output.startsWith("ax") && output.endsWith("xz"))
    assert.isBelow(JSON.stringify(settled.input).length, 20_000)
  })

  it("counts unused lines by type, parsed or not", () => {
    const { reader } = decoded(
      user("a"),
      { ...user("b"), type: "from-the-future", payload: {} },
      { parentUuid: null, cwd: "/x", type: "progress", data: { type: "bash_progress", output: "…" } },
      { type: "file-history-snapshot", messageId: "m", snapshot: {} }
    )
    assert.deepStrictEqual(reader.skipped(), {
      "from-the-future": 1,
      "progress/bash_progress": 1,
      "file-history-snapshot": 1
    })
  })

  it("a mode set after a stop applies only from the next turn", () => {
    const stopped = [
      { ...user("a"), permissionMode: "default" },
      { type: "permission-mode", permissionMode: "plan", sessionId: "s1" }
    ]
    assert.deepStrictEqual([modeOf(...stopped), modeOf(...stopped, user("b"))], ["build", "plan"])
  })

  it("the first lines identify the session", () => {
    const { reader } = decoded(user("a"), { ...user("b"), cwd: "/elsewhere", sessionId: "s2" })
    assert.deepStrictEqual(reader.session(), {
      host: "claude-code",
      sessionId: "s1",
      parentSessionId: null,
      cwd: "/repo",
      mode: "unknown",
      attended: null
    })
  })

  it("a record is a subagent's only if all its messages are", () => {
    const side = { ...user("a"), isSidechain: true }
    assert.strictEqual(decoded(side, side).reader.session().parentSessionId, "s1")
    assert.isNull(decoded(side, user("b"), side).reader.session().parentSessionId)
  })

  it("the last entry point says whether the session is attended", () => {
    for (const [entrypoints, attended] of [
      ["cli claude-vscode claude-desktop", true],
      ["sdk-cli sdk-ts sdk-py", false],
      ["remote", null]
    ] as const)
      for (const entrypoint of entrypoints.split(" ")) {
        const lines = [
          { ...user("a"), entrypoint: attended === true ? "sdk-cli" : "cli" },
          { ...user("b"), entrypoint }
        ]
        assert.strictEqual(decoded(...lines).reader.session().attended, attended, entrypoint)
        assert.strictEqual(decoded(...lines, user("c")).reader.session().attended, attended, "a line without one")
      }
    for (const [name, attended] of [
      ["claude-code-screen", true],
      ["claude-code-print", false],
      ["claude-code-resumed-by-print", false]
    ] as const)
      assert.strictEqual(
        Decoding.decode(ClaudeCodeTranscript.decoder, recorded(name)).reader.session().attended,
        attended,
        name
      )
  })
})
