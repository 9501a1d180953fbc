import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { expect } from "vitest"
import * as GeminiAgents from "../src/GeminiAgents.ts"
import * as GeminiTranscript from "../src/GeminiTranscript.ts"

const list = () => Effect.runPromise(Effect.provide(Recordings.list("gemini"), NodeContext.layer))

it("recorded sessions of Gemini CLI decode without warnings and match the golden file", async () => {
  const digests: Array<string> = []
  for (const { file, name, sidechains } of await list()) {
    const bytes = readFileSync(file)
    const record = Decoding.decode(GeminiTranscript.decoder, bytes)
    assert.deepStrictEqual([record.reader.host(), record.reader.warningCount()], ["gemini", 0], name)
    assert.isNotNull(record.reader.session().sessionId, name)
    assert.notMatch(bytes.toString(), /\/root\/|\/work\/|This is the Gemini CLI/, name)
    const texts = Decoding.texts(record.events)
    assert.strictEqual(new Set(texts).size, texts.length, name)
    digests.push(`${name}: ${Decoding.digest(record)}; ${texts.length} texts\n`)
    for (const agent of sidechains) {
      const { reader } = Decoding.decode(GeminiTranscript.decoder, readFileSync(agent))
      assert.deepInclude(reader.session(), { cwd: "/home/dev/shop", parentSessionId: "unknown" })
    }
  }
  await expect(digests.join("")).toMatchFileSnapshot("recordings.txt")
})

it("the calls of a subagent have its id", async () => {
  const file = `${Recordings.folder("gemini")}/subagent/session-2026-11-30T23-04-ba4db853.jsonl`
  const calls = await Effect.runPromise(Effect.provide(GeminiAgents.read(file), NodeContext.layer))
  assert.deepStrictEqual(
    calls.map(({ agentId, exitCode, tool }) => [agentId?.slice(0, 8), tool, exitCode]),
    [
      ["f947d8a5", "run_shell_command", 0],
      ["f947d8a5", "complete_task", null]
    ]
  )
})
