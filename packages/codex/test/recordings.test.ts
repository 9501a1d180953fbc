import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { expect } from "vitest"
import * as CodexTranscript from "../src/CodexTranscript.ts"

const recorded = (name: string) =>
  Decoding.decode(CodexTranscript.decoder, readFileSync(`${Recordings.folder("codex")}/${name}.jsonl`))

it("recorded sessions of Codex decode without warnings and match the golden file", async () => {
  const recordings = await Effect.runPromise(Effect.provide(Recordings.list("codex"), NodeContext.layer))
  const digests: Array<string> = []
  for (const { file, name, sidechains = [] } of recordings) {
    const record = Decoding.decode(CodexTranscript.decoder, readFileSync(file))
    assert.deepStrictEqual([record.reader.host(), record.reader.warningCount()], ["codex", 0], name)
    const { cwd, parentSessionId, sessionId } = record.reader.session()
    assert.isNotNull(sessionId, name)
    assert.deepStrictEqual([cwd, parentSessionId], [name === "exec-stream" ? null : "/home/dev/shop", null], name)
    const texts = Decoding.texts(record.events)
    assert.strictEqual(new Set(texts).size, texts.length, name)
    digests.push(`${name}: ${Decoding.digest(record)}; ${texts.length} texts\n`)
    for (const agent of sidechains) {
      const { reader } = Decoding.decode(CodexTranscript.decoder, readFileSync(agent))
      assert.strictEqual(reader.session().parentSessionId, sessionId)
    }
  }
  await expect(digests.join("")).toMatchFileSnapshot("recordings.txt")
})

it("a hook's reason is a synthetic message with the hook's exact text", () => {
  const synthetic = recorded("hook-continued").events.flatMap((event) =>
    event.type === "user_message" && event.synthetic ? [event.text] : []
  )
  assert.deepStrictEqual(synthetic, ['Run "npm test" & say what <it> prints.'])
})
