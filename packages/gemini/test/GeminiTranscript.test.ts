import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import { Effect } from "effect"
import * as GeminiSessions from "../src/GeminiSessions.ts"
import * as GeminiTranscript from "../src/GeminiTranscript.ts"
import * as Look from "../src/internal/look.ts"

const timestamp = "2026-01-01T00:00:00.000Z"

const user = (id: string, ...texts: ReadonlyArray<string>) => ({
  id,
  timestamp,
  type: "user",
  content: texts.map((text) => ({ text }))
})

const gemini = (id: string, content: string, ...toolCalls: ReadonlyArray<object>) => ({
  id,
  timestamp,
  type: "gemini",
  content,
  toolCalls
})

const call = (name: string, args: object, response: object, status = "success") => ({
  id: `${name}_1`,
  name,
  args,
  status,
  timestamp,
  result: [{ functionResponse: { response } }]
})

const shell = (text: string) =>
  call("run_shell_command", { command: "x" }, { output: `<untrusted_context>\n${text}\n</untrusted_context>` })

const set = (...messages: ReadonlyArray<object>) => ({ $set: { messages, lastUpdated: timestamp } })

const told = (...values: ReadonlyArray<unknown>) => Decoding.brief(Decoding.fold(GeminiTranscript, values)[0])

const outcome = (text: string) => {
  const [events] = Decoding.fold(GeminiTranscript, [gemini("g", "", shell(text))])
  return events.flatMap((one) => (one.type === "tool_call" ? [one.status, one.exitCode, one.output] : []))
}

describe("the decoder of Gemini CLI", () => {
  it.each<readonly [string, ReadonlyArray<unknown>]>([
    ["Output: out\nExit Code: 3\nProcess Group PGID: 1", ["error", 3, "out"]],
    ["Output: (empty)\nProcess Group PGID: 1", ["completed", 0, ""]],
    [
      "Output: Exit Code: 1\nProcess Group PGID: 7\nmore\nProcess Group PGID: 1",
      ["completed", 0, "Exit Code: 1\nProcess Group PGID: 7\nmore"]
    ],
    ["Output: a\nSignal: 9\nProcess Group PGID: 1", ["error", null, "a"]],
    ["Output: a\nError: spawn\nProcess Group PGID: 1", ["error", null, "a"]],
    ["Output: a\nBackground PIDs: 1, 2\nProcess Group PGID: 1", ["completed", 0, "a"]],
    [
      "Command was cancelled by user before it could complete.",
      ["interrupted", null, "Command was cancelled by user before it could complete."]
    ]
  ])("reads the end of a command: %s", (text, expected) => {
    assert.deepStrictEqual(outcome(text), expected)
  })

  it("says once what the host writes twice, and leaves out what no person wrote", () => {
    const blocked = { id: "w", timestamp, type: "warning", content: "Agent execution blocked: run the tests" }
    const said = told(
      user("u1", "<hook_context>FROM</hook_context>\n\nFix it.", "<hook_context>MORE</hook_context>"),
      gemini("g1", "I fix it."),
      gemini("g1", "I fix it.", call("replace", { file_path: "a.js" }, { output: "done" })),
      { id: "r", timestamp, type: "user", content: [{ functionResponse: { response: { output: "done" } } }] },
      user("u2", "[System: You previously returned an empty response."),
      blocked,
      user("u3", "run the tests"),
      user("u4", "And the next."),
      { ...user("u5"), content: [] },
      { ...user("u6"), content: [{ inlineData: {} }] }
    )
    assert.deepStrictEqual(said, [
      "user 0: Fix it.",
      "agent: I fix it.",
      "replace replace_1 completed",
      "synthetic: [System: You previously returned an empty response.",
      "synthetic: run the tests",
      "user 1: And the next.",
      "user 2: [image]"
    ])
  })

  it("takes nothing from a rewritten history but why it was rewritten", () => {
    const cancelled = { id: "i", timestamp, type: "info", content: "Request cancelled." }
    const start = user("c", "<session_context>here</session_context>")
    const back = ["user 0: Go.", "api_error: the host took the turn back"]
    assert.deepStrictEqual(told(user("u", "Go."), set(start)), back)
    assert.deepStrictEqual(told(user("u", "Go."), cancelled, set(start)), ["user 0: Go.", "aborted: null"])
    assert.deepStrictEqual(told(user("u", "Go."), set(start, user("u", "Go."))), ["user 0: Go."])
    const compacted = told(user("u", "Go."), set(start, user("s", "<state_snapshot>"), user("v", "Go.")))
    assert.deepStrictEqual(compacted, ["user 0: Go.", "compacted: null"])
  })

  it("knows plan mode by its files, and a service's limit by its words", () => {
    const file = { file_path: "../.gemini/tmp/shop/s1/plans/fix.md" }
    const said = told(
      gemini("g1", "", call("write_file", file, { output: "" })),
      gemini("g2", "", call("exit_plan_mode", {}, { output: "Plan approved." })),
      { id: "e", timestamp, type: "error", content: "[API Error: You exceeded your current quota]" }
    )
    const notice = "rate_limited: [API Error: You exceeded your current quota]"
    const [wrote, left] = ["write_file write_file_1 completed", "exit_plan_mode exit_plan_mode_1 completed"] as const
    assert.deepStrictEqual(said, [wrote, "mode: plan", left, "mode: build", notice])
  })
})

it.scoped("the sessions of a folder are found by its `.project_root`, without those that have no message", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const geminiFolder = yield* fs.makeTempDirectoryScoped()
    const files = [
      ["shop", "/repo", "session-1-00000001.jsonl", [user("u", "Go.")]],
      ["shop", "/repo", "session-2-00000002.jsonl", [set(user("c", "<session_context>"))]],
      ["shop-1", "/other/shop", "session-3-00000003.jsonl", [user("u", "Go.")]]
    ] as const
    for (const [index, [name, root, file, lines]] of files.entries()) {
      const record = path.join(geminiFolder, "tmp", name, "chats", file)
      yield* fs.makeDirectory(path.dirname(record), { recursive: true })
      yield* fs.writeFileString(path.join(geminiFolder, "tmp", name, ".project_root"), root)
      yield* fs.writeFileString(record, lines.map((line) => JSON.stringify(line)).join("\n"))
      yield* fs.utimes(record, 1000 + index, 1000 + index)
    }
    const found = yield* GeminiSessions.recent({ cwd: "/repo", geminiFolder, limit: 5 })
    assert.deepStrictEqual(
      found.map((file) => path.basename(file)),
      ["session-1-00000001.jsonl"]
    )
  }).pipe(Effect.provide(NodeContext.layer))
)

it.each([
  [{}, null],
  [{ "/repo": "TRUST_FOLDER" }, "TRUST_FOLDER"],
  [{ "/repo": "TRUST_FOLDER", "/repo/src": "DO_NOT_TRUST" }, "DO_NOT_TRUST"],
  [{ "/repo/lib": "TRUST_PARENT" }, "TRUST_PARENT"],
  [{ "/rep": "TRUST_FOLDER", "/other": "TRUST_FOLDER" }, null]
])("the longest rule decides about trust: %o → %s", (rules, expected) => {
  assert.strictEqual(Look.ruleFor(rules, "/repo/src"), expected)
})
