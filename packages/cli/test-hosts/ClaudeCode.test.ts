import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as Verdict from "@reflexion/core/Verdict"
import { ClaudeCodeScenarios, PlayedScenario } from "@reflexion/testing"
import { Effect, Schema, Stream } from "effect"
import { fileURLToPath } from "node:url"

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url))

/** A session of each kind of stop: done, contradicted, left undone, asking, aborted, handed on, waiting. */
const live = [
  "fixed-and-tested",
  "claim-contradicted",
  "stopped-with-todos",
  "asks-a-question",
  "interrupted",
  "api-error",
  "subagent",
  "compacted",
  "background-running",
  "background-finished"
]

const scenarios = ClaudeCodeScenarios.all.filter((scenario) => live.includes(scenario.name))

const VerdictLine = Schema.parseJson(Schema.extend(Verdict.Verdict, Schema.Struct({ file: Schema.String })))

const exitCodes: Partial<Record<Verdict.Status, number>> = { complete: 0, abstained: 3 }

const judge = (file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const process = yield* Command.start(
        Command.make(globalThis.process.execPath, bin, "judge", file, "--format", "json")
      )
      const [output, errors] = yield* Effect.all(
        [process.stdout, process.stderr].map((stream) => Stream.mkString(Stream.decodeText(stream))),
        { concurrency: "unbounded" }
      )
      const exitCode = yield* process.exitCode
      assert.isNotEmpty(output, `nothing judged (exit ${exitCode}): ${errors}`)
      return { exitCode, verdict: yield* Schema.decode(VerdictLine)(output ?? "") }
    })
  )

const decode = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const reader = TranscriptReader.make({ decoders: [ClaudeCodeTranscript.decoder] })
    const events = [...reader.push(yield* fs.readFile(file)), ...reader.end()]
    assert.deepStrictEqual(reader.warnings(), [])
    assert.strictEqual(reader.host(), "claude-code")
    return { events, session: reader.session() }
  })

const sessionId = (index: number) => `00000000-0000-4000-9000-${String(index + 1).padStart(12, "0")}`

describe("the real Claude Code", () => {
  for (const [index, scenario] of scenarios.entries()) {
    it.scopedLive(`is read and judged: ${scenario.name}`, () =>
      Effect.gen(function* () {
        const { sandbox, session } = yield* PlayedScenario.play(scenario, sessionId(index))
        const [transcript, ...sidechains] = session.transcripts

        const decoded = yield* decode(transcript)
        assert.strictEqual(decoded.session.sessionId, session.sessionId)
        assert.strictEqual(decoded.session.cwd, sandbox.workspace)
        const prompts = decoded.events.flatMap((event) =>
          event.type === "user_message" && !event.synthetic ? [event.text] : []
        )
        assert.deepStrictEqual(
          prompts,
          scenario.steps.map((step) => step.prompt)
        )
        for (const sidechain of sidechains) assert.isNotEmpty((yield* decode(sidechain)).events)

        const { exitCode, verdict } = yield* judge(transcript)
        const { contradicted, gates = {}, shouldContinue, status } = scenario.expected
        assert.strictEqual(verdict.file, transcript)
        assert.strictEqual(verdict.host, "claude-code")
        assert.strictEqual<string>(verdict.status, status, verdict.reason)
        assert.strictEqual(verdict.shouldContinue, shouldContinue, verdict.reason)
        assert.strictEqual(exitCode, exitCodes[verdict.status] ?? 1)
        if (contradicted !== undefined) assert.strictEqual(verdict.contradictions.length > 0, contradicted)
        for (const [gate, result] of Object.entries(gates)) {
          assert.strictEqual<string | undefined>(verdict.gates.find((one) => one.gate === gate)?.result, result, gate)
        }
      }).pipe(Effect.provide(NodeContext.layer))
    )
  }
})
