import { assert, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as CopilotTranscript from "../src/CopilotTranscript.ts"

const line = (type: string, data: object, more: object = {}) => ({ type, data, id: "e1", parentId: "e0", ...more })

const started = line("session.start", { sessionId: "s1", producer: "copilot-agent", context: { cwd: "/repo" } })

const prompt = (content: string, more: object) => line("user.message", { content, ...more })

const bash = (id: string) =>
  line("tool.execution_start", { toolCallId: id, toolName: "bash", arguments: { command: "npm test" } })

const ended = (id: string, content: string) =>
  line("tool.execution_complete", { toolCallId: id, success: true, result: { content } })

const failed = (id: string, code: string) =>
  line("tool.execution_complete", { toolCallId: id, success: false, error: { message: "no", code } })

const brief = (...lines: ReadonlyArray<object>) =>
  Decoding.brief(Decoding.fold(CopilotTranscript, [started, ...lines])[0])

it("separates the user's messages from those of hooks and the host, and counts turns", () => {
  const queued = [prompt("a", { delivery: "queued" }), prompt("b", { delivery: "queued", agentMode: "plan" })]
  const joined = [prompt("c", { delivery: "steering", agentMode: "plan" }), prompt("d", { source: "skill-x" })]
  assert.deepStrictEqual(brief(prompt("go", {}), ...queued, ...joined, prompt("e", { delivery: "idle" })), [
    "user 0: go",
    "synthetic: a",
    "mode: plan",
    "user 1: b",
    "user 1: c",
    "synthetic: d",
    "mode: build",
    "user 2: e"
  ])
})

it.each([
  [ended("c1", "ok\n<shellId: 0 completed with exit code 3>"), "error 3", "ok"],
  [ended("c1", 'ok\n\nTool "bash" succeeded. Additional guidance from postToolUse hooks:\nrun it'), "completed", "ok"],
  [ended("c1", "late <command with shellId: 7 is still running after 30 seconds.>"), "running", "late <command"],
  [failed("c1", "denied"), "denied", "no"],
  [failed("c1", "rejected"), "denied", "no"],
  [failed("c1", "interrupted"), "interrupted", "no"],
  [failed("c1", "failure"), "error", "no"]
])("a call that ends with %j is %s", (end, state, output) => {
  const [events] = Decoding.fold(CopilotTranscript, [started, bash("c1"), end])
  const call = events[1]
  assert.strictEqual(Decoding.brief(events)[1], `bash c1 ${state}`)
  assert.isTrue(call?.type === "tool_call" && call.output?.startsWith(output))
  assert.deepStrictEqual(brief(end), [])
})

it("background work ends with its last output or a stop; an agent's, with the agent", () => {
  const begun = [bash("c1"), ended("c1", "<command started in background with shellId: s>")]
  const call = (toolName: string) =>
    line("tool.execution_start", { toolCallId: "c2", toolName, arguments: { shellId: "s" } })
  const polled = [call("read_bash"), ended("c2", "x\n<shellId: s completed with exit code 2>")]
  assert.strictEqual(brief(...begun, ...polled).at(-1), "bash c1 error 2")
  assert.strictEqual(brief(...begun, call("stop_bash"), ended("c2", "stopped")).at(-1), "bash c1 interrupted")
  const agent = [call("task"), ended("c2", "Agent started in background with agent_id: a1. Wait.")]
  const over = line("subagent.completed", { toolCallId: "c2" }, { agentId: "a1" })
  assert.deepStrictEqual(brief(...agent, over).slice(1), ["task c2 running", "task c2 completed"])
})

it("an aborted subagent ends only its own calls", () => {
  const calls = [bash("c1"), { ...bash("c2"), agentId: "a1" }]
  const abort = line("abort", { reason: "subagent_cancelled" }, { agentId: "a1" })
  assert.deepStrictEqual(brief(...calls, abort).slice(2), ["bash c2 interrupted"])
})
