import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { Mutator } from "@reflexion/core/Mutator"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionAnalysis } from "@reflexion/core/ReflectionAnalysis"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import { TaskControl } from "@reflexion/core/TaskControl"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { cpSync } from "node:fs"
import { basename, join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { beforeWrites } from "../support/changedDisk.ts"
import { light } from "../support/stores.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

/** What there is beside the files: the scheduler, and what was proposed. It outlives a process. */
interface World {
  readonly paused: Set<string>
  readonly proposed: Set<string>
}

const copyOf = ({ paused, proposed }: World): World => ({ paused: new Set(paused), proposed: new Set(proposed) })

const ports = ({ paused, proposed }: World) =>
  Layer.mergeAll(
    Layer.succeed(TaskControl, {
      pause: (id) => Effect.sync(() => paused.add(id).has(id)),
      isPaused: (id) => Effect.sync(() => paused.has(id)),
      active: Effect.succeed([])
    }),
    Layer.succeed(ReflectionAnalysis, {
      analyse: ({ findings }) =>
        Effect.sync(() => {
          const ids = findings.map(({ id }) => id)
          const actions = ["one", "two"].map((name) => ({
            id: `${name}-${ids.join("-")}`,
            target: null,
            change: "Say where it is.",
            reason: ""
          }))
          return { observations: `It is ${ids.join(" and ")}.`, actions, model: null }
        })
    }),
    Layer.succeed(Mutator, {
      propose: ({ id }) =>
        Effect.sync(() => {
          proposed.add(id)
          return { actionId: id, kind: "proposal", reference: `${id}.md`, detail: "" } as const
        })
    })
  )

const processIn = (folder: string, world: World) =>
  ReflectionCycle.Live({ checkpoint: join(folder, "cycle.json") }).pipe(
    Layer.provideMerge(
      Layer.merge(
        OutcomeLog.Live({ path: join(folder, "outcomes.jsonl") }),
        FindingLog.Live({ path: join(folder, "findings.jsonl") })
      )
    ),
    Layer.provide(ports(world)),
    Layer.provide(NodeContext.layer)
  )

/** Attempts that end at once, or a person who has a task run again. */
type Batch = ReadonlyArray<AttemptOutcome> | { readonly resumed: string }

interface Process {
  readonly folder: string
  readonly world: World
  /** Of all that happens, what is still to come; the first of it may have begun. */
  readonly from: number
}

/** Looks at all of it, batch by batch, and says what there is at the end. `told` is told which batch is looked at. */
const toTheEnd = (
  batches: ReadonlyArray<Batch>,
  { folder, from, world }: Process,
  told: (batch: number) => void = () => undefined
) => {
  let current = from
  return Effect.gen(function* () {
    const { history, run, subscribe } = yield* ReflectionCycle
    const { append } = yield* OutcomeLog
    const log = yield* FindingLog
    const queue = yield* subscribe
    yield* run()
    for (; current < batches.length; current += 1) {
      const batch = batches[current] ?? []
      if ("resumed" in batch) {
        world.paused.delete(batch.resumed)
        continue
      }
      yield* append(batch)
      yield* run()
    }
    const seen = { findings: yield* log.findings(), history: yield* history(), world: copyOf(world) }
    return { seen, told: [...(yield* Queue.takeAll(queue))] }
  }).pipe(
    (work) =>
      Effect.zipRight(
        beforeWrites(() => told(current)),
        Effect.provide(work, processIn(folder, world))
      ),
    Effect.scoped
  )
}

interface Step {
  readonly taskId: string
  readonly status: AttemptOutcome["status"] | "resumed"
  readonly joins: boolean
}

const batchesOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Batch> => {
  const batches: Array<Array<AttemptOutcome> | { readonly resumed: string }> = []
  for (const [index, { joins, status, taskId }] of steps.entries()) {
    if (status === "resumed") {
      batches.push({ resumed: taskId })
      continue
    }
    const one: AttemptOutcome = {
      id: `o${index}`,
      taskId,
      sessionId: `s${index}`,
      objective: "Refresh the price list",
      status,
      durationMs: 1000,
      tools: [],
      loaded: [{ kind: "skill", name: "deploy" }],
      resultLength: 400,
      backend: "codex",
      at: new Date(start + index * 60_000).toISOString()
    }
    const last = batches.at(-1)
    if (joins && last !== undefined && !("resumed" in last)) last.push(one)
    else batches.push([one])
  }
  return batches
}

const check = (batches: ReadonlyArray<Batch>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start + 86_400_000 / 2)
    const folder = yield* light
    const kills = yield* light
    const world: World = { paused: new Set(), proposed: new Set() }
    const states: Array<Process> = []
    const whole = yield* toTheEnd(batches, { folder, world, from: 0 }, (from) => {
      const copy = join(kills, String(states.length))
      cpSync(folder, copy, { recursive: true, filter: (path) => !basename(path).includes(".lock") })
      states.push({ folder: copy, world: copyOf(world), from })
    })
    for (const [index, state] of states.entries()) {
      const { seen, told } = yield* toTheEnd(batches, state)
      assert.deepStrictEqual(seen, whole.seen, `killed before write ${index} of ${states.length}`)
      assert.deepStrictEqual(told, whole.told.slice(whole.told.length - told.length), "what is told after a kill")
    }
    return { kills: states.length, ...whole }
  }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None), Effect.provide(TestContext.TestContext))

describe("ReflectionCycle, killed between any two writes", () => {
  it.effect("loses no finding, pause, event, analysis or recommended change", () =>
    Effect.gen(function* () {
      const failed = { taskId: "a", status: "failed", joins: false } as const
      const { kills, seen, told } = yield* check(batchesOf([failed, failed, { ...failed, joins: true }, failed]))
      assert.isAbove(kills, 12)
      assert.includeMembers(
        seen.findings.map(({ rule }) => rule),
        ["consecutive_failures", "analysis"]
      )
      assert.deepStrictEqual([...seen.world.paused], ["a"])
      assert.strictEqual(seen.world.proposed.size, 2)
      assert.match(
        seen.findings.find(({ rule }) => rule === "analysis")?.actionTaken ?? "",
        /^left proposal one-.*, proposal two-/
      )
      assert.deepStrictEqual(seen.history, told)
    })
  )

  it.effect("counts nothing that was left out while its task was paused, though a person has it run again", () =>
    Effect.gen(function* () {
      const failed = { taskId: "a", status: "failed", joins: false } as const
      const together = { ...failed, joins: true }
      const resumed = { taskId: "a", status: "resumed", joins: false } as const
      const { seen } = yield* check(
        batchesOf([failed, together, together, failed, together, together, resumed, { ...failed, taskId: "b" }, failed])
      )
      assert.lengthOf(
        seen.findings.filter(({ rule }) => rule === "consecutive_failures"),
        1
      )
      assert.deepStrictEqual([...seen.world.paused], [])
    })
  )

  it.effect(
    "ends in the same state, whatever happened",
    () =>
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
                  "completed" as const,
                  "resumed" as const
                ),
                joins: FastCheck.boolean()
              }),
              { minLength: 3, maxLength: 9 }
            ),
            (steps) => Effect.runPromise(Effect.asVoid(check(batchesOf(steps))))
          ),
          { numRuns: process.env["REFLEXION_TESTS"] === "night" ? 30 : 3 }
        )
      ),
    300_000
  )
})
