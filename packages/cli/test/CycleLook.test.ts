import { assert, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import * as ReflectionRules from "@reflexion/core/internal/memory/rules/ReflectionRules"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { TaskControl } from "@reflexion/core/TaskControl"
import { Effect, FastCheck, Layer, TestClock } from "effect"
import { look } from "../src/cycle/look.ts"
import { streaks } from "../src/cycle/streaks.ts"

const now = Date.parse("2026-03-02T12:00:00Z")
const since = now - 86_400_000

const outcome = (id: number, minutes: number, given: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  id: `o${id}`,
  taskId: "nightly",
  sessionId: `s${id}`,
  objective: "Refresh the price list",
  status: "failed",
  durationMs: 1000,
  tools: [],
  loaded: [],
  resultLength: 4,
  backend: "codex",
  at: new Date(now - minutes * 60_000).toISOString(),
  ...given
})

const step = FastCheck.record({
  taskId: FastCheck.constantFrom("a", "b", null),
  status: FastCheck.constantFrom("failed" as const, "failed" as const, "timeout" as const, "completed" as const),
  // Two hours of them lie before the window, and one lies ahead.
  minutes: FastCheck.integer({ min: -60, max: 26 * 60 }),
  loaded: FastCheck.subarray([{ kind: "skill" as const, name: "deploy" }])
})

it.effect.prop(
  "finds what a cycle finds in the same outcomes",
  { steps: FastCheck.array(step, { maxLength: 30 }) },
  ({ steps }) =>
    Effect.gen(function* () {
      const { append } = yield* OutcomeLog
      yield* append(steps.map(({ minutes, ...more }, index) => outcome(index, minutes, more)))
      const found = yield* look(ReflectionRules.defaults, since)
      const { run } = yield* ReflectionCycle
      const report = yield* run({ analyse: false })
      assert.deepStrictEqual(found.findings, report.findings)
      assert.strictEqual(found.outcomes, report.outcomes)
    }).pipe(
      Effect.provide(
        Layer.provideMerge(
          ReflectionCycle.Memory({ debounce: "1 day" }),
          Layer.mergeAll(OutcomeLog.Memory, FindingLog.Memory, TaskControl.None)
        )
      ),
      (work) => Effect.zipRight(TestClock.setTime(now), work)
    ),
  { fastCheck: { numRuns: 12 } }
)

it.effect("finds advice that does not help, unless anybody may have written the memory", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const memory = yield* Layer.build(ReflexionStore.Memory)
    const store = yield* Effect.provide(ReflexionStore, memory)
    yield* store.append({
      id: "r1",
      sessionId: "s",
      taskId: "t",
      subtaskId: "t",
      attemptNumber: 1,
      category: "root_cause",
      analysis: "a",
      suggestion: "s",
      actionItems: [],
      confidence: 0.5,
      createdAt: new Date(since).toISOString(),
      source: null,
      model: null,
      tags: []
    })
    yield* Effect.repeatN(store.recordOutcome({ reflectionIds: ["r1"], success: false }), 2)
    const looked = look(ReflectionRules.defaults, since)
    const rules = Effect.map(looked, ({ findings }) => findings.map(({ rule, subjectId }) => `${rule} ${subjectId}`))
    assert.deepStrictEqual(yield* Effect.provideService(rules, ReflexionStore, store), ["unhelpful_advice r1"])
    const pushed = { ...store, heldBack: Effect.succeed("git tracks it") }
    assert.deepStrictEqual(yield* Effect.provideService(rules, ReflexionStore, pushed), [])
    assert.deepStrictEqual(yield* rules, [])
  }).pipe(Effect.scoped, Effect.provide(OutcomeLog.Memory))
)

it.effect("counts what is of a streak before the window, and nothing else of it", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const { append } = yield* OutcomeLog
    const night = 24 * 60
    yield* append([3, 2, 1, 0].map((nights) => outcome(nights, nights * night + 60, { status: "timeout" })))
    const { failed, findings, outcomes } = yield* look(ReflectionRules.defaults, since)
    assert.deepStrictEqual([outcomes, findings.length, [...failed.keys()]], [1, 0, ["task:nightly"]])
    const found = yield* streaks(ReflectionRules.defaults, failed)
    assert.deepStrictEqual(
      [...found].map(([subject, all]) => [subject, all.map(({ rule }) => rule)]),
      [["task:nightly", ["consecutive_failures"]]]
    )
  }).pipe(Effect.provide(OutcomeLog.Memory))
)
