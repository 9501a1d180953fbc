import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as CopilotTranscript from "../src/CopilotTranscript.ts"

const line = (type: string, data: object, more: object = {}) => ({ type, data, id: "e1", parentId: "e0", ...more })

const started = line("session.start", { sessionId: "s1", producer: "copilot-agent", context: { cwd: "/repo" } })

const prompt = (content: string, more: object) => line("user.message", { content, ...more })

const bash = (id: string, input: object = {}) =>
  line("tool.execution_start", { toolCallId: id, toolName: "bash", arguments: { command: "npm test", ...input } })

const ended = (id: string, content: string, more: object = {}) =>
  line("tool.execution_complete", { toolCallId: id, success: true, result: { content }, ...more })

const failed = (id: string, code: string) =>
  line("tool.execution_complete", { toolCallId: id, success: false, error: { message: "no", code } })

const brief = (...lines: ReadonlyArray<object>) =>
  Decoding.brief(Decoding.fold(CopilotTranscript, [started, ...lines])[0])

describe("a message with the user's role", () => {
  it.each([
    [{ delivery: "idle" }, "user 0: go"],
    [{}, "user 0: go"],
    [{ delivery: "queued", agentMode: "interactive" }, "user 0: go"],
    [{ delivery: "queued" }, "synthetic: go"],
    [{ delivery: "idle", source: "skill-x" }, "synthetic: go"],
    [{ delivery: "steering", agentMode: "interactive" }, "user 0: go"]
  ])("%j is %s", (more, said) => {
    assert.deepStrictEqual(brief(prompt("go", more)), [said])
  })

  it("joins the turn if it was typed during the turn, and otherwise begins one", () => {
    const typed = brief(prompt("a", { delivery: "idle" }), prompt("b", { delivery: "steering" }), prompt("c", {}))
    assert.deepStrictEqual(typed, ["user 0: a", "user 0: b", "user 1: c"])
    assert.deepStrictEqual(
      [prompt("b", { delivery: "steering" }), prompt("c", {}), started].map(CopilotTranscript.begins),
      [false, true, false]
    )
  })

  it("names the mode of its turn", () => {
    const planned = brief(prompt("a", { agentMode: "plan" }), prompt("b", { agentMode: "autopilot" }))
    assert.deepStrictEqual(planned, ["mode: plan", "user 0: a", "mode: build", "user 1: b"])
  })
})

describe("a call", () => {
  it.each([
    [ended("c1", "ok\n<shellId: 0 completed with exit code 3>"), "error 3", "ok"],
    [ended("c1", "ok", { shellExecution: { exitCode: 0 } }), "completed 0", "ok"],
    [
      ended("c1", 'ok\n\nTool "bash" succeeded. Additional guidance from postToolUse hooks:\nrun it'),
      "completed",
      "ok"
    ],
    [ended("c1", "late <command with shellId: 7 is still running after 30 seconds.>"), "running", "late <command"],
    [failed("c1", "denied"), "denied", "no"],
    [failed("c1", "rejected"), "denied", "no"],
    [failed("c1", "interrupted"), "interrupted", "no"],
    [failed("c1", "failure"), "error", "no"]
  ])("that ends with %j is %s", (end, state, output) => {
    const [events] = Decoding.fold(CopilotTranscript, [started, bash("c1"), end])
    assert.strictEqual(Decoding.brief(events)[1], `bash c1 ${state}`)
    const call = events[1]
    assert.isTrue(call?.type === "tool_call" && call.output?.startsWith(output))
    assert.deepStrictEqual(brief(end), [])
  })

  it("in the background ends with its output, with its shell, or with the host", () => {
    const begun = [bash("c1"), ended("c1", "<command started in background with shellId: s>")]
    const read = { toolCallId: "c2", toolName: "read_bash", arguments: { shellId: "s" } }
    const stop = { toolCallId: "c3", toolName: "stop_bash", arguments: { shellId: "s" } }
    const polled = [line("tool.execution_start", read), ended("c2", "x\n<shellId: s completed with exit code 2>")]
    const stopped = [line("tool.execution_start", stop), ended("c3", "stopped")]
    assert.strictEqual(brief(...begun, ...polled).at(-1), "bash c1 error 2")
    assert.strictEqual(brief(...begun, ...stopped).at(-1), "bash c1 interrupted")
    assert.strictEqual(brief(...begun, line("session.resume", {})).at(-1), "bash c1 interrupted")
    const server = [bash("c1", { detach: true }), begun[1] ?? {}]
    assert.strictEqual(brief(...server, line("session.resume", {})).at(-1), "bash c1 running")
  })

  it("that a subagent's abort ends is only the subagent's", () => {
    const calls = [bash("c1"), { ...bash("c2"), agentId: "a1" }]
    const abort = line("abort", { reason: "subagent_cancelled" }, { agentId: "a1" })
    assert.deepStrictEqual(brief(...calls, abort).slice(2), ["bash c2 interrupted"])
  })
})
