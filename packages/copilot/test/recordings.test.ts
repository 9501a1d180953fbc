import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { expect } from "vitest"
import * as CopilotTranscript from "../src/CopilotTranscript.ts"

it("recorded sessions of Copilot decode without warnings and match the golden file", async () => {
  const recordings = await Effect.runPromise(Effect.provide(Recordings.list("copilot"), NodeContext.layer))
  const digests: Array<string> = []
  for (const { file, name } of recordings) {
    const text = readFileSync(file, "utf8")
    assert.notMatch(text, /You are the GitHub Copilot|transformedContent|\/root\/|\/work\/|127\.0\.0\.1/, name)
    const record = Decoding.decode(CopilotTranscript.decoder, new TextEncoder().encode(text))
    assert.deepStrictEqual([record.reader.host(), record.reader.warningCount()], ["copilot", 0], name)
    assert.strictEqual(record.reader.session().cwd, "/home/dev/shop", name)
    const texts = Decoding.texts(record.events)
    const agents = record.events.filter((event) => event.type === "tool_call" && event.agentId !== null).length
    digests.push(`${name}: ${Decoding.digest(record)}; ${texts.length} texts; ${agents} of agents\n`)
  }
  await expect(digests.join("")).toMatchFileSnapshot("recordings.txt")
})
