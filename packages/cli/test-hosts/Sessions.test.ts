/** Sessions of the real hosts, which are read and judged as the recorded ones are. */
import { Command, FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import { CodexTranscript } from "@reflexion/codex"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as Verdict from "@reflexion/core/Verdict"
import * as OpenCodeTranscript from "@reflexion/opencode/OpenCodeTranscript"
import {
  type ClaudeCodeScenario,
  ClaudeCodeScenarios,
  CodexScenario,
  CodexScenarios,
  HostBinaries,
  OpenCodeScenario,
  OpenCodeScenarios,
  PlayedScenario
} from "@reflexion/testing"
import { Effect, Schema, type Scope, Stream } from "effect"
import { bin } from "./support/bin.ts"

const isNight = process.env["REFLEXION_TESTS"] === "night"

/** A session of each kind of stop: done, contradicted, left undone, asking, aborted, handed on, waiting; and how each host ends. */
const live = {
  "claude-code":
    "fixed-and-tested claim-contradicted stopped-with-todos asks-a-question interrupted api-error subagent compacted background-running background-finished",
  codex:
    "fixed-and-tested code-mode claim-contradicted stopped-with-plan asks-a-question interrupted killed hook-continued tests-polled sandbox-denied " +
    "compacted subagent second-task api-error",
  // By day what differs most in the export.
  opencode: `stopped-with-todos interrupted compacted subagent background-finished user-shell api-error${
    isNight
      ? " fixed-and-tested claim-contradicted plan-mode question-answered killed second-task permission-denied queued-prompt"
      : ""
  }`
}

const decoders = {
  "claude-code": ClaudeCodeTranscript.decoder,
  codex: CodexTranscript.decoder,
  opencode: OpenCodeTranscript.decoder
}

const decode = Effect.fnUntraced(function* (host: keyof typeof decoders, file: string) {
  const fs = yield* FileSystem.FileSystem
  const reader = TranscriptReader.make({ decoders: [decoders[host]] })
  const events = [...reader.push(yield* fs.readFile(file)), ...reader.end()]
  assert.deepStrictEqual(reader.warnings(), [])
  assert.strictEqual(reader.host(), host)
  return { events, session: reader.session() }
})

const VerdictLine = Schema.parseJson(Schema.extend(Verdict.Verdict, Schema.Struct({ file: Schema.String })))

const exitCodes: Partial<Record<Verdict.Status, number>> = { complete: 0, abstained: 3 }

/** What the built command line prints and exits with. */
const judged = (command: Command.Command) =>
  Effect.scoped(
    Effect.gen(function* () {
      const running = yield* Command.start(command)
      const texts = [running.stdout, running.stderr].map((stream) => Stream.mkString(Stream.decodeText(stream)))
      const [output, errors] = yield* Effect.all(texts, { concurrency: "unbounded" })
      const exitCode = yield* running.exitCode
      assert.isNotEmpty(output, `nothing judged (exit ${exitCode}): ${errors}`)
      return { exitCode, verdict: yield* Schema.decode(VerdictLine)(output ?? "") }
    })
  )

interface Played {
  readonly workspace: string
  readonly file: string
  readonly sessionId: string | null
  /** The records of its subagents. */
  readonly agents: ReadonlyArray<string>
}

interface Scenario {
  readonly name: string
  readonly expected: ClaudeCodeScenario.ExpectedVerdict
}

const isJudged = <S extends Scenario, E, R>(
  host: keyof typeof decoders,
  all: ReadonlyArray<S>,
  asked: (scenario: S) => ReadonlyArray<string>,
  play: (scenario: S, index: number) => Effect.Effect<Played, E, R>
): ReadonlyArray<{
  readonly title: string
  readonly test: Effect.Effect<void, unknown, R | NodeContext.NodeContext | Scope.Scope>
}> =>
  all
    .filter(({ name }) => live[host].split(" ").includes(name))
    .map((scenario, index) => ({
      title: `${host}, read and judged: ${scenario.name}`,
      test: Effect.gen(function* () {
        const { agents, file, sessionId, workspace } = yield* play(scenario, index)
        const { events, session } = yield* decode(host, file)
        if (sessionId !== null) assert.strictEqual(session.sessionId, sessionId)
        assert.strictEqual(session.cwd, workspace)
        const prompts = events.flatMap((event) =>
          event.type === "user_message" && !event.synthetic ? [event.text] : []
        )
        assert.deepStrictEqual(prompts, asked(scenario))
        for (const agent of agents) {
          const side = yield* decode(host, agent)
          if (host === "claude-code") assert.isNotEmpty(side.events)
          else assert.strictEqual(side.session.parentSessionId, session.sessionId)
        }
        const { exitCode, verdict } = yield* judged(
          Command.make(process.execPath, bin, "judge", file, "--format", "json")
        )
        const { contradicted, gates = {}, shouldContinue, status } = scenario.expected
        const { reason } = verdict
        const found = [verdict.file, verdict.host, verdict.status, verdict.shouldContinue]
        assert.deepStrictEqual<unknown>(found, [file, host, status, shouldContinue], reason)
        assert.strictEqual(exitCode, exitCodes[verdict.status] ?? 1)
        if (contradicted !== undefined) assert.strictEqual(verdict.contradictions.length > 0, contradicted)
        for (const [gate, result] of Object.entries(gates))
          assert.strictEqual<string | undefined>(verdict.gates.find((one) => one.gate === gate)?.result, result, gate)
      })
    }))

/** An export of OpenCode's in a file, and those of its agents next to it. */
const keep = Effect.fnUntraced(function* (session: { readonly main: string; readonly agents: Record<string, string> }) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  yield* fs.makeDirectory(path.join(folder, "session", "subagents"), { recursive: true })
  const files = Object.entries(session.agents).map(
    ([name, text]) => [path.join(folder, "session", "subagents", name), text] as const
  )
  for (const [name, text] of files) yield* fs.writeFileString(name, text)
  const file = path.join(folder, "session.json")
  yield* fs.writeFileString(file, session.main)
  return { file, agents: files.map(([name]) => name) }
})

const tests = [
  ...isJudged(
    "claude-code",
    ClaudeCodeScenarios.all,
    ({ steps }) => steps.map(({ prompt }) => prompt),
    (scenario, index) =>
      Effect.map(
        PlayedScenario.play(scenario, `00000000-0000-4000-9000-${String(index + 1).padStart(12, "0")}`),
        ({ sandbox: { workspace }, session: { sessionId, transcripts } }) => {
          const [file, ...agents] = transcripts
          return { workspace, file, sessionId, agents }
        }
      )
  ),
  ...isJudged(
    "codex",
    CodexScenarios.all,
    ({ steps }) => steps.map(({ prompt }) => prompt),
    (scenario) =>
      Effect.map(
        CodexScenario.play(scenario),
        ({ sandbox: { workspace }, session: { agents, rollout, threadId } }) => ({
          workspace,
          file: rollout ?? assert.fail("no rollout was kept"),
          sessionId: threadId,
          agents
        })
      )
  ),
  ...isJudged(
    "opencode",
    OpenCodeScenarios.all,
    ({ steps }) =>
      steps.flatMap((step) => {
        if (!("prompt" in step)) return []
        const { meanwhile } = step
        return meanwhile !== undefined && "prompt" in meanwhile ? [step.prompt, meanwhile.prompt] : [step.prompt]
      }),
    (scenario) =>
      Effect.gen(function* () {
        const { sandbox, session } = yield* OpenCodeScenario.play(scenario)
        return { workspace: sandbox.workspace, sessionId: null, ...(yield* keep(session)) }
      })
  )
]

describe.concurrent("a session of a real host", () => {
  for (const { test, title } of tests) it.scopedLive(title, () => Effect.provide(test, NodeContext.layer))

  it.scopedLive("codex keeps no rollout of an ephemeral session", () =>
    Effect.gen(function* () {
      const scenario = CodexScenarios.all.find(({ name }) => name === "fixed-and-tested") ?? assert.fail("no scenario")
      const { session } = yield* CodexScenario.play({ ...scenario, session: { args: ["--ephemeral"] } })
      assert.isNull(session.rollout)
      assert.strictEqual(session.steps[0]?.events.at(-1)?.type, "turn.completed")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("opencode is asked for the newest session of the directory, with what its agents did", () =>
    Effect.gen(function* () {
      const scenario = OpenCodeScenarios.all.find(({ name }) => name === "subagent") ?? assert.fail("no scenario")
      const { sandbox, session } = yield* OpenCodeScenario.play(scenario)
      const { sessionId } = (yield* decode("opencode", (yield* keep(session)).file)).session
      const { verdict } = yield* judged(
        Command.make(process.execPath, bin, "judge", "--format", "json").pipe(
          Command.workingDirectory(sandbox.workspace),
          Command.env({ HOME: sandbox.home, XDG_DATA_HOME: "", OPENCODE_BIN: yield* HostBinaries.openCodeBinary })
        )
      )
      const { reason } = verdict
      const found = [verdict.file, verdict.host, verdict.status]
      assert.deepStrictEqual<unknown>(found, [sessionId, "opencode", scenario.expected.status], reason)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
