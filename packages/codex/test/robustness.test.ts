import { assert, describe, it } from "@effect/vitest"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Mangled from "@reflexion/testing/samples/Mangled"
import { FastCheck as fc } from "effect"
import * as CodexTranscript from "../src/CodexTranscript.ts"
import {
  asked,
  call,
  completed,
  custom,
  done,
  event,
  exited,
  item,
  line,
  meta,
  numbered,
  oldRollout,
  output,
  running,
  said,
  started,
  told
} from "./support/lines.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const ran = { type: "CommandExecution", id: "c1", command: ["bash", "-lc", "make"], status: "failed", exit_code: 1 }

const samples: ReadonlyArray<object> = [
  meta(),
  meta({ source: { subagent: { thread_spawn: { parent_thread_id: "p" } } } }),
  line("turn_context", { cwd: "/repo", model: "m", collaboration_mode: { mode: "plan" } }),
  started({ collaboration_mode_kind: "plan" }),
  ...asked("fix it"),
  numbered(told("fix it", ["user.text"])),
  numbered(told('<hook_prompt hook_run_id="x">a &lt; b</hook_prompt>', ["unknown"])),
  told('<subagent_notification>{"agent_path":"a1","status":{"completed":"x"}}</subagent_notification>'),
  done({ type: "UserMessage", id: "u1", content: [{ type: "text", text: "fix it" }] }),
  done({ type: "AgentMessage", id: "m1", content: [{ type: "Text", text: "done" }] }),
  event({ type: "agent_message", message: "done" }),
  said("done", { phase: "final_answer" }),
  numbered(said("a summary")),
  line("compacted", { message: "", replacement_history: [] }),
  call("c1", "exec_command", { cmd: "make", workdir: "/repo" }),
  output("c1", exited(1, "no")),
  output("c1", running(7, "half")),
  call("c2", "write_stdin", { session_id: 7, chars: "" }),
  output("c2", exited(0, "rest")),
  call("c3", "shell", { command: ["bash", "-lc", "make"] }),
  output("c3", '{"output":"no","metadata":{"exit_code":1}}'),
  done({ ...ran, aggregated_output: "no", cwd: "file:///repo" }),
  done({ ...ran, id: "exec-1", exit_code: 0, aggregated_output: "ok" }),
  event({ ...ran, type: "exec_command_end", call_id: "c1", aggregated_output: "no" }),
  custom("c4", "exec", 'const r = await tools.exec_command({cmd:"make",workdir:"/repo"});\ntext(r.output)'),
  output("c4", [
    { text: "Script completed\nWall time 0.1 seconds\nOutput:\n" },
    { text: '{"exit_code":1,"output":"x"}' }
  ]),
  output("c4", "Script running with cell ID 20\nWall time 1 seconds\nOutput:\n"),
  call("c5", "wait", { cell_id: "20" }),
  output("c5", [{ text: "Script completed\nWall time 0.1 seconds\nOutput:\n" }]),
  custom("c6", "apply_patch", "*** Begin Patch\n*** Update File: a.js\n@@\n-1\n+2\n*** End Patch"),
  done({ type: "FileChange", id: "c6", status: "completed", changes: { a: { type: "add", content: "x" } } }),
  event({ type: "patch_apply_end", call_id: "c6", success: true, changes: {} }),
  call("c7", "update_plan", { plan: [{ step: "a", status: "pending" }] }),
  output("c7", "Plan updated"),
  call("c8", "spawn_agent", { message: "x" }),
  output("c8", '{"agent_id":"a1"}'),
  call("c9", "wait_agent", { targets: ["a1"] }),
  output("c9", '{"status":{"a1":{"completed":"x"}}}'),
  item({ type: "agent_message", author: "a1", content: [{ text: "Message Type: FINAL_ANSWER" }] }),
  item({ type: "web_search_call", status: "completed", action: { query: "q" } }),
  item({ type: "local_shell_call", call_id: "c10", action: { command: ["ls"], working_directory: "/" } }),
  event({ type: "mcp_tool_call_end", call_id: "c11", invocation: { server: "s", tool: "t" }, result: { Ok: {} } }),
  event({ type: "turn_aborted", reason: "interrupted" }),
  completed({ error: { message: "usage limit" } }),
  { type: "thread.started", thread_id: "s1" },
  { type: "item.started", item: { id: "item_0", type: "command_execution", command: "bash -lc 'make'" } },
  { type: "item.completed", item: { id: "item_0", type: "command_execution", status: "completed", exit_code: 0 } },
  { type: "item.completed", item: { id: "item_1", type: "file_change", changes: [{ path: "a", kind: "add" }] } },
  { type: "item.updated", item: { id: "item_2", type: "todo_list", items: [{ text: "a", completed: true }] } },
  { type: "turn.failed", error: { message: "no" } },
  { type: "message", role: "user", content: "bare" },
  ...oldRollout("/repo")
]

const parts = ["c1", "a1"]

const value = Mangled.value(samples, parts)

const text = Mangled.line(samples, parts)

describe("mangled records", () => {
  it("never make the decoder throw, and decode the same however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), fc.integer({ min: 1, max: 200 }), (lines, size) => {
        const input = bytes(lines.join("\n"))
        const whole = Decoding.decode(CodexTranscript.decoder, input)
        assert.deepStrictEqual(Decoding.decode(CodexTranscript.decoder, input, size).events, whole.events)
      }),
      { numRuns: 60 }
    )
  })

  it("settle no call that was not issued, and number turns upwards", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), (values) => {
        const issued = new Set<string | null>()
        let turn = -1
        for (const one of Decoding.fold(CodexTranscript, values)[0]) {
          if (one.type === "tool_call" && one.status === "pending") issued.add(one.id)
          if (one.type === "tool_call") assert.isTrue(issued.has(one.id))
          if (one.type !== "user_message" || one.synthetic) continue
          assert.isAtLeast(one.turn ?? -1, turn)
          turn = one.turn ?? turn
        }
      }),
      { numRuns: 60 }
    )
  })
})

const long = "0123456789abcdef".repeat(4096)

const ids = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `i${index}`)

describe("large records", () => {
  it("are decoded without being held", () => {
    const reader = TranscriptReader.make({ decoders: [CodexTranscript.decoder] })
    reader.push(bytes(`${JSON.stringify(meta())}\n`))
    const before = Decoding.heldBytes()
    let fed = 0
    for (const id of ids(500)) {
      const pair = [call(id, "exec_command", { cmd: "make" }), output(id, exited(0, long))]
      const chunk = bytes(pair.map((one) => `${JSON.stringify(one)}\n`).join(""))
      assert.deepStrictEqual(
        reader.push(chunk).map((one) => one.type === "tool_call" && one.status),
        ["pending", "completed"]
      )
      fed += chunk.length
    }
    assert.isAbove(fed, 30 * 1024 * 1024)
    assert.isBelow(Decoding.heldBytes() - before, 16 * 1024 * 1024)
  })

  it.each([
    "<hook_prompt",
    "</hook_prompt>",
    "&lt;",
    "Chunk ID: a\n",
    "Output:\n",
    "Command: ",
    "cmd:'",
    '"',
    "\\",
    "tools.",
    "/*"
  ])("with much of %j in a message, an output and a script are decoded into a small state", (unit) => {
    const much = unit.repeat(Math.floor(200_000 / unit.length))
    let state = CodexTranscript.initial
    for (const one of [
      told(much),
      told(`<hook_prompt a="b">${much}`),
      told(`<subagent_notification>${much}`),
      call("c1", "exec_command", { cmd: `bash -lc '${much}'` }),
      output("c1", much),
      call("c2", "exec_command", { cmd: "make" }),
      output("c2", `Command: ${much}\nWall time: 1 seconds\n${much}\nOutput:\n`),
      custom("c3", "exec", much),
      custom("c4", "exec", `tools.exec_command({cmd:"${much}`),
      output("c3", [{ text: `Script completed\n${much}` }]),
      call("c5", "shell_command", { command: `bash -lc "${much}"` }),
      custom("c6", "apply_patch", much)
    ]) {
      state = CodexTranscript.step(state, one)[0]
    }
    // A quadratic scan would end at the limit of a test.
    assert.isBelow(JSON.stringify(state).length, 1_000_000)
  })
})
