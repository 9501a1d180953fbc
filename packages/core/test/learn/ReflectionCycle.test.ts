import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Queue, Ref, Stream, Supervisor, TestClock } from "effect"
import type { AttemptOutcome } from "../../src/learn/outcomes/AttemptOutcome.ts"
import { FindingLog, FindingRecord } from "../../src/learn/rules/FindingLog.ts"
import type { Checkpoint } from "../../src/learn/cycle/checkpoint.ts"
import { make } from "../../src/learn/cycle/program.ts"
import type { Saved } from "../../src/learn/cycle/state.ts"
import { ModelFailure } from "../../src/ask/models/ModelCall.ts"
import * as Mutator from "../../src/learn/changes/Mutator.ts"
import { OutcomeLog } from "../../src/learn/outcomes/OutcomeLog.ts"
import type { RecommendedAction } from "../../src/learn/changes/RecommendedAction.ts"
import * as Analysis from "../../src/learn/changes/ReflectionAnalysis.ts"
import * as ReflectionCycle from "../../src/learn/cycle/ReflectionCycle.ts"
import { ReflexionStore } from "../../src/learn/memory/ReflexionStore.ts"
import { TaskControl, TestTaskControl } from "../../src/learn/rules/TaskControl.ts"
import { advice } from "../support/advice.ts"

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

/** `a1`, `a2` and so on. */
const recommended = (name: string, many: number): Analysis.Analysis => ({
  observations: "",
  actions: Array.from({ length: many }, (_, at) => action(`${name}${at + 1}`)),
  model: null
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
    const layer = ReflectionCycle.ReflectionCycle.Memory({ settings: { enabled } })
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
    const memory = Layer.provide(ReflectionCycle.ReflectionCycle.Memory({ settings: { enabled } }), logs)
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

    it.effect("looks at completions by as many as are configured, and at those before a failure with it", () =>
      test(
        Effect.gen(function* () {
          const short = { status: "completed", resultLength: 3 } as const
          yield* times(3, short)
          yield* settled
          assert.deepStrictEqual(yield* rulesFound, [["stale_task", "warning"]])
          yield* times(2, { ...short, taskId: "other" })
          yield* settled
          yield* ends({ ...short, taskId: "other", status: "failed" })
          yield* ends({ ...short, taskId: "other" })
          yield* ends({ taskId: "third" })
          yield* settled
          assert.lengthOf(yield* rulesFound, 2)
        }),
        cycle({ settings: { batch_threshold: 3 } })
      )
    )

    it.effect("looks at a batch that is larger than what is looked at once", () =>
      Effect.gen(function* () {
        yield* begun
        const memory = yield* Layer.build(ReflexionStore.Memory)
        yield* test(
          Effect.gen(function* () {
            yield* Effect.provide(advice("FFF", start), memory)
            yield* times(1499, { status: "completed" })
            yield* settled
            assert.deepStrictEqual(yield* rulesFound, [])
            yield* ends({ status: "completed" })
            yield* settled
            assert.deepStrictEqual(yield* rulesFound, [["unhelpful_advice", "warning"]])
          }),
          Layer.provide(cycle({ settings: { batch_threshold: 1500 } }), Layer.succeedContext(memory))
        )
      }).pipe(Effect.scoped)
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
          assert.deepStrictEqual(yield* run(), { outcomes: 0, findings: [], analysis: null, mutations: [] })
          yield* settled
          assert.lengthOf(yield* rulesFound, 1)
        })
      )
    )
  })

  describe("what it begins with", () => {
    it.effect("says once that it can pause nothing, unless that is meant", () =>
      Effect.gen(function* () {
        const [, line, ...more] = yield* said(null)
        assert.include(line, "it has no TaskControl")
        assert.lengthOf(more, 0)
        assert.deepStrictEqual(yield* said(TaskControl.None), ["Reflection loop started"])
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
        const layer = Layer.provide(ReflectionCycle.ReflectionCycle.Memory(), TaskControl.None)
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
      const layer = ReflectionCycle.ReflectionCycle.Memory().pipe(
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

    it.effect("is paused again when somebody had it run and it still fails", () =>
      test(
        Effect.gen(function* () {
          const control = yield* TestTaskControl
          yield* times(3)
          yield* settled
          yield* control.resume("nightly")
          yield* times(2)
          yield* settled
          assert.lengthOf(yield* control.pauses, 1)
          yield* times(1)
          yield* settled
          assert.lengthOf(yield* control.pauses, 2)
          assert.lengthOf(yield* rulesFound, 2)
        })
      )
    )

    it.effect("is a warning where it cannot be paused", () =>
      test(
        Effect.gen(function* () {
          const control = yield* TestTaskControl
          yield* control.fail(true)
          yield* times(4)
          yield* settled
          assert.deepStrictEqual(yield* rulesFound, [["consecutive_failures", "warning"]])
        })
      )
    )

    it.effect("is paused later where it could not be at first, and that is told", () =>
      test(
        Effect.gen(function* () {
          const control = yield* TestTaskControl
          const { history } = yield* ReflectionCycle.ReflectionCycle
          yield* control.fail(true)
          yield* times(4)
          yield* settled
          yield* control.fail(false)
          yield* times(1)
          yield* settled
          assert.lengthOf(yield* control.pauses, 0, "it was asked a moment ago")
          yield* TestClock.adjust("1 minute")
          yield* times(1)
          yield* settled
          yield* times(2)
          yield* settled
          assert.lengthOf(yield* control.pauses, 1)
          assert.deepStrictEqual(yield* rulesFound, [["consecutive_failures", "action_taken"]])
          assert.deepStrictEqual(
            (yield* history()).map((event) => ("action_taken" in event ? event.action_taken : null)),
            [null, "paused the task"]
          )
        })
      )
    )

    it.effect("is paused though a look without a scheduler found it first", () =>
      Effect.gen(function* () {
        yield* begun
        const logs = yield* Layer.build(Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory))
        yield* Effect.provide(times(3), logs)
        const looked = Effect.flatMap(ReflectionCycle.ReflectionCycle, ({ run }) => run())
        yield* looked.pipe(Effect.provide(ReflectionCycle.ReflectionCycle.Memory()), Effect.provide(logs))
        const control = yield* Layer.build(TaskControl.Test(tasks))
        const cycling = yield* Layer.build(ReflectionCycle.ReflectionCycle.Memory()).pipe(
          Effect.provide(control),
          Effect.provide(logs)
        )
        yield* Effect.provide(times(1), logs)
        yield* Effect.provide(looked, cycling)
        const { pauses } = yield* Effect.provide(TestTaskControl, control)
        assert.lengthOf(yield* pauses, 1)
      }).pipe(Effect.scoped)
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
          yield* Layer.build(Layer.provide(ReflectionCycle.ReflectionCycle.Memory(), broken)).pipe(Effect.provide(logs))
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

    it.effect("is not paused before the log has it, and then at the next time", () =>
      test(
        Effect.gen(function* () {
          const control = yield* TestTaskControl
          const record = yield* FindingRecord
          const { run } = yield* ReflectionCycle.ReflectionCycle
          yield* record.fail(true)
          yield* times(3)
          yield* settled
          assert.lengthOf(yield* control.pauses, 0)
          assert.strictEqual((yield* Effect.flip(run())).code, "ENOSPC")
          yield* record.fail(false)
          const { findings } = yield* run()
          assert.lengthOf(findings, 1)
          assert.lengthOf(yield* control.pauses, 1)
        })
      )
    )

    it.effect("waits once a minute for a scheduler that never answers, however many attempts fail", () =>
      Effect.gen(function* () {
        yield* begun
        const asked: Array<string> = []
        const paused: Array<string> = []
        const logs = yield* Layer.build(Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory))
        const stuck = Layer.succeed(TaskControl, {
          ...TaskControl.none,
          isPaused: (taskId) =>
            Effect.zipRight(
              Effect.sync(() => asked.push(taskId)),
              Effect.never
            ),
          pause: (taskId) => Effect.sync(() => paused.push(taskId) > 0)
        })
        const layer = Layer.provide(ReflectionCycle.ReflectionCycle.Memory({ debounce: "1 day" }), stuck)
        const { run } = yield* Effect.flatMap(Effect.provide(Layer.build(layer), logs), (context) =>
          Effect.provide(ReflectionCycle.ReflectionCycle, context)
        )
        yield* Effect.provide(times(60), logs)
        const fiber = yield* Effect.fork(run())
        yield* TestClock.adjust("31 seconds")
        assert.strictEqual((yield* Fiber.join(fiber)).outcomes, 60)
        assert.lengthOf(asked, 1)
        assert.include(paused, "nightly", "what it answers is asked all the same")
        yield* TestClock.adjust("1 minute")
        yield* Effect.provide(ends(), logs)
        const next = yield* Effect.fork(run())
        yield* TestClock.adjust("31 seconds")
        yield* Fiber.join(next)
        assert.lengthOf(asked, 2)
      }).pipe(Effect.scoped)
    )

    it.effect("waits half a minute for an answer, and no longer", () =>
      Effect.gen(function* () {
        yield* begun
        const logs = yield* Layer.build(Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory))
        const stuck = Layer.succeed(TaskControl, { ...TaskControl.none, pause: () => Effect.never })
        const layer = Layer.provide(ReflectionCycle.ReflectionCycle.Memory(), stuck)
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
            const [finding] = yield* log.findings({ rule: "analysis" })
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
            const [finding] = yield* log.findings({ rule: "analysis" })
            assert.strictEqual(finding?.actionTaken, "left branch reflexion/a2, branch reflexion/a3")
          }),
          layer
        )
      })
    )

    it.effect("keeps what is recommended beyond three for the next cycles, and says so", () =>
      Effect.gen(function* () {
        const actions = Array.from({ length: 8 }, (_, at) => action(`a${at + 1}`))
        const { layer, proposed } = yield* consulting(() => ({
          analyse: () => Effect.succeed({ observations: "", actions, model: null })
        }))
        const lines: Array<string> = []
        const logger = Logger.make(({ message }) => void lines.push(String(message)))
        yield* test(
          Effect.gen(function* () {
            const ids = Effect.map(Ref.get(proposed), (all) => all.join(" "))
            yield* found
            assert.strictEqual(yield* ids, "a1 a2 a3")
            assert.deepStrictEqual(
              lines.filter((line) => line.includes("recommended")),
              ["5 recommended changes kept for the next cycle: at most 3 are handed on in one"]
            )
            yield* ends({ taskId: "other" })
            yield* settled
            assert.strictEqual(yield* ids, "a1 a2 a3 a4 a5 a6")
            yield* times(10, { taskId: "fine", status: "completed" })
            yield* settled
            assert.strictEqual(yield* ids, "a1 a2 a3 a4 a5 a6 a7 a8")
            const log = yield* FindingLog
            const [finding] = yield* log.findings({ rule: "analysis" })
            for (const { id } of actions) assert.include(finding?.actionTaken, `proposal proposals/${id}.md`)
          }),
          layer
        ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      })
    )

    it.effect("names the recommended changes that it has no room to keep", () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const logger = Logger.make(({ message }) => void lines.push(String(message)))
        const analysis = Analysis.ReflectionAnalysis.Test(...["a", "b", "c", "d"].map((name) => recommended(name, 10)))
        yield* test(
          Effect.gen(function* () {
            for (const taskId of ["a", "b", "c", "d"]) {
              yield* times(3, { taskId })
              yield* settled
            }
            const skipped = lines.filter((line) => line.includes("not kept"))
            assert.lengthOf(skipped, 10)
            assert.strictEqual(
              skipped[0],
              "recommended change a1 of deploy is not kept, for 30 newer ones wait: Say where the list is (a1)."
            )
          }),
          Layer.provide(cycle(), analysis)
        ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      })
    )

    it.effect("looks with the next finding at what no model could look at", () =>
      Effect.gen(function* () {
        const fails = yield* Ref.make(true)
        const { inputs, layer } = yield* consulting(() => ({
          analyse: () =>
            Effect.flatMap(Ref.get(fails), (is) =>
              is
                ? new ModelFailure({ model: "fast", reason: "over_budget", detail: "spent" })
                : Effect.succeed({ observations: "", actions: [], model: null })
            )
        }))
        yield* test(
          Effect.gen(function* () {
            yield* found
            yield* Ref.set(fails, false)
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

    it.effect("asks nothing more of a model that is down for failures that show nothing new", () =>
      Effect.gen(function* () {
        yield* begun
        const { inputs, layer } = yield* consulting(() => ({
          analyse: () => new ModelFailure({ reason: "unavailable", model: null, detail: "down" })
        }))
        yield* Effect.gen(function* () {
          yield* times(3)
          yield* settled
          for (let index = 0; index < 10; index += 1) {
            yield* ends({ taskId: `other-${index}` })
            yield* settled
          }
          assert.lengthOf(yield* inputs, 1)
          yield* times(3, { taskId: "weekly" })
          yield* settled
          assert.lengthOf(yield* inputs, 2)
        }).pipe(Effect.provide(layer))
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

    it.effect("keeps what was recommended until there is somebody to make it, three a cycle", () =>
      Effect.gen(function* () {
        yield* begun
        const kept: Array<Saved> = []
        const opening = Effect.sync((): Checkpoint => ({
          load: Effect.sync(() => kept.at(-1) ?? null),
          save: (saved) => Effect.sync(() => kept.push(saved))
        }))
        const logs = yield* Layer.build(Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory))
        const running = <A, E>(work: Effect.Effect<A, E, ReflectionCycle.ReflectionCycle | OutcomeLog>, name: string) =>
          work.pipe(
            Effect.provide(
              Layer.provide(
                Layer.scoped(ReflectionCycle.ReflectionCycle, make({}, opening)),
                Layer.mergeAll(Analysis.ReflectionAnalysis.Test(recommended(name, 4)), TaskControl.None)
              )
            ),
            Effect.provide(logs)
          )
        const run = Effect.flatMap(ReflectionCycle.ReflectionCycle, (one) => one.run())
        yield* running(Effect.zipRight(times(3), run), "a")
        yield* running(Effect.zipRight(times(3, { taskId: "weekly" }), run), "b")
        const mutator = yield* Layer.build(Mutator.Mutator.Test())
        const made = Effect.gen(function* () {
          const { proposed } = yield* Mutator.MutatorRecord
          return (yield* proposed).map((one) => one.action.id)
        }).pipe(Effect.provide(mutator))
        yield* running(run, "c").pipe(Effect.provide(mutator))
        assert.deepStrictEqual(yield* made, ["a1", "a2", "a3"])
        yield* running(Effect.zipRight(run, run), "c").pipe(Effect.provide(mutator))
        assert.deepStrictEqual(yield* made, ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"])
        const { findings } = yield* Effect.provide(FindingLog, logs)
        assert.deepStrictEqual(
          (yield* findings({ rule: "analysis" })).map(({ actionTaken }) => actionTaken),
          ["a", "b"].map((name) => `left proposal ${name}1, proposal ${name}2, proposal ${name}3, proposal ${name}4`)
        )
      }).pipe(Effect.scoped)
    )

    it.effect("counts a day's questions across restarts, and a new day's from the beginning", () =>
      Effect.gen(function* () {
        yield* begun
        const kept: Array<Saved> = []
        const opening = Effect.sync((): Checkpoint => ({
          load: Effect.sync(() => kept.at(-1) ?? null),
          save: (saved) => Effect.sync(() => kept.push(saved))
        }))
        const logs = yield* Layer.build(Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory))
        const answer = { observations: "", actions: [], model: null }
        const down = new ModelFailure({ reason: "unavailable", model: null, detail: "down" })
        const analysis = yield* Layer.build(
          Analysis.ReflectionAnalysis.Test(answer, down, down, answer, answer, answer, answer)
        )
        const asks = (taskId: string) =>
          Effect.zipRight(
            times(3, { taskId }),
            Effect.flatMap(ReflectionCycle.ReflectionCycle, (one) => one.run())
          ).pipe(
            Effect.provide(
              Layer.provide(Layer.scoped(ReflectionCycle.ReflectionCycle, make({}, opening)), TaskControl.None)
            ),
            Effect.provide(analysis),
            Effect.provide(logs)
          )
        yield* Effect.forEach(["a", "b", "c", "d", "e"], asks)
        yield* TestClock.adjust("24 hours")
        yield* asks("f")
        const { asked } = yield* Effect.provide(Analysis.AnalysisRecord, analysis)
        assert.deepStrictEqual(
          (yield* asked).map(({ madeToday }) => madeToday),
          // Nobody answered the second and the third.
          [0, 1, 1, 1, 2, 0]
        )
      }).pipe(Effect.scoped)
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

    it.effect("gives up on a mutator that never ends, and goes on with the next change", () =>
      Effect.gen(function* () {
        const { layer, proposed } = yield* consulting(() => ({
          analyse: () => Effect.succeed({ observations: "", actions: [action("a1"), action("a2")], model: null }),
          propose: ({ id }) =>
            id === "a1"
              ? Effect.never
              : Effect.succeed({ actionId: id, kind: "branch", reference: `reflexion/${id}`, detail: "" })
        }))
        yield* test(
          Effect.gen(function* () {
            const { run } = yield* ReflectionCycle.ReflectionCycle
            yield* times(3)
            const fiber = yield* Effect.fork(run())
            yield* TestClock.adjust("1 hour")
            assert.lengthOf((yield* Fiber.join(fiber)).mutations, 1)
            yield* run()
            assert.deepStrictEqual(yield* Ref.get(proposed), ["a1", "a2"])
          }),
          layer
        )
      })
    )

    it.effect("keeps a change while nobody can make it, and tries again with the next finding", () =>
      Effect.gen(function* () {
        const isThere = yield* Ref.make(false)
        const { layer, proposed } = yield* consulting(({ inputs }) => ({
          analyse: () =>
            Effect.map(Ref.get(inputs), ({ length }) => ({
              observations: "",
              actions: length > 1 ? [] : [action("a1"), action("a2")],
              model: null
            })),
          propose: ({ id }) =>
            Effect.flatMap(Ref.get(isThere), (is) =>
              is
                ? Effect.succeed({ actionId: id, kind: "proposal" as const, reference: `${id}.md`, detail: "" })
                : new Mutator.MutatorError({ actionId: id, reason: "unavailable", detail: "no room" })
            )
        }))
        yield* test(
          Effect.gen(function* () {
            yield* found
            assert.deepStrictEqual(yield* Ref.get(proposed), ["a1", "a2"])
            yield* ends({ taskId: "other" })
            yield* settled
            assert.lengthOf(yield* Ref.get(proposed), 2, "nothing new was found")
            yield* Ref.set(isThere, true)
            yield* times(2, { taskId: "other" })
            yield* settled
            assert.deepStrictEqual(yield* Ref.get(proposed), ["a1", "a2", "a1", "a2"])
            yield* times(3, { taskId: "third" })
            yield* settled
            assert.lengthOf(yield* Ref.get(proposed), 4, "they were made")
          }),
          layer
        )
      })
    )

    it.effect("keeps nobody waiting: what is found meanwhile is looked at afterwards", () =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        const { inputs, layer } = yield* consulting(() => ({
          analyse: () => Effect.as(Deferred.await(gate), { observations: "", actions: [], model: null })
        }))
        yield* test(
          Effect.gen(function* () {
            yield* found
            yield* times(3, { taskId: "other" })
            yield* settled
            assert.lengthOf(yield* rulesFound, 2)
            assert.lengthOf(yield* Ref.get(inputs), 1)
            yield* Deferred.succeed(gate, undefined)
            yield* settled
            assert.deepStrictEqual(
              (yield* Ref.get(inputs)).map(({ findings }) => findings.length),
              [1, 1]
            )
          }),
          layer
        )
      })
    )

    it.effect("is left out where a run is asked to, and made up for by the next", () =>
      Effect.gen(function* () {
        const { inputs, layer } = yield* consulting()
        yield* test(
          Effect.gen(function* () {
            const { run } = yield* ReflectionCycle.ReflectionCycle
            yield* times(3)
            assert.isNull((yield* run({ analyse: false })).analysis)
            assert.lengthOf(yield* Ref.get(inputs), 0)
            const { analysis, mutations } = yield* run()
            assert.strictEqual(analysis?.observations, "It looks in vain.")
            assert.lengthOf(mutations, 1)
          }),
          layer
        )
      })
    )
  })

  describe.each([
    ["after so many that completed", Effect.asVoid(times(10, { status: "completed" }))],
    ["at an attempt that failed", Effect.asVoid(ends())]
  ])("%s", (_, happens) => {
    it.effect("finds advice that does not help, in the memory of its context", () =>
      Effect.gen(function* () {
        yield* begun
        const memory = yield* Layer.build(ReflexionStore.Memory)
        const layer = Layer.provide(cycle(), Layer.succeedContext(memory))
        yield* test(
          Effect.gen(function* () {
            yield* Effect.provide(advice("FFF", start), memory)
            yield* happens
            yield* settled
            assert.deepStrictEqual(yield* rulesFound, [["unhelpful_advice", "warning"]])
            yield* happens
            yield* settled
            assert.lengthOf(yield* rulesFound, 1)
          }),
          layer
        )
      }).pipe(Effect.scoped)
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
