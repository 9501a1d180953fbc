import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Queue, Stream, TestClock } from "effect"
import * as FS from "node:fs"
import { join } from "node:path"
import * as Mutator from "../../src/memory/changes/Mutator.ts"
import type { RecommendedAction } from "../../src/memory/changes/RecommendedAction.ts"
import * as Analysis from "../../src/memory/changes/ReflectionAnalysis.ts"
import { ReflectionCycle } from "../../src/memory/cycle/ReflectionCycle.ts"
import { type AttemptOutcome, encode } from "../../src/memory/outcomes/AttemptOutcome.ts"
import { OutcomeLog } from "../../src/memory/outcomes/OutcomeLog.ts"
import { FindingLog, FindingRecord } from "../../src/memory/rules/FindingLog.ts"
import { TaskControl, TaskControlError, TestTaskControl } from "../../src/memory/rules/TaskControl.ts"
import { CurrentConfig, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import { StorageError } from "../../src/memory/log/StorageError.ts"
import { outcome } from "../support/outcomes.ts"
import { folder } from "../support/stores.ts"
import { type Work, works } from "../support/works.ts"

const start = Date.parse("2026-03-01T00:00:00Z")
const hour = 3_600_000

let count = 0

/** Lets this many attempts end, a millisecond apart. */
const times = (many: number, given: Partial<AttemptOutcome> = {}) =>
  Effect.gen(function* () {
    const { append } = yield* OutcomeLog
    const at = new Date(yield* TestClock.currentTimeMillis).toISOString()
    yield* append(outcome({ id: `o${(count += 1)}`, at, ...given }))
    yield* TestClock.adjust("1 millis")
  }).pipe(Effect.repeatN(many - 1))

/** Like `times`, and then gives the cycle time to finish what it began. */
const ended = (many: number, given: Partial<AttemptOutcome> = {}) =>
  Effect.zipRight(times(many, given), Effect.repeatN(TestClock.adjust("1 second"), 2))

const found = Effect.gen(function* () {
  const { findings } = yield* FindingLog
  return (yield* findings()).map(({ rule, severity }) => `${rule} ${severity}`)
})

const keptAnalysis = Effect.gen(function* () {
  const { findings } = yield* FindingLog
  return (yield* findings()).find(({ rule }) => rule === "analysis")
})

const run = Effect.flatMap(ReflectionCycle, (cycle) => cycle.run())

const tasks = [{ id: "nightly", objective: "Refresh the price list" }]

const cycle = (options: Parameters<typeof ReflectionCycle.Test>[0] = {}) => ReflectionCycle.Test({ tasks, ...options })

const looking =
  (layer = cycle()) =>
  (name: string, work: Work<Layer.Layer.Success<typeof layer>>): void =>
    it.scoped(name, () => Effect.zipRight(TestClock.setTime(start), Effect.provide(Effect.gen(work), layer)))

const looks = looking()

const memory = Layer.merge(OutcomeLog.Memory, FindingLog.Memory)

const action = (id: string): RecommendedAction => ({ id, target: "deploy", change: `Say it (${id}).`, reason: "" })

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

const nothing = { findings: [], analysis: null, mutations: [] }

describe("when the cycle looks", () => {
  looks("half a second after a failure, and at every tenth completion", function* () {
    const short = { status: "completed", taskId: "short", resultLength: 3 } as const
    yield* ended(9, short)
    assert.deepStrictEqual(yield* found, [])
    yield* ended(1, short)
    assert.deepStrictEqual(yield* found, ["stale_task warning"])
    yield* times(3)
    assert.lengthOf(yield* found, 1)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* found, ["stale_task warning", streak])
  })

  looks("on request: at once, at the outcomes in its window, without repeating a finding", function* () {
    yield* times(4, { at: new Date(start - 25 * hour).toISOString(), taskId: "old" })
    assert.strictEqual((yield* run).outcomes, 0)
    yield* times(3)
    const { findings, outcomes } = yield* run
    assert.deepStrictEqual([outcomes, findings.map((one) => one.actionTaken)], [3, ["paused the task"]])
    assert.deepStrictEqual(yield* run, { outcomes: 3, ...nothing })
  })

  looking(cycle({ settings: { enabled: false } }))("never while it is off", function* () {
    yield* ended(5)
    assert.deepStrictEqual(yield* run, { outcomes: 0, ...nothing })
    assert.deepStrictEqual(yield* found, [])
  })

  it.scoped.each(["outcomes", "findings"])("not while its %s are held back; afterwards at all that was added", (held) =>
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
        yield* ended(3)
        assert.deepStrictEqual([(yield* run).outcomes, yield* found], [0, []])
        reason = null
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* run).outcomes, 3)
        assert.lengthOf(yield* found, 1)
      }).pipe(Effect.provide(Layer.provideMerge(ReflectionCycle.Live(), logs)))
    })
  )

  works("as configured; it writes proposals if there is no other mutator", function* () {
    const analysis = { observations: "It looks in vain.", actions: [action("a1")], model: null }
    const advice = Layer.succeed(Analysis.ReflectionAnalysis, { analyse: () => Effect.succeed(analysis) })
    const branch = Layer.succeed(Mutator.Mutator, {
      propose: ({ id }) => Effect.succeed({ actionId: id, kind: "branch", reference: id, detail: "" })
    })
    const looked = (directory: string, given: NonNullable<PartialConfig["cycle"]> = {}) =>
      TestClock.setTime(start).pipe(
        Effect.zipRight(times(4)),
        Effect.zipRight(run),
        Effect.map(({ findings }) => findings.length),
        Effect.provide(
          ReflectionCycle.Configured({ directory }).pipe(
            Layer.provide([advice, CurrentConfig.layer({ cycle: given })]),
            Layer.provide([Layer.succeed(TaskControl, TaskControl.none), NodeContext.layer]),
            Layer.provideMerge(memory)
          )
        )
      )
    const [first, second] = [yield* folder, yield* folder]
    assert.strictEqual(yield* looked(second, { consecutive_failure_limit: 5 }), 0)
    assert.strictEqual(yield* looked(second, { enabled: false }), 0)
    assert.strictEqual(yield* looked(first), 1)
    assert.lengthOf(FS.readdirSync(join(first, ".reflection", "proposals")), 1)
    assert.strictEqual(yield* Effect.provide(looked(second), branch), 1)
    assert.isFalse(FS.existsSync(join(second, ".reflection")))
  })
})

describe("a task that fails each time", () => {
  looks("is paused once, by the cycle or a person; a resume restarts the count", function* () {
    const control = yield* TestTaskControl
    const { pause } = yield* TaskControl
    yield* pause("by-hand", "by hand")
    yield* times(5, { taskId: "by-hand" })
    yield* ended(3)
    const [, paused] = yield* control.pauses
    assert.strictEqual(paused?.taskId, "nightly")
    assert.include(paused?.reason, "failed 3 times in a row")
    const told = (yield* (yield* FindingRecord).appended).map(({ severity, subjectId }) => `${subjectId} ${severity}`)
    assert.deepStrictEqual(told, ["nightly warning", "nightly action_taken"])
    yield* control.resume("nightly")
    yield* ended(2)
    assert.lengthOf(yield* control.pauses, 2)
    yield* ended(1)
    yield* ended(5)
    assert.lengthOf(yield* control.pauses, 3)
  })

  it.effect("the cycle retries after the log or the scheduler failed, without a new outcome", () => {
    const paused: Array<string> = []
    const faults = ["log", "scheduler", "scheduler"]
    const isFailing = (what: string) => faults[0] === what && faults.shift() === what
    const failing = Layer.effect(
      OutcomeLog,
      Effect.map(OutcomeLog, (log) => ({
        ...log,
        outcomesSince: (...given: Parameters<typeof log.outcomesSince>) =>
          Effect.suspend(() =>
            isFailing("log") ? new StorageError({ reason: "failed", detail: "down" }) : log.outcomesSince(...given)
          )
      }))
    )
    const pause = (taskId: string) =>
      Effect.suspend(() =>
        isFailing("scheduler")
          ? new TaskControlError({ operation: "pause", taskId, cause: "down" })
          : Effect.succeed(paused.push(taskId) > 0)
      )
    return Effect.gen(function* () {
      yield* TestClock.setTime(start)
      yield* ended(3)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual([faults, paused, yield* found], [[], ["nightly"], [streak]])
      yield* TestClock.adjust("1 hour")
      assert.lengthOf(paused, 1)
    }).pipe(
      Effect.provide(Layer.provideMerge(ReflectionCycle.Live(), Layer.provideMerge(failing, memory))),
      Effect.provideService(TaskControl, { ...TaskControl.none, pause })
    )
  })

  it.effect.each<readonly [string, () => Effect.Effect<boolean>]>([
    ["throws", () => assert.fail("no such task")],
    ["breaks", () => Effect.promise(() => Promise.reject(new Error("down")))],
    ["never answers", () => Effect.never]
  ])("the scheduler %s → this task stays unpaused, other tasks are paused", ([, fault]) => {
    const paused: Array<string> = []
    const pause = (taskId: string) => (taskId === "nightly" ? fault() : Effect.sync(() => paused.push(taskId) > 0))
    return Effect.gen(function* () {
      yield* TestClock.setTime(start)
      for (const taskId of ["nightly", "weekly"]) {
        yield* times(3, { taskId })
        yield* TestClock.adjust("40 seconds")
      }
      assert.deepStrictEqual(paused, ["weekly"])
      assert.deepStrictEqual(yield* found, ["consecutive_failures warning", streak])
    }).pipe(
      Effect.provide(Layer.provideMerge(ReflectionCycle.Live(), memory)),
      Effect.provideService(TaskControl, { ...TaskControl.none, pause })
    )
  })
})

const toldOf = (rule: string, severity: string, subject_id: string, action_taken: string | null) => {
  return { type: "reflection.finding", rule, severity, subject_id, action_taken }
}

looks("the cycle publishes three events, with the names and fields that listeners expect", function* () {
  const { events, history } = yield* ReflectionCycle
  const fiber = yield* Effect.fork(Stream.runCollect(Stream.take(events, 3)))
  yield* times(9, { status: "completed", taskId: "fine" })
  yield* ended(3)
  for (const taskId of ["x", "y", "z"]) yield* times(1, { taskId, loaded: [{ kind: "skill", name: "deploy" }] })
  yield* ended(1, { status: "completed", taskId: "fine" })
  const told = [
    toldOf("consecutive_failures", "action_taken", "nightly", "paused the task"),
    toldOf("skill_failure_correlation", "warning", "deploy", null),
    { type: "reflection.skill_flagged", skill_name: "deploy", failure_count: 3 }
  ]
  assert.deepStrictEqual<unknown>([...(yield* Fiber.join(fiber))], told)
  assert.deepStrictEqual<unknown>(yield* history(), told)
})

describe("analysis", () => {
  const once = consulting({})
  looking(once.layer)("runs once over findings, failures and tasks; its result is published and kept", function* () {
    yield* ended(20, { status: "completed", taskId: "fine" })
    assert.lengthOf(once.inputs, 0)
    yield* ended(3)
    yield* ended(3, { status: "completed" })
    assert.deepStrictEqual(
      once.inputs.map(({ activeTasks, failed, findings }) => [findings.length, failed.length, activeTasks.length]),
      [[1, 3, 0]]
    )
    const told = { type: "reflection.analysis_completed", findings_count: 1, actions_recommended: 1 } as const
    assert.deepStrictEqual((yield* (yield* ReflectionCycle).history()).at(-1), told)
    const kept = yield* keptAnalysis
    assert.strictEqual(kept?.action, "reflection_analysis")
    assert.strictEqual(kept?.actionTaken, "left proposal proposals/a1.md")
    assert.match(kept?.detail ?? "", /It looks in vain\.[^]*deploy: Say it \(a1\)\./)
    assert.deepStrictEqual(once.proposed, ["a1"])
  })

  const three = consulting({
    analyse: () => Effect.succeed({ observations: "", actions: ["a1", "a2", "a3", "a4"].map(action), model: null }),
    propose: (id) =>
      id === "a1"
        ? new Mutator.MutatorError({ actionId: id, reason: "failed", detail: "no" })
        : Effect.succeed({ actionId: id, kind: "branch", reference: `reflexion/${id}`, detail: "" })
  })
  looking(three.layer)("passes at most three changes per cycle to the mutator, counting a failed one", function* () {
    yield* ended(3)
    assert.deepStrictEqual(three.proposed, ["a1", "a2", "a3"])
    assert.strictEqual((yield* keptAnalysis)?.actionTaken, "left branch reflexion/a2, branch reflexion/a3")
  })

  const faults = [() => assert.fail("broken"), () => Effect.never]
  const advice = { observations: "", actions: [action("a1"), action("a2")], model: null }
  const broken = consulting({
    analyse: () => faults.shift()?.() ?? Effect.succeed(advice),
    propose: () => Effect.promise(() => Promise.reject(new Error("broken as well")))
  })
  looking(broken.layer)("runs again after the model threw or hung, and survives a broken mutator", function* () {
    for (const taskId of ["a", "b", "c"]) {
      yield* times(3, { taskId })
      yield* TestClock.adjust("10 minutes")
    }
    const findings = broken.inputs.map(({ findings }) => findings.length)
    assert.deepStrictEqual(findings, [1, 2, 3])
    assert.deepStrictEqual(broken.proposed, ["a1", "a2"])
  })
})

const failed = (index: number) => outcome({ id: `f${index}`, at: new Date(start + index * 60_000).toISOString() })

describe("the cycle of one process after another", () => {
  /** A folder, and processes that each run a cycle over its files. They all use one scheduler. */
  const opened = Effect.gen(function* () {
    yield* TestClock.setTime(start + 12 * hour)
    const place = yield* folder
    const [outcomes, findings] = [join(place, "outcomes.jsonl"), join(place, "findings.jsonl")]
    const control = yield* Layer.build(TaskControl.Test())
    const layer = ReflectionCycle.Live().pipe(
      Layer.provideMerge(Layer.merge(OutcomeLog.Live({ path: outcomes }), FindingLog.Live({ path: findings }))),
      Layer.provide([Layer.succeedContext(control), NodeContext.layer])
    )
    /** Runs a process that looks at some more attempts and ends. Returns what it found and told. */
    const process = (...more: ReadonlyArray<AttemptOutcome>) =>
      Effect.gen(function* () {
        const told = yield* (yield* ReflectionCycle).subscribe
        yield* Effect.flatMap(OutcomeLog, (log) => log.append(more))
        const report = yield* run
        return { found: report.findings.length, outcomes: report.outcomes, told: [...(yield* Queue.takeAll(told))] }
      }).pipe(Effect.scoped, Effect.provide(layer))
    const text = () => FS.readFileSync(findings, "utf8")
    return { control: Context.get(control, TestTaskControl), findings, layer, outcomes, process, text }
  })

  works("a later process looks at outcomes added meanwhile, keeps the history, and repeats nothing", function* () {
    const { control, layer, outcomes, process, text } = yield* opened
    assert.strictEqual((yield* process(failed(0))).found, 0)
    FS.appendFileSync(outcomes, [failed(1), failed(2)].map(encode).join(""))
    const second = yield* process()
    assert.deepStrictEqual([second.found, second.outcomes, second.told.length], [1, 3, 1])
    const before = text()
    assert.deepStrictEqual(yield* process(), { found: 0, outcomes: 3, told: [] })
    assert.strictEqual(text(), before)
    assert.lengthOf(yield* control.pauses, 1)
    const history = Effect.flatMap(ReflectionCycle, (one) => one.history())
    assert.deepStrictEqual(yield* Effect.provide(history, layer), second.told)
  })

  works("a process ended after writing a finding → the next one pauses and publishes it", function* () {
    const { control, findings, process, text } = yield* opened
    yield* process(failed(0), failed(1), failed(2))
    // The log as it was after the first of its two lines.
    FS.writeFileSync(findings, `${text().split("\n")[0]}\n`)
    yield* control.resume("nightly")
    const { told } = yield* process()
    const got = told.map((event) => event.type === "reflection.finding" && event.severity)
    assert.deepStrictEqual(got, ["action_taken"])
    assert.lengthOf(yield* control.pauses, 2)
    assert.include(text().split("\n")[1], '"severity":"action_taken"')
  })

  works("of three cycles at once, one reports the finding, and a model analyses it once", function* () {
    const { control, layer, outcomes, text } = yield* opened
    FS.writeFileSync(outcomes, [0, 1, 2].map((index) => encode(failed(index))).join(""))
    const cycle = Effect.map(Layer.build(Layer.fresh(layer)), Context.get(ReflectionCycle))
    const cycles = yield* Effect.replicateEffect(cycle, 3)
    const reports = yield* Effect.forEach(cycles, (one) => one.run(), { concurrency: "unbounded" })
    assert.lengthOf(reports.map(({ findings }) => findings).flat(), 1)
    assert.isAtLeast((yield* control.pauses).length, 1)
    assert.strictEqual(text().match(/"severity":"warning"/g)?.length, 1)
    const { inputs, ports } = consulting({})
    for (const _ of [1, 2]) yield* Effect.provide(run, Layer.provide(Layer.fresh(layer), ports))
    assert.deepStrictEqual(
      inputs.map(({ findings }) => findings.map(({ rule }) => rule)),
      [["consecutive_failures"]]
    )
  })
})
