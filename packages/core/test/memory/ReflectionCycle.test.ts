import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Queue, Ref, Stream, Supervisor, TestClock } from "effect"
import type { AttemptOutcome } from "../../src/memory/outcomes/AttemptOutcome.ts"
import { FindingLog, FindingRecord } from "../../src/memory/rules/FindingLog.ts"
import type { ModelFailure } from "../../src/model/calls/ModelCall.ts"
import * as Mutator from "../../src/memory/changes/Mutator.ts"
import { OutcomeLog } from "../../src/memory/outcomes/OutcomeLog.ts"
import type { RecommendedAction } from "../../src/memory/changes/RecommendedAction.ts"
import * as Analysis from "../../src/memory/changes/ReflectionAnalysis.ts"
import * as ReflectionCycle from "../../src/memory/cycle/ReflectionCycle.ts"
import { TaskControl, TestTaskControl } from "../../src/memory/rules/TaskControl.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

let count = 0

/** An attempt that ends now. */
const outcome = (given: Partial<AttemptOutcome> = {}): Effect.Effect<AttemptOutcome> =>
  Effect.map(TestClock.currentTimeMillis, (now) => ({
    id: `o${(count += 1)}`,
    taskId: "nightly",
    sessionId: "s1",
    objective: "Refresh the price list",
    status: "failed",
    durationMs: 1000,
    tools: [],
    loaded: [],
    resultLength: 400,
    backend: "codex",
    at: new Date(now).toISOString(),
    ...given
  }))

const ends = (given: Partial<AttemptOutcome> = {}) =>
  Effect.gen(function* () {
    const log = yield* OutcomeLog
    yield* log.append(yield* outcome(given))
    // The next one ends later.
    yield* TestClock.adjust("1 millis")
  })

const times = (many: number, given: Partial<AttemptOutcome> = {}) =>
  Effect.forEach(Array.from({ length: many }), () => ends(given), { discard: true })

/** Waits until the cycle has had its time, and then until what it began has ended. */
const settled = Effect.repeatN(TestClock.adjust("1 second"), 2)

const rulesFound = Effect.gen(function* () {
  const log = yield* FindingLog
  return (yield* log.findings()).map(({ rule, severity }) => [rule, severity])
})

const begun = TestClock.setTime(start)

const tasks = [{ id: "nightly", objective: "Refresh the price list" }]

const cycle = (options: Parameters<typeof ReflectionCycle.ReflectionCycle.Test>[0] = {}) =>
  ReflectionCycle.ReflectionCycle.Test({ tasks, ...options })

const test = <A, E>(
  work: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof cycle>>>,
  layer: ReturnType<typeof cycle> = cycle()
) => Effect.zipRight(begun, Effect.provide(work, layer))

const action = (id: string): RecommendedAction => ({
  id,
  target: "deploy",
  change: `Say where the list is (${id}).`,
  reason: "Three attempts looked for it."
})

interface Asked {
  readonly inputs: Ref.Ref<ReadonlyArray<Analysis.Input>>
  readonly proposed: Ref.Ref<ReadonlyArray<string>>
}

/** The cycle with a model that recommends, and a mutator. */
const consulting = (
  answer: (asked: Asked) => {
    readonly analyse?: (input: Analysis.Input) => Effect.Effect<Analysis.Analysis, ModelFailure>
    readonly propose?: (action: RecommendedAction) => Effect.Effect<Mutator.Mutation, Mutator.MutatorError>
  } = () => ({})
) =>
  Effect.gen(function* () {
    const asked = {
      inputs: yield* Ref.make<ReadonlyArray<Analysis.Input>>([]),
      proposed: yield* Ref.make<ReadonlyArray<string>>([])
    }
    const {
      analyse = () => Effect.succeed({ observations: "It looks in vain.", actions: [action("a1")], model: "fast" }),
      propose = ({ id }: RecommendedAction) =>
        Effect.succeed({ actionId: id, kind: "proposal" as const, reference: `proposals/${id}.md`, detail: "" })
    } = answer(asked)
    const ports = Layer.mergeAll(
      Layer.succeed(Analysis.ReflectionAnalysis, {
        analyse: (input) =>
          Effect.zipRight(
            Ref.update(asked.inputs, (before) => [...before, input]),
            analyse(input)
          )
      }),
      Layer.succeed(Mutator.Mutator, {
        propose: (one) =>
          Effect.zipRight(
            Ref.update(asked.proposed, (before) => [...before, one.id]),
            propose(one)
          )
      })
    )
    return { ...asked, layer: Layer.provide(cycle(), ports) }
  })

/** How many fibers the cycle leaves alive. */
const fibers = (enabled: boolean) =>
  Effect.gen(function* () {
    const supervisor = yield* Supervisor.track
    const before = yield* supervisor.value
    const layer = ReflectionCycle.ReflectionCycle.Live({ settings: { enabled } })
    const logs = yield* Layer.build(Layer.merge(OutcomeLog.Memory, FindingLog.Memory))
    const alive = yield* Effect.supervised(
      Effect.zipRight(Effect.provide(Layer.build(layer), logs), Effect.yieldNow()),
      supervisor
    ).pipe(Effect.zipRight(supervisor.value))
    return alive.length - before.length
  }).pipe(Effect.scoped)

/** What a cycle with a control, or none, says when it begins. */
const said = (layer: Layer.Layer<TaskControl> | null, enabled = true) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    const logs = Layer.merge(OutcomeLog.Memory, FindingLog.Memory)
    const memory = Layer.provide(ReflectionCycle.ReflectionCycle.Live({ settings: { enabled } }), logs)
    yield* Layer.build(layer === null ? memory : Layer.provide(memory, layer)).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    return lines
  }).pipe(Effect.scoped)

describe("ReflectionCycle", () => {
  describe("when it runs", () => {
    it.effect("looks at a failure once its time to wait for others is over", () =>
      test(
        Effect.gen(function* () {
          yield* times(3)
          assert.deepStrictEqual(yield* rulesFound, [])
          yield* settled
          assert.deepStrictEqual(yield* rulesFound, [["consecutive_failures", "action_taken"]])
        })
      )
    )

    it.effect("looks at completions by tens", () =>
      test(
        Effect.gen(function* () {
          const short = { status: "completed", resultLength: 3 } as const
          yield* times(9, short)
          yield* settled
          assert.deepStrictEqual(yield* rulesFound, [])
          yield* times(1, short)
          yield* settled
          assert.deepStrictEqual(yield* rulesFound, [["stale_task", "warning"]])
        })
      )
    )

    it.effect("waits once for a burst of failures", () =>
      test(
        Effect.gen(function* () {
          const { subscribe } = yield* ReflectionCycle.ReflectionCycle
          yield* Effect.scoped(
            Effect.gen(function* () {
              const queue = yield* subscribe
              yield* Effect.forEach(["a", "b", "c", "d"], (taskId) => times(5, { taskId }), { discard: true })
              yield* settled
              assert.strictEqual(yield* Queue.size(queue), 4)
            })
          )
        })
      )
    )

    it.effect("has no fiber while it is off", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* fibers(false), 0)
        assert.isAbove(yield* fibers(true), 0)
      })
    )

    it.effect("does nothing at all while it is off", () =>
      test(
        Effect.gen(function* () {
          const { history, run } = yield* ReflectionCycle.ReflectionCycle
          yield* times(5)
          yield* settled
          assert.deepStrictEqual(yield* run(), { outcomes: 0, findings: [], analysis: null, mutations: [] })
          assert.deepStrictEqual(yield* rulesFound, [])
          assert.deepStrictEqual(yield* history(), [])
        }),
        cycle({ settings: { enabled: false } })
      )
    )

    it.effect("looks at everything at once when it is asked to", () =>
      test(
        Effect.gen(function* () {
          const { run } = yield* ReflectionCycle.ReflectionCycle
          yield* times(4)
          const first = yield* run()
          assert.strictEqual(first.outcomes, 4)
          assert.deepStrictEqual(
            first.findings.map(({ actionTaken, rule }) => [rule, actionTaken]),
            [["consecutive_failures", "paused the task"]]
          )
          assert.deepStrictEqual(yield* run(), { outcomes: 4, findings: [], analysis: null, mutations: [] })
          yield* settled
          assert.lengthOf(yield* rulesFound, 1)
        })
      )
    )
  })

  describe("what it begins with", () => {
    it.effect("says whether it runs", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* said(null), ["Reflection loop started"])
        assert.deepStrictEqual(yield* said(TaskControl.None, false), ["Reflection loop disabled"])
      })
    )

    it.effect("does not run on findings that anybody may have written", () =>
      Effect.gen(function* () {
        yield* begun
        const findings = Layer.effect(
          FindingLog,
          Effect.map(FindingLog, (log) => ({ ...log, heldBack: Effect.succeed("git tracks it") }))
        ).pipe(Layer.provide(FindingLog.Memory))
        const logs = yield* Layer.build(Layer.merge(OutcomeLog.Memory, findings))
        const layer = Layer.provide(ReflectionCycle.ReflectionCycle.Live(), TaskControl.None)
        yield* Effect.provide(times(3), logs)
        const run = Effect.flatMap(ReflectionCycle.ReflectionCycle, (one) => one.run())
        assert.strictEqual((yield* run.pipe(Effect.provide(layer), Effect.provide(logs))).outcomes, 0)
      }).pipe(Effect.scoped)
    )
  })

  it.effect("stands still while anybody may have written the logs, and then has what was added meanwhile", () =>
    Effect.gen(function* () {
      yield* begun
      let reason: string | null = null
      const outcomes = Layer.effect(
        OutcomeLog,
        Effect.map(OutcomeLog, (log) => ({ ...log, heldBack: Effect.sync(() => reason) }))
      ).pipe(Layer.provide(OutcomeLog.Memory))
      const layer = ReflectionCycle.ReflectionCycle.Live().pipe(
        Layer.provide(TaskControl.None),
        Layer.provideMerge(Layer.merge(outcomes, FindingLog.Memory))
      )
      yield* Effect.gen(function* () {
        const { run } = yield* ReflectionCycle.ReflectionCycle
        const { findings } = yield* FindingLog
        reason = "git tracks it"
        yield* TestClock.adjust("1 minute")
        yield* times(3)
        yield* settled
        assert.lengthOf(yield* findings(), 0)
        assert.strictEqual((yield* run()).outcomes, 0)
        reason = null
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* run()).outcomes, 3)
        assert.lengthOf(yield* findings(), 1)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped)
  )

  describe("a task that fails each time", () => {
    it.effect("is paused once, and the finding says so", () =>
      test(
        Effect.gen(function* () {
          const control = yield* TestTaskControl
          const { appended } = yield* FindingRecord
          yield* times(3)
          yield* settled
          const pauses = yield* control.pauses
          assert.deepStrictEqual(
            pauses.map(({ taskId }) => taskId),
            ["nightly"]
          )
          assert.include(pauses[0]?.reason, "failed 3 times in a row")
          assert.deepStrictEqual(
            (yield* appended).map(({ severity }) => severity),
            ["warning", "action_taken"]
          )
          yield* times(5)
          yield* settled
          assert.lengthOf(yield* control.pauses, 1)
          assert.lengthOf(yield* rulesFound, 1)
        })
      )
    )

    it.effect("keeps no other from being paused where the scheduler throws or breaks", () =>
      Effect.forEach([false, true], (throws) =>
        Effect.gen(function* () {
          yield* begun
          const paused: Array<string> = []
          const pause = (taskId: string): Effect.Effect<boolean> => {
            if (taskId !== "nightly") return Effect.sync(() => paused.push(taskId) > 0)
            if (throws) throw new Error("no such task")
            return Effect.promise(() => Promise.reject(new Error("down")))
          }
          const logs = yield* Layer.build(Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory))
          const broken = Layer.succeed(TaskControl, { ...TaskControl.none, pause })
          yield* Layer.build(Layer.provide(ReflectionCycle.ReflectionCycle.Live(), broken)).pipe(Effect.provide(logs))
          yield* Effect.provide(times(4), logs)
          yield* settled
          yield* Effect.provide(times(3, { taskId: "weekly" }), logs)
          yield* settled
          assert.deepStrictEqual(paused, ["weekly"])
          assert.deepStrictEqual(yield* Effect.provide(rulesFound, logs), [
            ["consecutive_failures", "warning"],
            ["consecutive_failures", "action_taken"]
          ])
        }).pipe(Effect.scoped)
      )
    )

    it.effect("waits half a minute for an answer, and no longer", () =>
      Effect.gen(function* () {
        yield* begun
        const logs = yield* Layer.build(Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory))
        const stuck = Layer.succeed(TaskControl, { ...TaskControl.none, pause: () => Effect.never })
        const layer = Layer.provide(ReflectionCycle.ReflectionCycle.Live(), stuck)
        const { run } = yield* Effect.flatMap(Effect.provide(Layer.build(layer), logs), (context) =>
          Effect.provide(ReflectionCycle.ReflectionCycle, context)
        )
        yield* Effect.provide(times(3), logs)
        const fiber = yield* Effect.fork(run())
        yield* TestClock.adjust("40 seconds")
        const { findings } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          findings.map(({ severity }) => severity),
          ["warning"]
        )
      }).pipe(Effect.scoped)
    )
  })

  describe("what it tells", () => {
    it.effect("has the names and fields that others listen for, for those who come late as well", () =>
      test(
        Effect.gen(function* () {
          const { events, history } = yield* ReflectionCycle.ReflectionCycle
          const fiber = yield* Effect.fork(Stream.runCollect(Stream.take(events, 3)))
          yield* Effect.yieldNow()
          yield* times(3)
          yield* settled
          const loaded = [{ kind: "skill", name: "deploy" }] as const
          yield* Effect.forEach(["x", "y", "z"], (taskId) => ends({ taskId, loaded }))
          yield* settled
          const told = [
            {
              type: "reflection.finding",
              rule: "consecutive_failures",
              severity: "action_taken",
              subject_id: "nightly",
              action_taken: "paused the task"
            },
            {
              type: "reflection.finding",
              rule: "skill_failure_correlation",
              severity: "warning",
              subject_id: "deploy",
              action_taken: null
            },
            { type: "reflection.skill_flagged", skill_name: "deploy", failure_count: 3 }
          ]
          yield* times(9, { status: "completed", taskId: "fine" })
          assert.deepStrictEqual(yield* history(), yield* Effect.map(Fiber.join(fiber), (chunk) => [...chunk]))
          assert.deepStrictEqual(yield* history(), told as ReadonlyArray<ReflectionCycle.CycleEvent>)
        }).pipe((work) => Effect.zipRight(times(9, { status: "completed", taskId: "fine" }), work))
      )
    )
  })

  describe("analysis", () => {
    const found = Effect.zipRight(times(3), settled)

    it.effect("asks once of what the rules found, with the attempts that failed and the tasks that still run", () =>
      Effect.gen(function* () {
        const { inputs, layer, proposed } = yield* consulting()
        yield* test(
          Effect.gen(function* () {
            const { history } = yield* ReflectionCycle.ReflectionCycle
            const log = yield* FindingLog
            yield* times(20, { status: "completed", taskId: "fine" })
            yield* settled
            assert.lengthOf(yield* Ref.get(inputs), 0)
            yield* found
            const [input = assert.fail("nothing was asked")] = yield* Ref.get(inputs)
            assert.deepStrictEqual(
              input.findings.map(({ rule }) => rule),
              ["consecutive_failures"]
            )
            assert.lengthOf(input.failed, 3)
            assert.deepStrictEqual(input.activeTasks, [])
            assert.deepStrictEqual((yield* history()).at(-1), {
              type: "reflection.analysis_completed",
              findings_count: 1,
              actions_recommended: 1
            })
            const finding = (yield* log.findings()).find(({ rule }) => rule === "analysis")
            assert.strictEqual(finding?.action, "reflection_analysis")
            assert.strictEqual(finding?.actionTaken, "left proposal proposals/a1.md")
            assert.include(finding?.detail, "It looks in vain.")
            assert.include(finding?.detail, "deploy: Say where the list is")
            yield* times(3, { status: "completed" })
            yield* settled
            assert.lengthOf(yield* Ref.get(inputs), 1)
            assert.deepStrictEqual(yield* Ref.get(proposed), ["a1"])
          }),
          layer
        )
      })
    )

    it.effect("hands on three changes of a cycle and no more, each with its limits", () =>
      Effect.gen(function* () {
        const actions = ["a1", "a2", "a3", "a4", "a5"].map(action)
        const { layer, proposed } = yield* consulting(() => ({
          analyse: () => Effect.succeed({ observations: "", actions, model: null }),
          propose: ({ id }) =>
            id === "a1"
              ? new Mutator.MutatorError({ actionId: id, reason: "failed", detail: "no" })
              : Effect.succeed({ actionId: id, kind: "branch", reference: `reflexion/${id}`, detail: "" })
        }))
        yield* test(
          Effect.gen(function* () {
            yield* found
            assert.deepStrictEqual(yield* Ref.get(proposed), ["a1", "a2", "a3"])
            const log = yield* FindingLog
            const finding = (yield* log.findings()).find(({ rule }) => rule === "analysis")
            assert.strictEqual(finding?.actionTaken, "left branch reflexion/a2, branch reflexion/a3")
          }),
          layer
        )
      })
    )

    it.effect("goes on after a model or a mutator that throws, and tries no change twice", () =>
      Effect.gen(function* () {
        yield* begun
        let isBroken = true
        const { inputs, layer, proposed } = yield* consulting(() => ({
          analyse: () => {
            if (isBroken) throw new Error("broken")
            return Effect.succeed({ observations: "", actions: [action("a1"), action("a2")], model: null })
          },
          propose: () => Effect.promise(() => Promise.reject(new Error("broken as well")))
        }))
        yield* Effect.gen(function* () {
          yield* times(3)
          yield* settled
          isBroken = false
          yield* times(3, { taskId: "weekly" })
          yield* settled
          // What it threw at is not among them.
          assert.deepStrictEqual(
            (yield* inputs).map(({ findings }) => findings.length),
            [2]
          )
          assert.deepStrictEqual(yield* proposed, ["a1", "a2"])
          yield* times(3, { taskId: "yearly" })
          yield* settled
          assert.lengthOf(yield* inputs, 2)
        }).pipe(Effect.provide(layer))
      })
    )

    it.effect("gives up on a model that never answers, and asks it of the next finding", () =>
      Effect.gen(function* () {
        const { inputs, layer } = yield* consulting(() => ({ analyse: () => Effect.never }))
        yield* test(
          Effect.gen(function* () {
            const { run } = yield* ReflectionCycle.ReflectionCycle
            yield* times(3)
            const fiber = yield* Effect.fork(run())
            yield* TestClock.adjust("10 minutes")
            assert.isNull((yield* Fiber.join(fiber)).analysis)
            yield* times(3, { taskId: "other" })
            yield* settled
            assert.deepStrictEqual(
              (yield* Ref.get(inputs)).map(({ findings }) => findings.length),
              [1, 2]
            )
          }),
          layer
        )
      })
    )
  })

  it.effect("leaves out what ended before its window, however late it is told of", () =>
    test(
      Effect.gen(function* () {
        const { run } = yield* ReflectionCycle.ReflectionCycle
        yield* times(4, { at: new Date(start - 25 * 3_600_000).toISOString() })
        assert.strictEqual((yield* run()).outcomes, 0)
        yield* times(3, { at: new Date(start - 23 * 3_600_000).toISOString() })
        assert.strictEqual((yield* run()).outcomes, 3)
      })
    )
  )
})
