import { assert, describe, it } from "@effect/vitest"
import type { ToolCall } from "@reflexion/core/Transcript"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { readdirSync, readFileSync } from "node:fs"
import * as AgentRollouts from "../src/AgentRollouts.ts"
import * as CodexTranscript from "../src/CodexTranscript.ts"

const folder = `${Recordings.folder("codex")}/subagent/subagents`

const files = readdirSync(folder).map((name) => `${folder}/${name}`)

const headOf = (file: string) => readFileSync(file).subarray(0, AgentRollouts.headBytes).toString("latin1")

const [meta = "{}"] = readFileSync(`${Recordings.folder("codex")}/subagent.jsonl`, "utf8").split("\n")

const sessionId: unknown = JSON.parse(meta).payload.id

const callsOf = (file: string) => {
  const calls: Array<ToolCall> = []
  let state = CodexTranscript.initial
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const [next, more] = AgentRollouts.step(state, JSON.parse(line), file)
    state = next
    calls.push(...more)
  }
  return calls
}

describe("AgentRollouts", () => {
  it("knows an agent's rollout by its first bytes, and no other session's", () => {
    assert.isNotEmpty(files)
    for (const file of files) {
      assert.isTrue(AgentRollouts.isOf(headOf(file), String(sessionId)))
      assert.isFalse(AgentRollouts.isOf(headOf(file), "01a200fd-0000-7000-8000-000000000000"))
    }
    assert.isFalse(AgentRollouts.isOf(meta.slice(0, AgentRollouts.headBytes), String(sessionId)))
  })

  it("keeps what an agent ran, under the agent's name", () => {
    const [file = ""] = files
    const agentId = AgentRollouts.threadOf(file)
    assert.match(agentId, /^[0-9a-f-]{36}$/)
    const calls = callsOf(file)
    assert.deepStrictEqual(
      [...new Set(calls.map((call) => [call.tool, call.agentId].join(" ")))],
      [`exec_command ${agentId}`]
    )
    assert.strictEqual(calls.at(-1)?.exitCode, 0)
    assert.isTrue(calls.every(({ id }) => id?.startsWith(`${agentId}/`)))
  })

  it("passes over what is no line of a rollout", () => {
    for (const value of [null, 7, "text", [], {}, { type: "event_msg" }, { type: {}, payload: [] }]) {
      assert.deepStrictEqual(AgentRollouts.step(CodexTranscript.initial, value, "x.jsonl")[1], [])
    }
  })
})
