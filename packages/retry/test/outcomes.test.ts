import { assert, describe, it } from "@effect/vitest"
import { StorageError } from "@reflexion/core/StorageError"
import { OutcomeLog, OutcomeRecord } from "@reflexion/core/OutcomeLog"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { ReflectionService } from "@reflexion/core/ReflectionService"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Reflexion from "../src/Reflexion.ts"

class TestsFailed extends Data.TaggedError("TestsFailed")<{ readonly failureType: "test_failure" | "timeout" }> {}

const task = { taskId: "t1", subtaskId: "t1.1", description: "Take ten percent off carts of 100 and more." }

const toFailure = ({ failureType }: TestsFailed): Reflexion.FailureInput => ({
  failureType,
  errorOutput: "AssertionError: expected 81 to be 90",
  sessionId: "s1"
})

const memory = Layer.provideMerge(ReflectionService.Heuristic, ReflexionStore.Memory)

const logged = Layer.merge(memory, OutcomeLog.Test)

const appended = Effect.flatMap(OutcomeRecord, ({ appended }) => appended)

const attempts = (...results: ReadonlyArray<Effect.Effect<string, TestsFailed>>) => {
  const left = [...results]
  return () =>
    Effect.delay(
      Effect.suspend(() => left.shift() ?? Effect.succeed("green")),
      "2 seconds"
    )
}

const thrown = (): Effect.Effect<never> => {
  throw new Error("attempt")
}

const throwing = (): Reflexion.FailureInput => {
  throw new Error("toFailure")
}

const running = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.exit(program))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

describe("the outcome log of a retry", () => {
  it.effect("gets every attempt, how it ended, and how long it took", () =>
    Effect.gen(function* () {
      const [slow, red] = [
        new TestsFailed({ failureType: "timeout" }),
        new TestsFailed({ failureType: "test_failure" })
      ]
      yield* running(
        Reflexion.retry({
          ...task,
          maxAttempts: 3,
          attempt: attempts(slow, red),
          toFailure,
          ran: (exit) => ({
            tools: ["bash"],
            backend: "codex",
            loaded: Exit.isSuccess(exit) ? [] : [{ kind: "skill", name: "rounding" }]
          })
        })
      )
      const outcomes = yield* appended
      assert.deepStrictEqual(
        outcomes.map(({ status }) => status),
        ["timeout", "failed", "completed"]
      )
      assert.strictEqual(new Set(outcomes.map(({ id }) => id)).size, 3)
      const { id: _, ...first } = outcomes[0] ?? { id: "" }
      assert.deepStrictEqual(first, {
        taskId: "t1",
        sessionId: "s1",
        objective: task.description,
        status: "timeout",
        durationMs: 2000,
        tools: ["bash"],
        loaded: [{ kind: "skill", name: "rounding" }],
        resultLength: null,
        backend: "codex",
        at: "1970-01-01T00:00:02.000Z"
      })
      assert.strictEqual(outcomes[2]?.resultLength, "green".length)
      assert.strictEqual(yield* Effect.flatMap(OutcomeLog, (log) => log.failureStreak("t1")), 0)
    }).pipe(Effect.provide(logged))
  )

  it.effect("gets an attempt of which nothing is learned: one that throws, and one without a reason", () =>
    Effect.gen(function* () {
      const failed = new TestsFailed({ failureType: "test_failure" })
      yield* running(Reflexion.retry({ ...task, maxAttempts: 1, attempt: attempts(failed), toFailure: throwing }))
      yield* running(Reflexion.retry({ ...task, maxAttempts: 3, attempt: thrown, toFailure }))
      assert.deepStrictEqual(
        (yield* appended).map(({ durationMs, status }) => [status, durationMs]),
        [
          ["failed", 2000],
          ["failed", 0]
        ]
      )
    }).pipe(Effect.provide(logged))
  )

  it.effect("is told though reflexion is off, and of a loop of one's own", () =>
    Effect.gen(function* () {
      const prepared = yield* Reflexion.beforeAttempt(task)
      yield* TestClock.adjust("3 seconds")
      const missing = { failureType: "verification_failed", errorOutput: "2 of 3 are missing" } as const
      yield* Reflexion.afterAttempt(task, prepared, missing)
      yield* Reflexion.afterAttempt({ ...task, taskId: "" }, prepared, null, { resultLength: 7 })
      assert.deepStrictEqual(
        (yield* appended).map(({ durationMs, resultLength, status, taskId }) => [
          status,
          taskId,
          durationMs,
          resultLength
        ]),
        [
          ["failed", "t1", 3000, null],
          ["completed", null, 3000, 7]
        ]
      )
    }).pipe(Effect.provide(logged), Effect.provide(ReflexionConfig.CurrentConfig.layer({ memory: { enabled: false } })))
  )

  it.effect("costs an attempt nothing where it fails, nor does a `ran` that throws", () =>
    Effect.gen(function* () {
      const exit = yield* running(
        Reflexion.retry({
          ...task,
          maxAttempts: 1,
          attempt: attempts(),
          toFailure,
          ran: () => {
            throw new Error("ran")
          }
        })
      )
      assert.deepStrictEqual(exit, Exit.succeed("green"))
    }).pipe(
      Effect.provide(memory),
      Effect.provide(
        Layer.effect(
          OutcomeLog,
          Effect.map(OutcomeLog, (log) => ({
            ...log,
            append: () =>
              Effect.fail(new StorageError({ reason: "full", detail: "/repo/outcomes.jsonl: append: full" }))
          }))
        ).pipe(Layer.provide(OutcomeLog.Memory))
      )
    )
  )
})
