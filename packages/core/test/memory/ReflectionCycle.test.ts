/** The cycle: when it looks, what it pauses, what it tells, whom it asks, and how it goes on in the next process. */
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, Queue, Stream, TestClock } from "effect"
import * as FS from "node:fs"
import { join } from "node:path"
import * as Mutator from "../../src/memory/changes/Mutator.ts"
import type { RecommendedAction } from "../../src/memory/changes/RecommendedAction.ts"
import * as Analysis from "../../src/memory/changes/ReflectionAnalysis.ts"
import { ReflectionCycle } from "../../src/memory/cycle/ReflectionCycle.ts"
import { type AttemptOutcome, encode } from "../../src/memory/outcomes/AttemptOutcome.ts"
import { OutcomeLog } from "../../src/memory/outcomes/OutcomeLog.ts"
import { FindingLog, FindingRecord } from "../../src/memory/rules/FindingLog.ts"
import { TaskControl, TestTaskControl } from "../../src/memory/rules/TaskControl.ts"
import { CurrentConfig, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import { outcome } from "../support/outcomes.ts"
import { folder } from "../support/stores.ts"

const start = Date.parse("2026-03-01T00:00:00Z")
const hour = 3_600_000

let count = 0

/** So many attempts end, a millisecond apart. */
const times = (many: number, given: Partial<AttemptOutcome> = {}) =>
  Effect.gen(function* () {
    const { append } = yield* OutcomeLog
    const at = new Date(yield* TestClock.currentTimeMillis).toISOString()
    yield* append(outcome({ id: `o${(count += 1)}`, at, ...given }))
    yield* TestClock.adjust("1 millis")
  }).pipe(Effect.repeatN(many - 1))

/** Waits until the cycle has had its time, and then until what it began has ended. */
const settled = Effect.repeatN(TestClock.adjust("1 second"), 2)

const found = Effect.gen(function* () {
  const { findings } = yield* FindingLog
  return (yield* findings()).map(({ rule, severity }) => `${rule} ${severity}`)
})

const run = Effect.flatMap(ReflectionCycle, (cycle) => cycle.run())

const tasks = [{ id: "nightly", objective: "Refresh the price list" }]

const cycle = (options: Parameters<typeof ReflectionCycle.Test>[0] = {}) => ReflectionCycle.Test({ tasks, ...options })

const test = <A, E>(work: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof cycle>>>, layer = cycle()) =>
  Effect.zipRight(TestClock.setTime(start), Effect.provide(work, layer))

const memory = Layer.merge(OutcomeLog.Memory, FindingLog.Memory)

const action = (id: string): RecommendedAction => ({ id, target: "deploy", change: `Say it (${id}).`, reason: "" })

/** A model and a mutator, and what they were asked. */
const consulting = (given: {
  readonly analyse?: () => ReturnType<Analysis.Service["analyse"]>
  readonly propose?: (id: string) => Effect.Effect<Mutator.Mutation, Mutator.MutatorError>
}) => {
  const inputs: Array<Analysis.Input> = []
  const proposed: Array<string> = []
  const {
    analyse = () => Effect.succeed({ observations: "It looks in vain.", actions: [action("a1")], model: "fast" }),
    propose = (id) => Effect.succeed({ actionId: id, kind: "proposal", reference: `proposals/${id}.md`, detail: "" })
  } = given
  const ports = Layer.merge(
    Layer.succeed(Analysis.ReflectionAnalysis, {
      analyse: (input) => {
        inputs.push(input)
        return analyse()
      }
    }),
    Layer.succeed(Mutator.Mutator, {
      propose: ({ id }) => {
        proposed.push(id)
        return propose(id)
      }
    })
  )
  return { inputs, proposed, ports, layer: Layer.provide(cycle(), ports) }
}

const streak = "consecutive_failures action_taken"

describe("when the cycle looks", () => {
  it.effect("half a second after a failure, and at every tenth completion", () =>
    test(
      Effect.gen(function* () {
        const short = { status: "completed", taskId: "short", resultLength: 3 } as const
        yield* times(9, short)
        yield* settled
        assert.deepStrictEqual(yield* found, [])
        yield* times(1, short)
        yield* settled
        assert.deepStrictEqual(yield* found, ["stale_task warning"])
        yield* times(3)
        assert.lengthOf(yield* found, 1)
        yield* settled
        assert.deepStrictEqual(yield* found, ["stale_task warning", streak])
      })
    )
  )

  it.effect("at once when it is asked to, at what ended in its window, and finds nothing twice", () =>
    test(
      Effect.gen(function* () {
        yield* times(4, { at: new Date(start - 25 * hour).toISOString(), taskId: "old" })
        assert.strictEqual((yield* run).outcomes, 0)
        yield* times(3)
        const first = yield* run
        assert.deepStrictEqual([first.outcomes, first.findings.length], [3, 1])
        assert.strictEqual(first.findings[0]?.actionTaken, "paused the task")
        assert.deepStrictEqual(yield* run, { outcomes: 3, findings: [], analysis: null, mutations: [] })
      })
    )
  )

  it.effect("never while it is off, and says at the start whether it is", () =>
    Effect.gen(function* () {
      yield* test(
        Effect.gen(function* () {
          yield* times(5)
          yield* settled
          assert.deepStrictEqual(yield* run, { outcomes: 0, findings: [], analysis: null, mutations: [] })
          assert.deepStrictEqual(yield* found, [])
        }),
        cycle({ settings: { enabled: false } })
      )
      const said: Array<string> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => said.push(String(message)))
      )
      for (const enabled of [true, false])
        yield* Layer.build(Layer.provide(ReflectionCycle.Live({ settings: { enabled } }), memory)).pipe(
          Effect.provide(logger)
        )
      assert.deepStrictEqual(said, ["Reflection loop started", "Reflection loop disabled"])
    }).pipe(Effect.scoped)
  )

  it.effect("not while anybody may have written its logs, and then at what was added meanwhile", () =>
    Effect.forEach(["outcomes", "findings"], (held) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        let reason: string | null = null
        const heldBack = (name: string) => Effect.sync(() => (name === held ? reason : null))
        const logs = Layer.merge(
          Layer.effect(
            OutcomeLog,
            Effect.map(OutcomeLog, (log) => ({ ...log, heldBack: heldBack("outcomes") }))
          ),
          Layer.effect(
            FindingLog,
            Effect.map(FindingLog, (log) => ({ ...log, heldBack: heldBack("findings") }))
          )
        ).pipe(Layer.provide(memory))
        yield* Effect.gen(function* () {
          reason = "git tracks it"
          yield* TestClock.adjust("1 minute")
          yield* times(3)
          yield* settled
          assert.strictEqual((yield* run).outcomes, 0)
          assert.lengthOf(yield* found, 0)
          reason = null
          yield* TestClock.adjust("1 minute")
          assert.strictEqual((yield* run).outcomes, 3)
          assert.lengthOf(yield* found, 1)
        }).pipe(Effect.provide(Layer.provideMerge(ReflectionCycle.Live(), logs)))
      }).pipe(Effect.scoped)
    )
  )

  it.scoped("as the configuration says, which writes proposals where there is no other mutator", () =>
    Effect.gen(function* () {
      const advice = Analysis.ReflectionAnalysis.Test({ observations: "It looks in vain.", actions: [action("a1")] })
      const looked = (directory: string, given: PartialConfig["cycle"]) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(start)
          yield* times(4)
          return (yield* run).findings.length
        }).pipe(
          Effect.provide(
            ReflectionCycle.Configured({ directory }).pipe(
              Layer.provide([advice, CurrentConfig.layer(given === undefined ? {} : { cycle: given })]),
              Layer.provide([TaskControl.None, NodeContext.layer]),
              Layer.provideMerge(memory)
            )
          )
        )
      const [first, second] = [yield* folder, yield* folder]
      assert.strictEqual(yield* looked(second, { consecutive_failure_limit: 5 }), 0)
      assert.strictEqual(yield* looked(second, { enabled: false }), 0)
      assert.strictEqual(yield* looked(first, undefined), 1)
      assert.lengthOf(FS.readdirSync(join(first, ".reflection", "proposals")), 1)
      assert.strictEqual(yield* Effect.provide(looked(second, undefined), Mutator.Mutator.Test), 1)
      assert.isFalse(FS.existsSync(join(second, ".reflection")))
    })
  )
})

const broken = (pause: (taskId: string) => Effect.Effect<boolean>) =>
  ReflectionCycle.Live().pipe(
    Layer.provideMerge(memory),
    Layer.provide(Layer.succeed(TaskControl, { ...TaskControl.none, pause }))
  )

describe("a task that fails each time", () => {
  it.effect("is paused once, by the cycle or by a person, and counts again once it runs again", () =>
    test(
      Effect.gen(function* () {
        const control = yield* TestTaskControl
        const { pause } = yield* TaskControl
        const { appended } = yield* FindingRecord
        yield* pause("by-hand", "by hand")
        yield* times(5, { taskId: "by-hand" })
        yield* times(3)
        yield* settled
        const [, paused] = yield* control.pauses
        assert.strictEqual(paused?.taskId, "nightly")
        assert.include(paused?.reason, "failed 3 times in a row")
        assert.deepStrictEqual(
          (yield* appended).map(({ severity, subjectId }) => `${subjectId} ${severity}`),
          ["nightly warning", "nightly action_taken"]
        )
        yield* control.resume("nightly")
        yield* times(2)
        yield* settled
        assert.lengthOf(yield* control.pauses, 2)
        yield* times(1)
        yield* settled
        yield* times(5)
        yield* settled
        assert.lengthOf(yield* control.pauses, 3)
      })
    )
  )

  it.effect("stays unpaused, and others do not, where the scheduler throws, breaks or never answers", () =>
    Effect.gen(function* () {
      const faults = [
        () => assert.fail("no such task"),
        () => Effect.promise(() => Promise.reject(new Error("down"))),
        () => Effect.never
      ]
      for (const fault of faults) {
        yield* TestClock.setTime(start)
        const paused: Array<string> = []
        yield* Effect.gen(function* () {
          yield* times(3)
          yield* TestClock.adjust("40 seconds")
          yield* times(3, { taskId: "weekly" })
          yield* TestClock.adjust("40 seconds")
          assert.deepStrictEqual(paused, ["weekly"])
          assert.deepStrictEqual(yield* found, ["consecutive_failures warning", streak])
        }).pipe(
          Effect.provide(
            broken((taskId) => (taskId === "nightly" ? fault() : Effect.sync(() => paused.push(taskId) > 0)))
          )
        )
      }
    })
  )
})

it.effect("the cycle tells three events, with the names and fields that others listen for", () =>
  test(
    Effect.gen(function* () {
      const { events, history } = yield* ReflectionCycle
      const fiber = yield* Effect.fork(Stream.runCollect(Stream.take(events, 3)))
      yield* times(9, { status: "completed", taskId: "fine" })
      yield* times(3)
      yield* settled
      const loaded = [{ kind: "skill", name: "deploy" }] as const
      yield* Effect.forEach(["x", "y", "z"], (taskId) => times(1, { taskId, loaded }))
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
      assert.deepStrictEqual<unknown>([...(yield* Fiber.join(fiber))], told)
      assert.deepStrictEqual<unknown>(yield* history(), told)
    })
  )
)

describe("analysis", () => {
  it.effect("is asked for once, of findings, failed attempts and tasks that run, and is told and kept", () => {
    const { inputs, layer, proposed } = consulting({})
    return test(
      Effect.gen(function* () {
        const { history } = yield* ReflectionCycle
        const { findings } = yield* FindingLog
        yield* times(20, { status: "completed", taskId: "fine" })
        yield* settled
        assert.lengthOf(inputs, 0)
        yield* times(3)
        yield* settled
        yield* times(3, { status: "completed" })
        yield* settled
        assert.lengthOf(inputs, 1)
        assert.deepStrictEqual([inputs[0]?.findings.length, inputs[0]?.failed.length], [1, 3])
        assert.deepStrictEqual(inputs[0]?.activeTasks, [])
        assert.deepStrictEqual((yield* history()).at(-1), {
          type: "reflection.analysis_completed",
          findings_count: 1,
          actions_recommended: 1
        })
        const kept = (yield* findings()).find(({ rule }) => rule === "analysis")
        assert.strictEqual(kept?.action, "reflection_analysis")
        assert.strictEqual(kept?.actionTaken, "left proposal proposals/a1.md")
        assert.include(kept?.detail, "It looks in vain.")
        assert.include(kept?.detail, "deploy: Say it (a1).")
        assert.deepStrictEqual(proposed, ["a1"])
      }),
      layer
    )
  })

  it.effect("hands on three changes of a cycle, one that fails among them", () => {
    const { layer, proposed } = consulting({
      analyse: () => Effect.succeed({ observations: "", actions: ["a1", "a2", "a3", "a4"].map(action), model: null }),
      propose: (id) =>
        id === "a1"
          ? new Mutator.MutatorError({ actionId: id, reason: "failed", detail: "no" })
          : Effect.succeed({ actionId: id, kind: "branch", reference: `reflexion/${id}`, detail: "" })
    })
    return test(
      Effect.gen(function* () {
        yield* times(3)
        yield* settled
        assert.deepStrictEqual(proposed, ["a1", "a2", "a3"])
        const { findings } = yield* FindingLog
        const kept = (yield* findings()).find(({ rule }) => rule === "analysis")
        assert.strictEqual(kept?.actionTaken, "left branch reflexion/a2, branch reflexion/a3")
      }),
      layer
    )
  })

  it.effect(
    "is asked for again where the model threw or never answered, and goes on after a mutator that breaks",
    () => {
      const faults = [() => assert.fail("broken"), () => Effect.never]
      const { inputs, layer, proposed } = consulting({
        analyse: () =>
          faults.shift()?.() ??
          Effect.succeed({ observations: "", actions: [action("a1"), action("a2")], model: null }),
        propose: () => Effect.promise(() => Promise.reject(new Error("broken as well")))
      })
      return test(
        Effect.gen(function* () {
          for (const taskId of ["a", "b", "c"]) {
            yield* times(3, { taskId })
            yield* TestClock.adjust("10 minutes")
          }
          assert.deepStrictEqual(
            inputs.map(({ findings }) => findings.length),
            [1, 2, 3]
          )
          assert.deepStrictEqual(proposed, ["a1", "a2"])
        }),
        layer
      )
    }
  )
})

const failed = (index: number, given: Partial<AttemptOutcome> = {}) =>
  outcome({ id: `f${index}`, at: new Date(start + index * 60_000).toISOString(), ...given })

describe("the cycle of one process after another", () => {
  /** A folder, and cycles of processes over its files that ask one scheduler. */
  const opened = Effect.gen(function* () {
    yield* TestClock.setTime(start + 12 * hour)
    const place = yield* folder
    const [outcomes, findings] = [join(place, "outcomes.jsonl"), join(place, "findings.jsonl")]
    const control = yield* Layer.build(TaskControl.Test())
    const layer = ReflectionCycle.Live().pipe(
      Layer.provideMerge(Layer.merge(OutcomeLog.Live({ path: outcomes }), FindingLog.Live({ path: findings }))),
      Layer.provide([Layer.succeedContext(control), NodeContext.layer])
    )
    /** Looks at some more attempts in a process that ends then; with what it told. */
    const process = (...more: ReadonlyArray<AttemptOutcome>) =>
      Effect.gen(function* () {
        const { subscribe } = yield* ReflectionCycle
        const told = yield* subscribe
        yield* Effect.flatMap(OutcomeLog, (log) => log.append(more))
        const report = yield* run
        return { found: report.findings.length, outcomes: report.outcomes, told: [...(yield* Queue.takeAll(told))] }
      }).pipe(Effect.scoped, Effect.provide(layer))
    return { control: Context.get(control, TestTaskControl), findings, layer, outcomes, process }
  })

  it.scoped("goes on with what was added while none ran, has the history of the last, and tells nothing twice", () =>
    Effect.gen(function* () {
      const { control, findings, layer, outcomes, process } = yield* opened
      assert.strictEqual((yield* process(failed(0))).found, 0)
      FS.appendFileSync(outcomes, [failed(1), failed(2)].map(encode).join(""))
      const second = yield* process()
      assert.deepStrictEqual([second.found, second.outcomes, second.told.length], [1, 3, 1])
      const before = FS.readFileSync(findings, "utf8")
      assert.deepStrictEqual(yield* process(), { found: 0, outcomes: 3, told: [] })
      assert.strictEqual(FS.readFileSync(findings, "utf8"), before)
      assert.lengthOf(yield* control.pauses, 1)
      const history = Effect.flatMap(ReflectionCycle, (one) => one.history())
      assert.deepStrictEqual(yield* Effect.provide(history, layer), second.told)
    })
  )

  it.scoped("pauses the task of a finding after whose writing the process ended, and tells that", () =>
    Effect.gen(function* () {
      const { control, findings, process } = yield* opened
      yield* process(failed(0), failed(1), failed(2))
      // As it was between the two lines.
      const [intent] = FS.readFileSync(findings, "utf8").split("\n")
      FS.writeFileSync(findings, `${intent}\n`)
      yield* control.resume("nightly")
      const { told } = yield* process()
      assert.deepStrictEqual(
        told.map((event) => event.type === "reflection.finding" && event.severity),
        ["action_taken"]
      )
      assert.lengthOf(yield* control.pauses, 2)
      assert.include(FS.readFileSync(findings, "utf8").split("\n")[1], '"severity":"action_taken"')
    })
  )

  it.scoped("is told by one of three that look at once, and asks a model only about what none has answered", () =>
    Effect.gen(function* () {
      const { control, findings, layer, outcomes } = yield* opened
      FS.writeFileSync(outcomes, [0, 1, 2].map((index) => encode(failed(index))).join(""))
      const cycles = yield* Effect.replicateEffect(
        Effect.map(Layer.build(Layer.fresh(layer)), (context) => Context.get(context, ReflectionCycle)),
        3
      )
      const reports = yield* Effect.forEach(cycles, (one) => one.run(), { concurrency: "unbounded" })
      assert.lengthOf(
        reports.flatMap((report) => report.findings),
        1
      )
      assert.isAtLeast((yield* control.pauses).length, 1)
      assert.strictEqual(FS.readFileSync(findings, "utf8").match(/"severity":"warning"/g)?.length, 1)
      const { inputs, ports } = consulting({})
      for (const _ of [1, 2]) yield* Effect.provide(run, Layer.provide(Layer.fresh(layer), ports))
      assert.deepStrictEqual(
        inputs.map((input) => input.findings.map(({ rule }) => rule)),
        [["consecutive_failures"]]
      )
    })
  )
})
