import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import type { AttemptOutcome } from "../../src/memory/outcomes/AttemptOutcome.ts"
import { FindingLog } from "../../src/memory/rules/FindingLog.ts"
import type { Checkpoint } from "../../src/memory/cycle/checkpoint.ts"
import { make } from "../../src/memory/cycle/program.ts"
import type { Saved } from "../../src/memory/cycle/state.ts"
import { OutcomeLog } from "../../src/memory/outcomes/OutcomeLog.ts"
import * as ReflectionCycle from "../../src/memory/cycle/ReflectionCycle.ts"
import { TaskControl, TestTaskControl } from "../../src/memory/rules/TaskControl.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

let count = 0

const outcome = (given: Partial<AttemptOutcome> = {}): AttemptOutcome => {
  count += 1
  return {
    id: `o${count}`,
    taskId: "nightly",
    sessionId: "s1",
    objective: "Refresh the price list",
    status: "failed",
    durationMs: 1000,
    tools: [],
    loaded: [],
    resultLength: 400,
    backend: "codex",
    at: new Date(start + count).toISOString(),
    ...given
  }
}

const numbered = (many: number) => Array.from({ length: many }, (_, index) => index)

/** Fails of as many tasks, `times` of each: one of each task after another, or all of a task before those of the next. */
const outage = (tasks: number, { byTask, times }: { readonly byTask: boolean; readonly times: number }) =>
  byTask
    ? numbered(tasks).flatMap((task) => numbered(times).map(() => outcome({ taskId: `task-${task}` })))
    : numbered(times).flatMap(() => numbered(tasks).map((task) => outcome({ taskId: `task-${task}` })))

/** The cycle with a checkpoint in memory, which says how often it was written. */
const opened = Effect.gen(function* () {
  yield* TestClock.setTime(start + 3_600_000)
  const saves: Array<Saved> = []
  const opening = Effect.sync((): Checkpoint => ({
    load: Effect.sync(() => saves.at(-1) ?? null),
    save: (saved) => Effect.sync(() => saves.push(structuredClone(saved)))
  }))
  const world = yield* Layer.build(Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory, TaskControl.Test()))
  /** What a process adds and looks at; it ends by a kill, and leaves what it saved. */
  const process = (...batches: ReadonlyArray<ReadonlyArray<AttemptOutcome>>) =>
    Effect.gen(function* () {
      const { append } = yield* OutcomeLog
      const { run } = yield* ReflectionCycle.ReflectionCycle
      const before = saves.length
      const found = yield* Effect.forEach(batches, (batch) => Effect.zipRight(append(batch), run({ analyse: false })))
      const last = found.at(-1) ?? (yield* run({ analyse: false }))
      return { ...last, saves: saves.length - before, killed: saves.length }
    }).pipe(
      Effect.provide(Layer.scoped(ReflectionCycle.ReflectionCycle, make({}, opening))),
      Effect.provide(world),
      // A kill leaves no last checkpoint.
      Effect.tap(({ killed }) => Effect.sync(() => saves.splice(killed)))
    )
  const control = yield* Effect.provide(TestTaskControl, world)
  const log = yield* Effect.provide(FindingLog, world)
  const tasks = yield* Effect.provide(TaskControl, world)
  return { control, log, process, tasks }
})

describe("how often a checkpoint is written", () => {
  it.scoped("not at all for what nothing is found in", () =>
    Effect.gen(function* () {
      const { process } = yield* opened
      const all = numbered(1000).map((index) => outcome({ taskId: `task-${index}`, status: "completed" }))
      assert.strictEqual((yield* process(all)).saves, 0)
    })
  )

  it.scoped("before a finding is in the log, and when it is told", () =>
    Effect.gen(function* () {
      const { process } = yield* opened
      const { findings, saves } = yield* process([outcome(), outcome(), outcome()])
      assert.lengthOf(findings, 1)
      assert.strictEqual(saves, 2)
    })
  )

  it.scoped("once for each fifty findings of an outage, and when the last of them are told", () =>
    Effect.gen(function* () {
      const { control, process } = yield* opened
      const { findings, saves } = yield* process(outage(200, { byTask: false, times: 3 }))
      assert.lengthOf(findings, 200)
      assert.lengthOf(yield* control.pauses, 200)
      assert.strictEqual(saves, 4 + 1)
    })
  )

  it.scoped("also where the tasks fail on and could not be paused for a while", () =>
    Effect.gen(function* () {
      const { control, log, process } = yield* opened
      yield* control.fail(true)
      yield* process(outage(200, { byTask: false, times: 3 }))
      yield* control.fail(false)
      const { findings, saves } = yield* process(outage(200, { byTask: false, times: 1 }))
      assert.lengthOf(findings, 200)
      assert.lengthOf(yield* control.pauses, 200)
      assert.strictEqual(saves, 4 + 1)
      assert.isTrue((yield* log.findings()).every(({ severity }) => severity === "action_taken"))
    })
  )

  it.scoped("before the next attempt of a task that is to be paused first", () =>
    Effect.gen(function* () {
      const { control, process } = yield* opened
      const { findings, saves } = yield* process(outage(20, { byTask: true, times: 5 }))
      assert.lengthOf(findings, 20)
      assert.lengthOf(yield* control.pauses, 20)
      assert.strictEqual(saves, 20 + 1)
    })
  )
})

describe("what a kill leaves of an outcome that was left out", () => {
  it.scoped("is not counted after all where the task runs again meanwhile", () =>
    Effect.gen(function* () {
      const { control, log, process } = yield* opened
      yield* process([outcome(), outcome(), outcome()], [outcome(), outcome(), outcome()])
      assert.lengthOf(yield* control.pauses, 1)
      yield* control.resume("nightly")
      yield* process()
      assert.lengthOf(yield* control.pauses, 1)
      assert.lengthOf(yield* log.findings(), 1)
    })
  )
})

describe("a task that a person paused while no process ran", () => {
  it.scoped("was found to fail before that all the same, and is left alone from then on", () =>
    Effect.gen(function* () {
      const { control, log, process, tasks } = yield* opened
      yield* process([outcome(), outcome()])
      yield* tasks.pause("nightly", "by hand")
      const { findings } = yield* process([outcome()])
      assert.deepStrictEqual(
        findings.map(({ rule }) => rule),
        ["consecutive_failures"]
      )
      const pauses = yield* control.pauses
      yield* process([outcome(), outcome(), outcome()])
      assert.lengthOf(yield* log.findings(), 1)
      assert.deepStrictEqual(yield* control.pauses, pauses)
    })
  )

  it.scoped("counts nothing that it still ends while a process runs", () =>
    Effect.gen(function* () {
      const { log, process, tasks } = yield* opened
      yield* tasks.pause("nightly", "by hand")
      const ended = new Date(start + 3_600_000).toISOString()
      yield* process(numbered(5).map(() => outcome({ at: ended })))
      assert.lengthOf(yield* log.findings(), 0)
    })
  )
})
