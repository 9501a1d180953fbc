import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionAnalysis } from "@reflexion/core/ReflectionAnalysis"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import { TaskControl, TestTaskControl } from "@reflexion/core/TaskControl"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { light } from "../support/stores.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

const outcome = (index: number, given: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  id: `o${index}`,
  taskId: "nightly",
  sessionId: `s${index}`,
  objective: "Refresh the price list",
  status: "failed",
  durationMs: 1000,
  tools: [],
  loaded: [],
  resultLength: 400,
  backend: "codex",
  at: new Date(start + index * 60_000).toISOString(),
  ...given
})

const files = (folder: string) => ({
  outcomes: join(folder, "outcomes.jsonl"),
  findings: join(folder, "findings.jsonl")
})

/** The cycle of one process over the files of a folder. */
const processIn = (folder: string, tasks: Context.Context<TaskControl>) => {
  const { findings, outcomes } = files(folder)
  const logs = Layer.merge(OutcomeLog.Live({ path: outcomes }), FindingLog.Live({ path: findings }))
  return ReflectionCycle.Live().pipe(
    Layer.provideMerge(logs),
    Layer.provide(Layer.succeedContext(tasks)),
    Layer.provide(NodeContext.layer)
  )
}

const opened = Effect.gen(function* () {
  yield* TestClock.setTime(start + 86_400_000 / 2)
  const folder = yield* light
  const tasks = yield* Layer.build(TaskControl.Test())
  const control = Context.get(tasks, TestTaskControl)
  /** Adds outcomes and looks at them, batch by batch, in a process that ends then; with what it told. */
  const process = (...batches: ReadonlyArray<ReadonlyArray<AttemptOutcome>>) =>
    Effect.gen(function* () {
      const { run, subscribe } = yield* ReflectionCycle
      const log = yield* OutcomeLog
      const told = yield* subscribe
      const reports = yield* Effect.forEach(batches, (batch) => Effect.zipRight(log.append(batch), run()))
      const report = reports.at(-1) ?? (yield* run())
      return { report, told: yield* Queue.takeAll(told) }
    }).pipe(Effect.scoped, Effect.provide(processIn(folder, tasks)))
  return { ...files(folder), folder, tasks, control, process }
})

const rules = (findings: ReadonlyArray<{ readonly rule: string }>) => findings.map(({ rule }) => rule)

const lines = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").split("\n") : [])

describe("ReflectionCycle.Live", () => {
  it.scoped("goes on in the next process, and tells nothing twice", () =>
    Effect.gen(function* () {
      const { control, findings, process } = yield* opened
      const first = yield* process([outcome(0), outcome(1)])
      assert.deepStrictEqual(rules(first.report.findings), [])
      const second = yield* process([outcome(2)])
      assert.deepStrictEqual(rules(second.report.findings), ["consecutive_failures"])
      assert.strictEqual(second.report.outcomes, 3)
      const before = readFileSync(findings, "utf8")
      const third = yield* process([])
      assert.strictEqual(third.report.outcomes, 3)
      assert.lengthOf([...third.told], 0)
      assert.strictEqual(readFileSync(findings, "utf8"), before)
      assert.lengthOf(yield* control.pauses, 1)
    })
  )

  it.scoped("is told by one of those that look at the same logs at once, and acted on by whoever can", () =>
    Effect.gen(function* () {
      const { control, findings, folder, tasks } = yield* opened
      const cycles = yield* Effect.forEach([1, 2, 3], () =>
        Effect.gen(function* () {
          const context = yield* Layer.build(processIn(folder, tasks))
          const { run, subscribe } = Context.get(context, ReflectionCycle)
          return { run, told: yield* subscribe, append: Context.get(context, OutcomeLog).append }
        })
      )
      yield* Effect.forEach(cycles.slice(0, 1), ({ append }) => append([outcome(0), outcome(1), outcome(2)]))
      const reports = yield* Effect.forEach(cycles, ({ run }) => run(), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        reports.flatMap((report) => rules(report.findings)),
        ["consecutive_failures"]
      )
      const told = yield* Effect.forEach(cycles, (one) => Queue.takeAll(one.told))
      assert.lengthOf(
        told.flatMap((events) => [...events]),
        1
      )
      assert.isAtLeast((yield* control.pauses).length, 1)
      const ids = lines(findings).flatMap((line) => (line === "" ? [] : [JSON.parse(line).severity]))
      assert.strictEqual(ids.filter((severity) => severity === "warning").length, 1)
      assert.strictEqual(ids.at(-1), "action_taken")
    })
  )

  it.scoped("has the history of the process before it", () =>
    Effect.gen(function* () {
      const { folder, process, tasks } = yield* opened
      const { told } = yield* process([outcome(0), outcome(1), outcome(2)])
      assert.lengthOf([...told], 1)
      const history = yield* Effect.provide(
        Effect.flatMap(ReflectionCycle, ({ history: ask }) => ask()),
        processIn(folder, tasks)
      )
      assert.deepStrictEqual(history, [...told])
    })
  )

  it.scoped("remembers a streak for longer than its window", () =>
    Effect.gen(function* () {
      const { process } = yield* opened
      yield* process([outcome(0), outcome(1)])
      yield* TestClock.setTime(start + 10 * 86_400_000)
      const { report } = yield* process([outcome(9 * 24 * 60)])
      assert.deepStrictEqual(rules(report.findings), ["consecutive_failures"])
    })
  )

  it.scoped("finds what was added while no process ran, also what ended long ago by then", () =>
    Effect.gen(function* () {
      const { outcomes, process } = yield* opened
      yield* process([outcome(100, { taskId: "other", status: "completed" })])
      const lines = [outcome(0), outcome(50), outcome(99)].map((one) => `${JSON.stringify(one)}\n`)
      writeFileSync(outcomes, lines.join(""), { flag: "a" })
      const { report } = yield* process([])
      assert.strictEqual(report.outcomes, 4)
      assert.deepStrictEqual(rules(report.findings), ["consecutive_failures"])
    })
  )

  it.scoped("pauses the task of a finding after whose writing the process ended, and tells that", () =>
    Effect.gen(function* () {
      const { control, findings, process } = yield* opened
      yield* process([outcome(0), outcome(1), outcome(2)])
      // As it was between the two lines.
      const [intent] = readFileSync(findings, "utf8").split("\n")
      writeFileSync(findings, `${intent}\n`)
      yield* control.resume("nightly")
      const { told } = yield* process([])
      assert.deepStrictEqual(
        [...told].map((event) => event.type === "reflection.finding" && event.severity),
        ["action_taken"]
      )
      assert.lengthOf(yield* control.pauses, 2)
      const [, last] = readFileSync(findings, "utf8").split("\n")
      assert.include(last, '"severity":"action_taken"')
    })
  )

  it.effect("finds the same, once, wherever processes end, in order or not", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(
            FastCheck.record({
              taskId: FastCheck.constantFrom("a", "b"),
              status: FastCheck.constantFrom(
                "failed" as const,
                "failed" as const,
                "timeout" as const,
                "completed" as const
              ),
              minute: FastCheck.integer({ min: 0, max: 30 }),
              loaded: FastCheck.subarray([{ kind: "skill" as const, name: "deploy" }])
            }),
            { maxLength: 15 }
          ),
          (steps) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const all = steps.map(({ loaded, minute, status, taskId }, index) =>
                  outcome(index, { loaded, status, taskId, at: outcome(minute).at })
                )
                const whole = yield* opened
                const { told } = yield* whole.process(...all.map((one) => [one]))
                const broken = yield* opened
                const brokenTolds = yield* Effect.forEach(all, (one) => broken.process([one]))
                const last = yield* broken.process([])
                assert.deepStrictEqual(lines(broken.findings), lines(whole.findings))
                assert.deepStrictEqual(yield* broken.control.pauses, yield* whole.control.pauses)
                assert.deepStrictEqual(
                  [...brokenTolds, last].flatMap((ended) => [...ended.told]),
                  [...told]
                )
              }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None), Effect.provide(TestContext.TestContext))
            )
        ),
        { numRuns: 12 }
      )
    )
  )

  it.scoped("asks after a restart about what no model had answered, and about nothing twice", () =>
    Effect.gen(function* () {
      const { folder, process, tasks } = yield* opened
      yield* process([outcome(0), outcome(1), outcome(2)])
      const asked: Array<ReadonlyArray<string>> = []
      const analysis = Layer.succeed(ReflectionAnalysis, {
        analyse: ({ findings }) =>
          Effect.sync(() => {
            asked.push(rules(findings))
            return { observations: "It looks in vain.", actions: [], model: null }
          })
      })
      const run = Effect.flatMap(ReflectionCycle, (cycle) => cycle.run())
      for (const _ of [1, 2]) yield* Effect.provide(run, Layer.provide(processIn(folder, tasks), analysis))
      assert.deepStrictEqual(asked, [["consecutive_failures"]])
    })
  )
})
