import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AgentHost, TestHost } from "@reflexion/core/AgentHost"
import { Artifacts, ArtifactsRecord } from "@reflexion/core/Artifacts"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import { LogDiskError } from "@reflexion/core/LogDisk"
import { OutcomeLog, OutcomeRecord } from "@reflexion/core/OutcomeLog"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Transcript } from "@reflexion/core/Transcript"
import * as TurnReview from "@reflexion/core/TurnReview"
import { Context, Effect, Layer, Schema, TestClock } from "effect"
import * as Outcomes from "../src/internal/outcomes.ts"

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
  readonly broken?: boolean
}

/** A host that keeps an outcome log in an empty project; with the places at which it was asked for one. */
const world = Effect.fnUntraced(function* ({ broken = false, isOn = true, isWorkspace = true }: Given = {}) {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  yield* fs.writeFileString(`${root}/package.json`, '{"scripts":{"test":"vitest run"}}')
  const kept = yield* Layer.build(OutcomeLog.Test)
  const places: Array<string> = []
  const refused = new LogDiskError({ path: root, operation: "open", code: "ENOSPC", detail: "no room" })
  const outcomes = Outcomes.layer({
    root,
    isOn,
    isWorkspace: () => isWorkspace,
    log: (path) => {
      places.push(path)
      return broken ? Layer.fail(refused) : Layer.succeed(OutcomeLog, Context.get(kept, OutcomeLog))
    }
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
  return { root, layer, places, appended: Context.get(kept, OutcomeRecord).appended }
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

describe("the outcome log of a session in OpenCode", () => {
  it.scoped("gets each attempt that a review ends, with what it used", () =>
    Effect.gen(function* () {
      const { appended, layer, places, root } = yield* world()
      yield* TestClock.setTime(Date.parse("2026-03-01T09:02:00.000Z"))
      yield* Effect.gen(function* () {
        yield* stops(root, 1)
        yield* stops(root, 0)
        assert.lengthOf(yield* written, 2)
      }).pipe(Effect.provide(layer))
      const outcomes = yield* appended
      assert.deepStrictEqual(
        outcomes.map(({ status }) => status),
        ["failed", "completed"]
      )
      assert.deepStrictEqual(places, [`${root}/.reflection/outcomes.jsonl`])
      const { id: _, ...first } = outcomes[0] ?? { id: "" }
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

  it.scoped.each<Given>([{ isOn: false }, { isWorkspace: false }])("is not opened with %j", (given) =>
    Effect.gen(function* () {
      const { appended, layer, places, root } = yield* world(given)
      yield* Effect.provide(stops(root, 1), layer)
      assert.deepStrictEqual(places, [])
      assert.deepStrictEqual(yield* appended, [])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is kept for a project alone, and so are the records of reviews", () =>
    Effect.gen(function* () {
      const { layer, root } = yield* world({ isWorkspace: false })
      const told = yield* Effect.gen(function* () {
        yield* stops(root, 1)
        assert.lengthOf(yield* written, 0)
        return yield* Effect.flatMap(TestHost, ({ injections }) => injections)
      }).pipe(Effect.provide(layer))
      assert.lengthOf(told, 1)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("costs the review nothing where it fails, and is one line in the decision log", () =>
    Effect.gen(function* () {
      const { layer, root } = yield* world({ broken: true })
      yield* Effect.gen(function* () {
        yield* stops(root, 1)
        assert.lengthOf(yield* Effect.flatMap(TestHost, ({ injections }) => injections), 1)
        assert.lengthOf(yield* written, 1)
        assert.deepStrictEqual(yield* failures, [`the outcome log is left alone: ${root}: open: no room`])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("follows no link in the folder's place", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { appended, layer, root } = yield* world()
      yield* fs.symlink(yield* fs.makeTempDirectoryScoped(), `${root}/.reflection`)
      const said = yield* Effect.provide(Effect.zipRight(stops(root, 1), failures), layer)
      assert.match(said[0] ?? "", /is a symbolic link/)
      assert.deepStrictEqual(yield* appended, [])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
