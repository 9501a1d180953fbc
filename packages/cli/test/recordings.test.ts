import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as Judgment from "@reflexion/core/Judgment"
import type { Transcript } from "@reflexion/core/Transcript"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import { ClaudeCodeScenarios, Recordings } from "@reflexion/testing"
import { Array, Effect, Option } from "effect"

const read = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const reader = TranscriptReader.make({ decoders: [ClaudeCodeTranscript.decoder] })
    const events = [...reader.push(yield* fs.readFile(file)), ...reader.end()]
    assert.deepStrictEqual(reader.warnings(), [])
    const transcript: Transcript = { version: 1, ...reader.session(), events }
    return transcript
  })

describe("the recorded Claude Code sessions", () => {
  for (const scenario of ClaudeCodeScenarios.all) {
    it.effect(`${scenario.name}: ${scenario.description}`, () =>
      Effect.gen(function* () {
        const recordings = yield* Recordings.list("claude-code")
        const recording = Option.getOrThrow(Array.findFirst(recordings, ({ name }) => name === scenario.name))
        const verdict = Judgment.judge(yield* read(recording.file))
        const { contradicted, gates = {}, pattern, shouldContinue, status } = recording.expected
        assert.strictEqual<string>(verdict.status, status, verdict.reason)
        assert.strictEqual(verdict.shouldContinue, shouldContinue, verdict.reason)
        for (const [gate, result] of Object.entries(gates)) {
          assert.strictEqual<string | undefined>(verdict.gates.find((one) => one.gate === gate)?.result, result, gate)
        }
        if (pattern !== undefined) assert.strictEqual<string | null>(verdict.stop.pattern, pattern)
        if (contradicted !== undefined) assert.strictEqual(verdict.contradictions.length > 0, contradicted)
      }).pipe(Effect.provide(NodeContext.layer))
    )
  }
})
