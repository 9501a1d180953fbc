import { Command, FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as OpenCodeTranscript from "@reflexion/opencode/OpenCodeTranscript"
import { HostBinaries, OpenCodeScenario, OpenCodeScenarios } from "@reflexion/testing"
import { Effect, Schema } from "effect"
import { bin, judgedAs } from "./support/judge.ts"

const isNight = process.env["REFLEXION_TESTS"] === "night"

/** A session of each kind of stop, and of each way in which the host ends a message; by day what differs most in the export. */
const live = [
  "stopped-with-todos",
  "interrupted",
  "compacted",
  "subagent",
  "background-finished",
  "user-shell",
  "api-error",
  ...(isNight
    ? [
        "fixed-and-tested",
        "claim-contradicted",
        "plan-mode",
        "question-answered",
        "killed",
        "second-task",
        "permission-denied",
        "queued-prompt"
      ]
    : [])
]

const scenarios = OpenCodeScenarios.all.filter((scenario) => live.includes(scenario.name))

const decode = (text: string) => {
  const reader = TranscriptReader.make({ decoders: [OpenCodeTranscript.decoder] })
  const events = [...reader.push(new TextEncoder().encode(text)), ...reader.end()]
  assert.deepStrictEqual(reader.warnings(), [])
  assert.strictEqual(reader.host(), "opencode")
  return { events, session: reader.session() }
}

/** Puts a session's export into a file, and those of its agents next to it. */
const keep = Effect.fnUntraced(function* (session: { readonly main: string; readonly agents: Record<string, string> }) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const agents = path.join(folder, "session", "subagents")
  yield* fs.makeDirectory(agents, { recursive: true })
  for (const [name, text] of Object.entries(session.agents)) yield* fs.writeFileString(path.join(agents, name), text)
  yield* fs.writeFileString(path.join(folder, "session.json"), session.main)
  return path.join(folder, "session.json")
})

const Judged = Schema.parseJson(
  Schema.Struct({ file: Schema.String, host: Schema.String, status: Schema.String, reason: Schema.String })
)

describe.concurrent("the real OpenCode", () => {
  for (const scenario of scenarios) {
    it.scopedLive(`is read and judged: ${scenario.name}`, () =>
      Effect.gen(function* () {
        const { sandbox, session } = yield* OpenCodeScenario.play(scenario)
        const decoded = decode(session.main)
        assert.strictEqual(decoded.session.cwd, sandbox.workspace)
        for (const agent of Object.values(session.agents)) {
          assert.strictEqual(decode(agent).session.parentSessionId, decoded.session.sessionId)
        }
        const prompts = decoded.events.flatMap((event) =>
          event.type === "user_message" && !event.synthetic ? [event.text] : []
        )
        const asked = scenario.steps.flatMap((step) => {
          if (!("prompt" in step)) return []
          const { meanwhile } = step
          return meanwhile !== undefined && "prompt" in meanwhile ? [step.prompt, meanwhile.prompt] : [step.prompt]
        })
        assert.deepStrictEqual(prompts, asked)
        yield* judgedAs({ file: yield* keep(session), host: "opencode", expected: scenario.expected })
      }).pipe(Effect.provide(NodeContext.layer))
    )
  }

  it.scopedLive("is asked for the newest session of the directory, with what its agents did", () =>
    Effect.gen(function* () {
      const scenario = scenarios.find(({ name }) => name === "subagent") ?? assert.fail("no scenario")
      const { sandbox, session } = yield* OpenCodeScenario.play(scenario)
      const { sessionId } = decode(session.main).session
      const judge = Command.make(process.execPath, bin, "judge", "--format", "json").pipe(
        Command.workingDirectory(sandbox.workspace),
        Command.env({ HOME: sandbox.home, XDG_DATA_HOME: "", OPENCODE_BIN: yield* HostBinaries.openCodeBinary })
      )
      const verdict = yield* Schema.decode(Judged)(yield* Command.string(judge))
      assert.deepStrictEqual([verdict.file, verdict.host], [sessionId, "opencode"])
      assert.strictEqual<string>(verdict.status, scenario.expected.status, verdict.reason)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
