import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { CodexTranscript } from "@reflexion/codex"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import { CodexScenario, CodexScenarios } from "@reflexion/testing"
import { Effect } from "effect"
import { judgedAs } from "./support/judge.ts"

/** A session of each kind of stop, of both kinds of models, and of each way in which the host ends. */
const live = [
  "fixed-and-tested",
  "code-mode",
  "claim-contradicted",
  "stopped-with-plan",
  "asks-a-question",
  "interrupted",
  "killed",
  "hook-continued",
  "tests-polled",
  "sandbox-denied",
  "compacted",
  "subagent",
  "second-task",
  "api-error"
]

const scenarios = CodexScenarios.all.filter((scenario) => live.includes(scenario.name))

const decode = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const reader = TranscriptReader.make({ decoders: [CodexTranscript.decoder] })
    const events = [...reader.push(yield* fs.readFile(file)), ...reader.end()]
    assert.deepStrictEqual(reader.warnings(), [])
    assert.strictEqual(reader.host(), "codex")
    return { events, session: reader.session() }
  })

describe.concurrent("the real Codex", () => {
  for (const scenario of scenarios) {
    it.scopedLive(`is read and judged: ${scenario.name}`, () =>
      Effect.gen(function* () {
        const { sandbox, session } = yield* CodexScenario.play(scenario)
        const rollout = session.rollout ?? assert.fail("no rollout was kept")

        const decoded = yield* decode(rollout)
        assert.strictEqual(decoded.session.sessionId, session.threadId)
        assert.strictEqual(decoded.session.cwd, sandbox.workspace)
        const prompts = decoded.events.flatMap((event) =>
          event.type === "user_message" && !event.synthetic ? [event.text] : []
        )
        assert.deepStrictEqual(
          prompts,
          scenario.steps.map((step) => step.prompt)
        )
        for (const agent of session.agents) {
          assert.strictEqual((yield* decode(agent)).session.parentSessionId, session.threadId)
        }
        yield* judgedAs({ file: rollout, host: "codex", expected: scenario.expected })
      }).pipe(Effect.provide(NodeContext.layer))
    )
  }

  it.scopedLive("keeps no rollout of an ephemeral session", () =>
    Effect.gen(function* () {
      const [first] = scenarios
      const scenario = first ?? assert.fail("no scenario")
      const played = yield* CodexScenario.play({ ...scenario, session: { args: ["--ephemeral"] } })
      assert.isNull(played.session.rollout)
      assert.strictEqual(played.session.steps[0]?.events.at(-1)?.type, "turn.completed")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
