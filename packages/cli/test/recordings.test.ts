import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import type { Transcript } from "@reflexion/core/Transcript"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import * as Hosts from "../src/host/Hosts.ts"
import { worksWith } from "../../core/test/support/works.ts"

const hosts: ReadonlyArray<Recordings.Recorded> = ["claude-code", "codex", "opencode", "copilot", "gemini"]

const read = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const reader = TranscriptReader.make({ decoders: Hosts.decoders })
  const events = [...reader.push(yield* fs.readFile(file)), ...reader.end()]
  assert.deepStrictEqual(reader.warnings(), [])
  const transcript: Transcript = { version: 1, ...reader.session(), events }
  return transcript
})

for (const host of hosts)
  worksWith(NodeContext.layer)(`the recorded sessions of ${host} are judged as their index says`, function* () {
    for (const { expected, file, name } of yield* Recordings.list(host)) {
      const transcript = yield* read(file)
      const verdict = Judgment.judge(transcript, { context: { config: ReflexionConfig.defaults } })
      const { contradicted, gates = {}, pattern, shouldContinue, status } = expected
      assert.strictEqual<string>(verdict.status, status, `${name}: ${verdict.reason}`)
      assert.strictEqual(verdict.shouldContinue, shouldContinue, `${name}: ${verdict.reason}`)
      for (const [gate, result] of Object.entries(gates)) {
        const found = verdict.gates.find((one) => one.gate === gate)?.result
        assert.strictEqual<string | undefined>(found, result, `${name}: ${gate}`)
      }
      if (pattern !== undefined) assert.strictEqual<string | null>(verdict.stop.pattern, pattern, name)
      if (contradicted !== undefined) assert.strictEqual(verdict.contradictions.length > 0, contradicted, name)
    }
  })
