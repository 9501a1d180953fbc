import { assert, describe, it } from "@effect/vitest"
import * as OpenCodeAgents from "../src/decoder/OpenCodeAgents.ts"
import * as OpenCodeTranscript from "../src/decoder/OpenCodeTranscript.ts"
import { agent, bash, exported, ms, text, tool, user } from "./support/messages.ts"

const task = (id: string, sessionId: unknown) => {
  const ended = { input: { prompt: "x" }, output: "<task_result>x</task_result>", time: { start: ms(1), end: ms(20) } }
  return tool(id, "task", { status: "completed", metadata: { parentSessionId: "ses_1", sessionId }, ...ended })
}

const tasks = [task("t1", "ses_2"), task("t2", "ses_3"), task("t3", "ses_2"), task("t4", 7), bash("t5", "ls", 0)]

const parent = exported([user("u1", 0, "delegate"), agent("a1", 1, tasks), agent("a2", 30, [text("done")])])

const child = (id: string, exit: number) => {
  const edit = { status: "completed", input: { filePath: "a.js", oldString: "1", newString: "2" } }
  const did = [bash("t1", "npm test", exit, "y".repeat(9000)), tool("t2", "edit", edit), tool("t3", "read", edit)]
  return exported([user("u1", 2, "x"), agent("a1", 3, [...did, text("done")])], { id, parentID: "ses_1" })
}

describe("a session's agents", () => {
  it("are named by its task calls, each once", () => {
    for (const one of [parent, parent["messages"]])
      assert.deepStrictEqual(OpenCodeAgents.children(one), ["ses_2", "ses_3"])
    assert.deepStrictEqual(OpenCodeAgents.children(null), [])
  })

  it("ran commands and edited files under names of their own, among the session's where they ended", () => {
    const calls = [child("ses_2", 1), child("ses_3", 0)].flatMap(OpenCodeAgents.calls)
    assert.deepStrictEqual(
      calls.slice(0, 2).map((one) => [one.id, one.agentId, one.tool, one.status, one.exitCode].join(" ")),
      ["ses_2/t1 ses_2 bash error 1", "ses_2/t2 ses_2 edit completed "]
    )
    assert.isBelow(calls[0]?.output?.length ?? 0, 5000)
    const [, events] = OpenCodeTranscript.step(OpenCodeTranscript.initial, parent)
    const ids = OpenCodeAgents.merged(events, calls).flatMap((one) => (one.type === "tool_call" ? [one.id] : []))
    assert.deepStrictEqual(ids, ["ses_2/t1", "ses_2/t2", "ses_3/t1", "ses_3/t2", "t1", "t2", "t3", "t4", "t5"])
  })
})
