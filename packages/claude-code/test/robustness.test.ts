import { assert, describe, it } from "@effect/vitest"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Mangled from "@reflexion/testing/samples/Mangled"
import { FastCheck as fc } from "effect"
import * as ClaudeCodeTranscript from "../src/ClaudeCodeTranscript.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const common = {
  parentUuid: null,
  isSidechain: false,
  cwd: "/repo",
  sessionId: "s1",
  timestamp: "2026-01-01T00:00:00Z"
}

const records: ReadonlyArray<object> = [
  { ...common, type: "user", message: { role: "user", content: "fix it" }, permissionMode: "plan" },
  {
    ...common,
    type: "assistant",
    message: {
      id: "m1",
      model: "x",
      content: [{ type: "text", text: "on it" }],
      stop_reason: "end_turn",
      usage: { output_tokens: 3 }
    }
  },
  {
    ...common,
    type: "assistant",
    message: {
      content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "make", run_in_background: true } }]
    }
  },
  {
    ...common,
    type: "user",
    message: {
      content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "ok" }], is_error: false }]
    },
    toolUseResult: { stdout: "ok", stderr: "", backgroundTaskId: "b1" }
  },
  {
    ...common,
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "Exit code 1", is_error: true }] },
    toolUseResult: "Error: Exit code 1"
  },
  {
    ...common,
    type: "user",
    message: {
      content:
        "<task-notification><task-id>b1</task-id><status>completed</status><summary>x (exit code 0)</summary></task-notification>"
    }
  },
  {
    ...common,
    type: "assistant",
    message: {
      content: [
        { type: "tool_use", id: "t2", name: "TodoWrite", input: { todos: [{ content: "a", status: "pending" }] } }
      ]
    }
  },
  {
    ...common,
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: "t2", content: "ok" }] },
    toolUseResult: { newTodos: [] }
  },
  {
    ...common,
    type: "assistant",
    message: {
      content: [{ type: "tool_use", id: "t3", name: "TaskUpdate", input: { taskId: "1", status: "completed" } }]
    }
  },
  {
    ...common,
    type: "attachment",
    attachment: { type: "queued_command", prompt: "also", commandMode: "prompt", origin: { kind: "human" } }
  },
  {
    ...common,
    type: "attachment",
    attachment: { type: "hook_additional_context", hookEvent: "Stop", content: ["again"] }
  },
  {
    ...common,
    type: "progress",
    data: {
      type: "agent_progress",
      agentId: "a1",
      message: { type: "assistant", message: { content: [{ type: "tool_use", id: "t4", name: "Edit", input: {} }] } }
    }
  },
  { ...common, type: "system", subtype: "api_error", error: { status: 529 }, retryAttempt: 1, maxRetries: 10 },
  { ...common, type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "auto" } },
  { type: "queue-operation", operation: "enqueue", content: "x", sessionId: "s1" },
  { type: "permission-mode", permissionMode: "plan", sessionId: "s1" },
  { type: "tool_use", name: "bash", input: { command: "ls" }, sessionId: "s1", uuid: "u9" },
  { type: "tool_result", name: "bash", output: "ok", sessionId: "s1", uuid: "u10" }
]

const samples = records.map((record, index) => ({ uuid: `u${index}`, ...record }))

const mutated = Mangled.mutated(samples)

const line = Mangled.line(samples)

describe("mangled transcripts", () => {
  it("never make the decoder throw, and decode the same however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 1, max: 200 }), (lines, size) => {
        const input = bytes(lines.join("\n"))
        const whole = Decoding.decode(ClaudeCodeTranscript.decoder, input)
        assert.deepStrictEqual(Decoding.decode(ClaudeCodeTranscript.decoder, input, size).events, whole.events)
        for (const event of whole.events) assert.isString(event.type)
      }),
      { numRuns: 60 }
    )
  })

  it("settle no call that was not issued, whatever the order of the lines", () => {
    fc.assert(
      fc.property(fc.array(mutated, { maxLength: 30 }), (values) => {
        let state = ClaudeCodeTranscript.initial
        const issued = new Set<string | null>()
        for (const value of values) {
          const [next, events] = ClaudeCodeTranscript.step(state, value)
          state = next
          for (const event of events) {
            if (event.type !== "tool_call") continue
            if (event.status === "pending") issued.add(event.id)
            assert.isTrue(issued.has(event.id))
          }
        }
      }),
      { numRuns: 60 }
    )
  })
})

const output = "0123456789abcdef".repeat(4096)

const turns = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, turn) => `t${turn}`)

const use = (id: string, name: string, input: object) => ({
  ...common,
  type: "assistant",
  message: { content: [{ type: "tool_use", id, name, input }] }
})

const result = (id: string, toolUseResult: unknown) => ({
  ...common,
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: id, content: output }] },
  toolUseResult
})

describe("large transcripts", () => {
  it("are decoded without being held", () => {
    const reader = TranscriptReader.make({ decoders: [ClaudeCodeTranscript.decoder] })
    const before = Decoding.heldBytes()
    let fed = 0
    for (const id of turns(300)) {
      const pair = [use(id, "Bash", { command: "make" }), result(id, { stdout: output, stderr: "" })]
      const chunk = bytes(pair.map((value) => `${JSON.stringify(value)}\n`).join(""))
      assert.deepStrictEqual(
        reader.push(chunk).map((event) => event.type === "tool_call" && event.status),
        ["pending", "completed"]
      )
      fed += chunk.length
    }
    assert.isAbove(fed, 36 * 1024 * 1024)
    assert.isBelow(Decoding.heldBytes() - before, 16 * 1024 * 1024)
  })

  it.each(["<system-reminder>", "</system-reminder>", "<command-name>", "9", "(", "Exit code 9", "\\"])(
    "with much of %s in a prompt and a result are decoded into a small state",
    (unit) => {
      const text = unit.repeat(Math.floor(200_000 / unit.length))
      let state = ClaudeCodeTranscript.initial
      for (const value of [
        { ...common, type: "user", message: { content: text } },
        { ...common, type: "user", message: { content: `<task-notification>${text}` } },
        { ...common, type: "user", message: { content: `<command-message>${text}` } },
        samples[2],
        {
          ...common,
          type: "user",
          message: { content: [{ type: "tool_result", tool_use_id: "t1", content: text, is_error: true }] }
        }
      ]) {
        state = ClaudeCodeTranscript.step(state, value)[0]
      }
      // A quadratic scan would end at the limit of a test.
      assert.isBelow(JSON.stringify(state).length, 1_000_000)
    }
  )
})
