import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as SubagentMerge from "@reflexion/core/internal/session/transcript/SubagentMerge"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { expect } from "vitest"
import { worksWith } from "../../core/test/support/works.ts"
import * as ClaudeCodeSidechains from "../src/ClaudeCodeSidechains.ts"
import * as ClaudeCodeTranscript from "../src/ClaudeCodeTranscript.ts"

const works = worksWith(NodeContext.layer)

it("recorded sessions of Claude Code decode without warnings and match the golden file", async () => {
  const recordings = await Effect.runPromise(Effect.provide(Recordings.list("claude-code"), NodeContext.layer))
  const digests: Array<string> = []
  for (const { file, name } of recordings) {
    const record = Decoding.decode(ClaudeCodeTranscript.decoder, readFileSync(file))
    assert.deepStrictEqual([record.reader.host(), record.reader.warningCount()], ["claude-code", 0], name)
    const { cwd, sessionId } = record.reader.session()
    assert.isTrue(cwd !== null && sessionId !== null, name)
    digests.push(`${name}: ${Decoding.digest(record)}\n`)
  }
  await expect(digests.join("")).toMatchFileSnapshot("recordings.txt")
})

works("a recorded session has its subagent's commands, before the main agent's last call", function* () {
  const file = `${Recordings.folder("claude-code")}/subagent.jsonl`
  const calls = yield* ClaudeCodeSidechains.read(file)
  assert.isAbove(calls.length, 0)
  assert.isTrue(calls.every((call) => call.agentId !== null && call.status !== "pending"))
  const merge = SubagentMerge.make(calls)
  const { events } = Decoding.decode(ClaudeCodeTranscript.decoder, readFileSync(file))
  const merged = [...merge.push(events), ...merge.end()]
  const agents = merged.flatMap((event) => (event.type === "tool_call" ? [event.agentId] : []))
  assert.isBelow(
    agents.findLastIndex((agent) => agent !== null),
    agents.lastIndexOf(null)
  )
  assert.strictEqual(agents.filter((agent) => agent !== null).length, calls.length)
})
