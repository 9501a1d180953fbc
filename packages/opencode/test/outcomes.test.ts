import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AgentHost, TestHost } from "@reflexion/core/AgentHost"
import { Artifacts, ArtifactsRecord } from "@reflexion/core/Artifacts"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Transcript } from "@reflexion/core/Transcript"
import * as TurnReview from "@reflexion/core/TurnReview"
import { Effect, Layer, Schema, TestClock } from "effect"
import * as Outcomes from "../src/plugin/outcomes.ts"

const task = "Round the total of the cart once and run npm test."

const session = (cwd: string, exitCode: number) =>
  Schema.decodeUnknown(Transcript)({
    version: 1,
    host: "opencode",
    sessionId: "s1",
    cwd,
    mode: "build",
    events: [
      { type: "user_message", id: "u1", at: "2026-03-01T09:00:00.000Z", text: task },
      { type: "tool_call", id: "skill", tool: "skill", status: "completed", input: { name: "rounding" }, output: "ok" },
      {
        type: "tool_call",
        id: "edit",
        tool: "edit",
        status: "completed",
        input: { filePath: `${cwd}/src/total.ts`, oldString: "1", newString: "2" },
        output: "ok"
      },
      {
        type: "tool_call",
        id: "run",
        tool: "bash",
        status: exitCode === 0 ? "completed" : "error",
        input: { command: "npm test" },
        exitCode,
        output: exitCode === 0 ? "Tests  3 passed (3)" : "FAIL  test/total.test.ts > total"
      },
      { type: "assistant_message", text: "I changed how the total is rounded.", completed: true }
    ]
  })

interface Given {
  readonly isOn?: boolean
  readonly isWorkspace?: boolean
  readonly broken?: "keep" | "look"
  /** What the rules find at each look, empty for nothing. */
  readonly lines?: ReadonlyArray<string>
}

/** A host that keeps an outcome log in an empty project, with what it was given to keep, and how often the rules looked. */
const world = Effect.fnUntraced(function* ({ broken, isOn = true, isWorkspace = true, lines = [] }: Given = {}) {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  yield* fs.writeFileString(`${root}/package.json`, '{"scripts":{"test":"vitest run"}}')
  const kept: Array<AttemptOutcome> = []
  const looks: Array<Parameters<Outcomes.Options["look"]>[0]> = []
  const refused = new Error("no room")
  const outcomes = Outcomes.layer({
    root,
    isOn,
    isWorkspace: () => isWorkspace,
    keep: (given) =>
      Effect.sync(() => {
        if (broken === "keep") throw refused
        assert.deepInclude(given, { root, retentionDays: defaults.memory.retentionDays })
        kept.push(given.outcome)
      }),
    look: (asked) =>
      Effect.sync(() => {
        if (broken === "look") throw refused
        looks.push(asked)
        return lines[looks.length - 1] ?? ""
      })
  })
  const layer = Layer.provideMerge(
    outcomes,
    Layer.mergeAll(
      AgentHost.Test({ raceWindow: 0 }),
      JudgeService.Evidence,
      Artifacts.Test,
      DecisionLog.Memory,
      ReviewStates.Test
    )
  ).pipe(Layer.provideMerge(Layer.succeed(CurrentConfig, defaults)), Layer.provideMerge(NodeContext.layer))
  return { root, layer, kept, looks }
})

const stops = Effect.fnUntraced(function* (root: string, exitCode: number) {
  const host = yield* TestHost
  yield* host.put("s1", yield* session(root, exitCode))
  yield* TurnReview.onIdle("s1")
})

const written = Effect.flatMap(ArtifactsRecord, ({ written }) => written)

const failures = Effect.map(
  Effect.flatMap(DecisionRecord, ({ decisions }) => decisions),
  (all) => all.filter(({ decision }) => decision === "failure").map(({ reason }) => reason)
)

const injections = Effect.flatMap(TestHost, (host) => host.injections)

const notices = Effect.flatMap(TestHost, (host) => host.notices)

const line = "reflexion: The task failed 3 times in a row. See `reflexion cycle`."

describe("the outcome log of a session in OpenCode", () => {
  it.scoped("gets each attempt that a review ends, with what it used", () =>
    Effect.gen(function* () {
      const { kept, layer, root } = yield* world()
      yield* TestClock.setTime(Date.parse("2026-03-01T09:02:00.000Z"))
      yield* Effect.gen(function* () {
        yield* stops(root, 1)
        yield* stops(root, 0)
        assert.lengthOf(yield* written, 2)
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(
        kept.map(({ status }) => status),
        ["failed", "completed"]
      )
      const { id: _, ...first } = kept[0] ?? { id: "" }
      assert.deepInclude(first, {
        taskId: null,
        sessionId: "s1",
        objective: task,
        durationMs: 120_000,
        tools: ["skill", "edit", "bash"],
        loaded: [{ kind: "skill", name: "rounding" }],
        resultLength: "I changed how the total is rounded.".length
      })
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped.each<Given>([{ isOn: false }, { isWorkspace: false }])("is not written with %j, nor looked at", (given) =>
    Effect.gen(function* () {
      const { kept, layer, looks, root } = yield* world(given)
      yield* Effect.provide(stops(root, 1), layer)
      assert.deepStrictEqual([kept.length, looks.length], [0, 0])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is looked at by the rules where an attempt has failed, and no other", () =>
    Effect.gen(function* () {
      const { layer, looks, root } = yield* world()
      yield* TestClock.setTime(Date.parse("2026-03-01T09:02:00.000Z"))
      yield* Effect.provide(Effect.zipRight(stops(root, 0), stops(root, 1)), layer)
      const now = Date.parse("2026-03-01T09:02:00.000Z")
      assert.deepStrictEqual(looks, [{ root, now, settings: defaults.cycle }])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("has the user told what the rules found, once, and not the agent", () =>
    Effect.gen(function* () {
      const { layer, root } = yield* world({ lines: [line] })
      yield* Effect.gen(function* () {
        yield* stops(root, 1)
        yield* stops(root, 0)
        const [pushed, ...more] = yield* injections
        assert.lengthOf(more, 0)
        assert.match(
          pushed?.notice ?? "",
          /^reflexion asked the agent to go on \(1 of 3\): .*turns it off\] The task failed 3 times .* See `reflexion cycle`\.$/
        )
        assert.notInclude(pushed?.text, line)
        const told = yield* notices
        assert.lengthOf(told, 1)
        assert.notInclude(told[0]?.text, line)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped.each([
    ["keep", "the outcome log is left alone: no room"],
    ["look", "the outcome log is left alone: no room"]
  ] as const)("costs the review nothing where the %s fails, and is one line in the decision log", ([broken, said]) =>
    Effect.gen(function* () {
      const { layer, root } = yield* world({ broken })
      yield* Effect.gen(function* () {
        yield* stops(root, 1)
        assert.lengthOf(yield* injections, 1)
        assert.lengthOf(yield* written, 1)
        assert.deepStrictEqual(yield* failures, [said])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
