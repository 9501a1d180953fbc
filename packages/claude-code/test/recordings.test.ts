import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as Recordings from "@reflexion/testing/Recordings"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import * as ClaudeCodeSidechains from "../src/ClaudeCodeSidechains.ts"
import * as SubagentMerge from "@reflexion/core/SubagentMerge"
import { decode } from "./support/corpus.ts"

const recorded = (name: string) => {
  const file = `${Recordings.folder("claude-code")}/${name}.jsonl`
  return { file, ...decode(readFileSync(file)) }
}

const genuine = (events: ReadonlyArray<TranscriptEvent>) =>
  events.flatMap((event) => (event.type === "user_message" && !event.synthetic ? [event.turn] : []))

/** Every call's last state, in the order in which the calls were issued. */
const settled = (events: ReadonlyArray<TranscriptEvent>) => {
  const calls = new Map<string | null, string>()
  for (const event of events) {
    if (event.type !== "tool_call") continue
    calls.set(event.id, [event.tool, event.status, event.exitCode ?? "-"].join(" "))
  }
  return [...calls.values()]
}

describe("recorded sessions", () => {
  it.effect("are decoded whole: no warning, a prompt for each that the user gave, no call left open", () =>
    Effect.gen(function* () {
      const recordings = yield* Recordings.list("claude-code")
      assert.isAbove(recordings.length, 10)
      for (const { file, name } of recordings) {
        const { events, reader } = decode(readFileSync(file))
        assert.strictEqual(reader.host(), "claude-code", name)
        assert.strictEqual(reader.warningCount(), 0, name)
        assert.isNotNull(reader.session().sessionId, name)
        assert.isNotNull(reader.session().cwd, name)
        assert.deepStrictEqual(genuine(events), name === "second-task" ? [0, 1] : [0], name)
        assert.isTrue(
          settled(events).every((call) => !call.includes("pending")),
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
    const kinds = recorded(name).events.flatMap((event): ReadonlyArray<string> =>
      event.type === "notice" ? [event.kind] : []
    )
    assert.deepStrictEqual(kinds, expected)
  })

  it.each([
    ["fixed-and-tested", ["Read completed -", "Bash error 1", "Edit completed -", "Bash completed 0"]],
    ["interrupted", ["Bash denied -"]],
    ["background-running", ["Bash running -"]],
    ["background-finished", ["Read completed -", "Edit completed -", "Bash completed 0"]],
    ["tests-before-edit", ["Read completed -", "Bash completed 0", "Edit completed -"]]
  ])("%s settles its calls as %j", (name, expected) => {
    assert.deepStrictEqual(settled(recorded(name).events), expected)
  })

  it("permission-denied has a denied command, and plan-mode stays in plan mode", () => {
    assert.strictEqual(settled(recorded("permission-denied").events).at(-1), "Bash denied -")
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
