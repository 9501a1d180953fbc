import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import { ClaudeCodeScenarios, PlayedScenario } from "@reflexion/testing"
import { Effect } from "effect"
import { judgedAs } from "./support/judge.ts"

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

describe.concurrent("the real Claude Code", () => {
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

        yield* judgedAs({ file: transcript, host: "claude-code", expected: scenario.expected })
      }).pipe(Effect.provide(NodeContext.layer))
    )
  }
})
