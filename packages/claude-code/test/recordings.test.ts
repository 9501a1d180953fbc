import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import * as ClaudeCodeTranscript from "../src/ClaudeCodeTranscript.ts"
import * as ClaudeCodeSidechains from "../src/ClaudeCodeSidechains.ts"
import * as SubagentMerge from "@reflexion/core/internal/session/transcript/SubagentMerge"

const recorded = (name: string) => {
  const file = `${Recordings.folder("claude-code")}/${name}.jsonl`
  return { file, ...Decoding.decode(ClaudeCodeTranscript.decoder, readFileSync(file)) }
}

describe("recorded sessions", () => {
  it.effect("are decoded whole: no warning, a prompt for each that the user gave, no call left open", () =>
    Effect.gen(function* () {
      const recordings = yield* Recordings.list("claude-code")
      assert.isAbove(recordings.length, 10)
      for (const { file, name } of recordings) {
        const { events, reader } = Decoding.decode(ClaudeCodeTranscript.decoder, readFileSync(file))
        assert.strictEqual(reader.host(), "claude-code", name)
        assert.strictEqual(reader.warningCount(), 0, name)
        assert.isNotNull(reader.session().sessionId, name)
        assert.isNotNull(reader.session().cwd, name)
        assert.deepStrictEqual(Decoding.genuine(events), name === "second-task" ? [0, 1] : [0], name)
        assert.isTrue(
          Decoding.settled(events).every((call) => !call.includes("pending")),
          name
        )
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.each([
    ["fixed-and-tested", []],
    ["second-task", []],
    ["interrupted", ["aborted"]],
    ["compacted", ["compacted"]],
    ["api-error", ["api_error"]]
  ])("%s tells the notices %j", (name, expected) => {
    assert.deepStrictEqual(Decoding.notices(recorded(name).events), expected)
  })

  it.each([
    ["fixed-and-tested", ["Read completed -", "Bash error 1", "Edit completed -", "Bash completed 0"]],
    ["interrupted", ["Bash denied -"]],
    ["background-running", ["Bash running -"]],
    ["background-finished", ["Read completed -", "Edit completed -", "Bash completed 0"]],
    ["tests-before-edit", ["Read completed -", "Bash completed 0", "Edit completed -"]]
  ])("%s settles its calls as %j", (name, expected) => {
    assert.deepStrictEqual(Decoding.settled(recorded(name).events), expected)
  })

  it("permission-denied has a denied command, and plan-mode stays in plan mode", () => {
    assert.strictEqual(Decoding.settled(recorded("permission-denied").events).at(-1), "Bash denied -")
    assert.strictEqual(recorded("plan-mode").reader.session().mode, "plan")
  })

  it.each([
    ["todo-list", ["completed", "in_progress", "pending"]],
    ["stopped-with-todos", ["completed", "pending", "pending", "pending"]]
  ])("%s ends with the todos %j", (name, expected) => {
    const last = recorded(name).events.findLast((event) => event.type === "todo_update")
    assert.deepStrictEqual(
      last?.todos.map((todo): string => todo.status),
      expected
    )
  })

  it.effect("subagent has its subagent's commands, before what came of them", () =>
    Effect.gen(function* () {
      const { events, file } = recorded("subagent")
      const calls = yield* ClaudeCodeSidechains.read(file)
      assert.isAbove(calls.length, 0)
      assert.isTrue(calls.every((call) => call.agentId !== null && call.status !== "pending"))
      const merge = SubagentMerge.make(calls)
      const merged = [...merge.push(events), ...merge.end()]
      const agents = merged.flatMap((event) => (event.type === "tool_call" ? [event.agentId] : []))
      const main = merged.findLastIndex((event) => event.type === "tool_call" && event.agentId === null)
      const side = merged.findLastIndex((event) => event.type === "tool_call" && event.agentId !== null)
      assert.isBelow(side, main)
      assert.strictEqual(agents.filter((agent) => agent !== null).length, calls.length)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
