import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import { ConfigProvider, Effect } from "effect"
import { worksWith } from "../../core/test/support/works.ts"
import * as ClaudeCodeSessions from "../src/ClaudeCodeSessions.ts"
import * as ClaudeCodeSidechains from "../src/ClaudeCodeSidechains.ts"
import * as SubagentMerge from "@reflexion/core/internal/session/transcript/SubagentMerge"

const works = worksWith(NodeContext.layer)

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

const write = (file: string, ...lines: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    yield* fs.writeFileString(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  })

const call = (id: string, name: string, input: object, extra: object = {}) => [
  { type: "assistant", timestamp: at(1), message: { content: [{ type: "tool_use", id, name, input }] }, ...extra },
  {
    type: "user",
    timestamp: at(2),
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "x".repeat(20_000) }] },
    ...extra
  }
]

describe("ClaudeCodeSidechains", () => {
  works(
    "reads the commands and edits of the session's subagents, clipped, and nothing of other sessions",
    function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      const prompt = { type: "user", timestamp: at(0), sessionId: "s1", message: { content: "task" } }
      yield* write(`${directory}/s1.jsonl`, prompt)
      yield* write(
        `${directory}/s1/subagents/agent-a1.jsonl`,
        prompt,
        ...call("t1", "Bash", { command: "make" }),
        ...call("t2", "Read", { file_path: "a" }),
        ...call("t3", "Edit", { file_path: "a", new_string: "y".repeat(20_000), nested: { a: 1 } })
      )
      yield* write(`${directory}/s1/subagents/workflows/w1/agent-a2.jsonl`, ...call("t4", "Bash", { command: "ls" }))
      const calls = yield* ClaudeCodeSidechains.read(`${directory}/s1.jsonl`)
      assert.sameDeepMembers(
        calls.map(({ agentId, id, status }) => [id, agentId, status]),
        [
          ["t1", "a1", "completed"],
          ["t3", "a1", "completed"],
          ["t4", "a2", "completed"]
        ]
      )
      for (const one of calls) assert.isBelow(one.output?.length ?? 0, 4_200)
      assert.deepStrictEqual(yield* ClaudeCodeSidechains.read(`${directory}/missing/s1.jsonl`), [])
    }
  )
})

const toolCall = (id: string, endedAt: string | null): ToolCall => ({
  type: "tool_call",
  id,
  at: null,
  endedAt,
  tool: "Bash",
  input: null,
  cwd: null,
  background: false,
  agentId: "a1",
  status: "completed",
  exitCode: 0,
  output: null
})

const message = (id: string, time: string | null): TranscriptEvent => ({
  type: "user_message",
  id,
  at: time,
  text: id,
  synthetic: false
})

const ids = (events: ReadonlyArray<TranscriptEvent>) => events.flatMap((event) => ("id" in event ? [event.id] : []))

describe("SubagentMerge", () => {
  it("puts each call before the first event that is later than its end", () => {
    const merge = SubagentMerge.make([
      toolCall("c9", at(9)),
      toolCall("c?", null),
      toolCall("c3", at(3)),
      toolCall("c1", at(1))
    ])
    assert.deepStrictEqual(ids(merge.push([message("m0", at(0)), message("m?", null), message("m3", at(3))])), [
      "m0",
      "m?",
      "c1",
      "c3",
      "m3"
    ])
    assert.deepStrictEqual(ids(merge.push([message("m4", at(4))])), ["m4"])
    assert.deepStrictEqual(ids(merge.end()), ["c9", "c?"])
    assert.deepStrictEqual(merge.end(), [])
  })
})

const found = (env: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ClaudeCodeSessions.configDirectory, ConfigProvider.fromMap(new Map(Object.entries(env))))

describe("ClaudeCodeSessions", () => {
  works("finds the newest session of exactly this directory", function* () {
    const fs = yield* FileSystem.FileSystem
    const configDirectory = yield* fs.makeTempDirectoryScoped()
    const cwd = "/no/such/my_app.v2"
    const folder = `${configDirectory}/projects/-no-such-my-app-v2`
    const newest = ClaudeCodeSessions.recent({ cwd, configDirectory, limit: 1 })
    assert.deepStrictEqual(yield* newest, [])
    const session = (name: string, second: number, ...lines: ReadonlyArray<object>) =>
      write(`${folder}/${name}`, ...lines).pipe(Effect.zipRight(fs.utimes(`${folder}/${name}`, second, second)))
    yield* session("old.jsonl", 10, { type: "user", cwd })
    yield* session("new.jsonl", 20, { type: "summary" }, { type: "user", cwd })
    yield* session("twin.jsonl", 30, { type: "user", cwd: "/no/such/my/app/v2" })
    yield* session("empty.jsonl", 40)
    yield* session("agent-a1.jsonl", 50, { type: "user", cwd })
    assert.deepStrictEqual(yield* newest, [`${folder}/new.jsonl`])
  })

  works("looks in CLAUDE_CONFIG_DIR, else in the home directory", function* () {
    assert.strictEqual(yield* found({ HOME: "/home/me" }), "/home/me/.claude")
    assert.strictEqual(yield* found({ HOME: "/home/me", CLAUDE_CONFIG_DIR: "/elsewhere" }), "/elsewhere")
  })
})
