import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AgentHost, TestHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import type { FailureContext } from "@reflexion/core/FailureContext"
import { JudgeService } from "@reflexion/core/JudgeService"
import type { Reflection } from "@reflexion/core/Reflection"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Transcript } from "@reflexion/core/Transcript"
import * as TurnReview from "@reflexion/core/TurnReview"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect, Layer, Option, Schema, type Scope } from "effect"
import * as SystemWords from "../src/plugin/systemWords.ts"
import * as Memory from "../src/plugin/memory.ts"

const heading = "## Learning from Previous Failures"

const { output: failing, task } = SampleFailure

const times = (index: number, second: number) => new Date(Date.UTC(2026, 0, 1, 9, index, second)).toISOString()

/** Rounds of work: an edit, a run of the tests that prints this, and a last word. */
const worked = (cwd: string, outputs: ReadonlyArray<string>, words = task) => {
  const rounds = outputs.flatMap((output, index) => [
    {
      type: "tool_call",
      id: `edit-${index}`,
      at: times(index, 1),
      tool: "edit",
      status: "completed",
      input: { filePath: `${cwd}/src/total.ts`, oldString: `${index}`, newString: `${index + 1}` },
      output: "ok"
    },
    {
      type: "tool_call",
      id: `run-${index}`,
      at: times(index, 2),
      tool: "bash",
      status: "completed",
      input: { command: "npm test" },
      exitCode: output.includes("FAIL") ? 1 : 0,
      output
    },
    { type: "assistant_message", at: times(index, 3), text: "I changed how the total is rounded.", completed: true }
  ])
  return Schema.decodeUnknown(Transcript)({
    version: 1,
    host: "opencode",
    sessionId: "s1",
    cwd,
    mode: "build",
    events: [{ type: "user_message", id: "u1", at: times(0, 0), text: words }, ...rounds]
  })
}

interface Given {
  readonly isOn?: boolean
  readonly broken?: boolean
  readonly isWorkspace?: boolean
  readonly heldBack?: boolean
}

/** A host with the plugin's memory in an empty project. */
const world = Effect.fnUntraced(function* (given: Given = {}) {
  const { broken = false, heldBack = false, isOn = true, isWorkspace = true } = given
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  yield* fs.writeFileString(`${root}/package.json`, '{"scripts":{"test":"vitest run"}}')
  let rows: ReadonlyArray<MemoryLine.Row> = []
  const add = (...more: ReadonlyArray<MemoryLine.Row>): void => {
    const ids = new Set(more.map((row) => (MemoryLine.isEvent(row) ? "" : row.id)))
    rows = [...rows.filter((row) => MemoryLine.isEvent(row) || !ids.has(row.id)), ...more]
  }
  const reflections = () => rows.flatMap((row) => (MemoryLine.isEvent(row) ? [] : [row]))
  const events = () => rows.filter(MemoryLine.isEvent)
  const own = new Set<string>()
  const noted: Array<Reflection> = []
  const memory = Memory.layer({
    root,
    isOn,
    own: (some) => {
      noted.push(...some)
      for (const { id } of some) own.add(id)
    },
    known: (_, some) => some.filter(({ id }) => own.has(id)),
    isWorkspace: () => isWorkspace,
    exists: () => reflections().length > 0,
    at: () => ({
      root,
      recent: () => ({ reflections: reflections(), events: events() }),
      append: (more) => {
        if (broken) throw new Error("no room")
        add(...more)
      },
      forget: (before) => {
        const { rows: old } = MemoryLine.older(rows, before)
        rows = rows.filter((row) => !old.has(row))
      },
      isHeldBack: Effect.succeed(heldBack)
    })
  })
  const layer = memory.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        AgentHost.Test({ raceWindow: 0 }),
        JudgeService.Evidence,
        Artifacts.Test,
        DecisionLog.Memory,
        ReviewStates.Test
      )
    ),
    Layer.provideMerge(Layer.succeed(CurrentConfig, defaults)),
    Layer.provideMerge(NodeContext.layer)
  )
  const recorded = Effect.sync(() => ({
    outcomes: events().filter((row) => row.event === "outcome"),
    uses: events().filter((row) => row.event === "use")
  }))
  return { root, layer, own, noted, add, all: Effect.sync(reflections), recorded }
})

const stops = (root: string, outputs: ReadonlyArray<string>, words = task) =>
  Effect.gen(function* () {
    const host = yield* TestHost
    yield* host.put("s1", yield* worked(root, outputs, words))
    yield* Memory.around(TurnReview.onIdle("s1"))
    return (yield* host.injections).map(({ text }) => text)
  })

const scoped = <A, E>(work: Effect.Effect<A, E, FileSystem.FileSystem | Scope.Scope>) =>
  Effect.provide(work, NodeContext.layer)

const first = failing("rounds half up", "45", "44.9")
const second = failing("keeps the currency", "EUR", "undefined")
const green = "Tests  3 passed (3)"

/** What a model says of a failure. */
const said = ({
  attemptNumber,
  sessionId,
  subtaskId,
  taskId
}: Pick<FailureContext, "attemptNumber" | "sessionId" | "subtaskId" | "taskId">): Reflection => ({
  id: "refl_model",
  sessionId,
  taskId,
  subtaskId,
  attemptNumber,
  category: "root_cause",
  analysis: "The total is rounded too late.",
  suggestion: "Round each item first.",
  actionItems: [],
  confidence: 0.8,
  createdAt: "2026-01-01T10:00:00.000Z",
  source: "model",
  model: "scripted",
  tags: []
})

describe("the memory of the plugin", () => {
  it.scoped("has each failed attempt teach the next, and knows what came of it", () =>
    scoped(
      Effect.gen(function* () {
        const { all, layer, recorded, root } = yield* world()
        yield* Effect.gen(function* () {
          const [one = ""] = yield* stops(root, [first])
          assert.include(one, "[reflexion 1/3]")
          assert.notInclude(one, heading)
          const [, two = ""] = yield* stops(root, [first, second])
          assert.include(two.slice(two.indexOf(heading)), "rounds half up")
          assert.notInclude(two.slice(two.indexOf(heading)), "keeps the currency")
          const reflections = yield* all
          assert.deepStrictEqual(
            reflections.map(({ attemptNumber, source }) => [attemptNumber, source]),
            [
              [1, "heuristic"],
              [2, "heuristic"]
            ]
          )
          yield* stops(root, [first, second, green])
          const { outcomes, uses } = yield* recorded
          assert.deepStrictEqual(
            outcomes.map(({ reflectionIds, success }) => [success, reflectionIds.length]),
            [
              [false, 0],
              [false, 0],
              [true, 1]
            ]
          )
          assert.deepStrictEqual(
            uses.map(({ reflectionIds }) => reflectionIds),
            [reflections.slice(0, 1).map(({ id }) => id)]
          )
        }).pipe(Effect.provide(layer))
      })
    )
  )

  it.scoped("tells a session that begins, once, the same at each request", () =>
    scoped(
      Effect.gen(function* () {
        const { all, layer, recorded, root } = yield* world()
        yield* Effect.gen(function* () {
          yield* stops(root, [first])
          yield* all
          const { happened, words } = SystemWords.make()
          const asked = (id: string) => words(id) ?? Effect.succeed(Option.none<string>())
          assert.isTrue(Option.isNone(yield* asked("s2")))
          happened({ type: "session.created", properties: { info: { id: "s2" } } })
          happened({ type: "session.created", properties: { info: { id: "s3", parentID: "s2" } } })
          const told = Option.getOrElse(yield* asked("s2"), () => "")
          assert.include(told, heading)
          assert.include(told, "rounds half up")
          assert.deepStrictEqual(yield* asked("s2"), Option.some(told))
          assert.isTrue(Option.isNone(yield* asked("s3")))
          assert.lengthOf((yield* recorded).uses, 1)
        }).pipe(Effect.provide(layer))
      })
    )
  )

  it.scoped("goes into no prompt where others may write it", () =>
    scoped(
      Effect.gen(function* () {
        const { all, layer, root } = yield* world({ heldBack: true })
        yield* Effect.gen(function* () {
          yield* stops(root, [first])
          const [, two = ""] = yield* stops(root, [first, second])
          assert.notInclude(two, heading)
          assert.lengthOf(yield* all, 2)
        }).pipe(Effect.provide(layer))
      })
    )
  )

  it.scoped("tells nobody what others wrote", () =>
    scoped(
      Effect.gen(function* () {
        const { all, layer, own, root } = yield* world()
        yield* Effect.gen(function* () {
          yield* stops(root, [first])
          yield* all
          own.clear()
          const { happened, words } = SystemWords.make()
          happened({ type: "session.created", properties: { info: { id: "s2" } } })
          assert.isTrue(Option.isNone(yield* words("s2") ?? Effect.succeed(Option.none<string>())))
          const [, two = ""] = yield* stops(root, [first, second])
          assert.include(two, "[reflexion 2/3]")
          assert.notInclude(two, heading)
        }).pipe(Effect.provide(layer))
      })
    )
  )

  for (const [name, given] of [
    ["is off", { isOn: false }],
    ["has no project", { isWorkspace: false }]
  ] as const)
    it.scoped(`keeps nothing where it ${name}`, () =>
      scoped(
        Effect.gen(function* () {
          const { all, layer, root } = yield* world(given)
          yield* Effect.gen(function* () {
            assert.lengthOf(yield* stops(root, [first]), 1)
            assert.deepStrictEqual(yield* all, [])
          }).pipe(Effect.provide(layer))
        })
      )
    )

  it.scoped("costs no push where it fails, which a line of the decision log says", () =>
    scoped(
      Effect.gen(function* () {
        const { layer, root } = yield* world({ broken: true })
        yield* Effect.gen(function* () {
          assert.lengthOf(yield* stops(root, [first]), 1)
          const said = (yield* (yield* DecisionRecord).decisions).filter(({ decision }) => decision === "failure")
          assert.lengthOf(said, 1)
          assert.include(said[0]?.reason, "no room")
        }).pipe(Effect.provide(layer))
      })
    )
  )
})
