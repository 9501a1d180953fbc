import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as CodexTranscript from "@reflexion/codex/CodexTranscript"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import type { Transcript } from "@reflexion/core/Transcript"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as OpenCodeTranscript from "@reflexion/opencode/OpenCodeTranscript"
import { ClaudeCodeScenarios, CodexScenarios, OpenCodeScenarios, Recordings } from "@reflexion/testing"
import { Array, Effect, Option } from "effect"

const read = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const decoders = [ClaudeCodeTranscript.decoder, CodexTranscript.decoder, OpenCodeTranscript.decoder]
    const reader = TranscriptReader.make({ decoders })
    const events = [...reader.push(yield* fs.readFile(file)), ...reader.end()]
    assert.deepStrictEqual(reader.warnings(), [])
    const transcript: Transcript = { version: 1, ...reader.session(), events }
    return transcript
  })

const sessions = [
  ...ClaudeCodeScenarios.all.map(({ description, name }) => ({ host: "claude-code", name, description }) as const),
  ...CodexScenarios.all.map(({ description, name }) => ({ host: "codex", name, description }) as const),
  ...OpenCodeScenarios.all.map(({ description, name }) => ({ host: "opencode", name, description }) as const)
]

describe("the recorded sessions", () => {
  for (const { description, host, name: wanted } of sessions) {
    it.effect(`${host}/${wanted}: ${description}`, () =>
      Effect.gen(function* () {
        const recordings = yield* Recordings.list(host)
        const recording = Option.getOrThrow(Array.findFirst(recordings, ({ name }) => name === wanted))
        const transcript = yield* read(recording.file)
        const verdict = Judgment.judge(transcript, { context: { config: ReflexionConfig.defaults } })
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
