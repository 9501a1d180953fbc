import { assert, describe, it } from "@effect/vitest"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { ReflectionRecord, ReflectionService } from "@reflexion/core/ReflectionService"
import { ReflexionRecord, ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import * as Reflexion from "../src/Reflexion.ts"
import { learned } from "./learned.ts"

class TestsFailed extends Data.TaggedError("TestsFailed")<{ readonly output: string }> {}

const output = (number: number): string =>
  [
    " FAIL  src/cart.test.ts > total > takes ten percent off",
    `AssertionError: expected ${80 + number} to be 90`,
    ` ❯ src/cart.test.ts:1${number}:20`
  ].join("\n")

/** An agent that fails until the prompt tells it so often what failed. */
const agent = (until: number) => {
  const seen: Array<Reflexion.Prepared> = []
  const attempt = (prepared: Reflexion.Prepared): Effect.Effect<string, TestsFailed> =>
    Effect.suspend(() => {
      seen.push(prepared)
      return prepared.reflections.length >= until
        ? Effect.succeed("green")
        : new TestsFailed({ output: output(seen.length) })
    })
  return { seen, attempt }
}

const task = { taskId: "t1", subtaskId: "t1.1", description: "Take ten percent off carts of 100 and more." }

const toFailure = ({ output }: TestsFailed): Reflexion.FailureInput => ({
  failureType: "test_failure",
  errorOutput: output,
  filesModified: ["src/cart.ts"]
})

const thrown = (): Effect.Effect<never> => {
  throw new Error("repair")
}

const throwing = (): Reflexion.FailureInput => {
  throw new Error("toFailure")
}

/** A program that is not checked against our types gives anything. */
const badly = (given: unknown) => (): Reflexion.FailureInput => JSON.parse(JSON.stringify({ given })).given

const memory = Layer.provideMerge(ReflectionService.Heuristic, ReflexionStore.Test)

const recorded = Effect.flatMap(ReflexionRecord, ({ recorded }) => recorded)

describe("Reflexion.retry", () => {
  it.effect("gives each attempt what was learned from those before it, and records what came of it", () =>
    Effect.gen(function* () {
      const { attempt, seen } = agent(2)
      assert.strictEqual(yield* Reflexion.retry({ ...task, maxAttempts: 4, attempt, toFailure }), "green")
      assert.deepStrictEqual(
        seen.map(({ attempt, reflections }) => [attempt, reflections.length]),
        [
          [1, 0],
          [2, 1],
          [3, 2]
        ]
      )
      assert.strictEqual(seen[0]?.promptSection, "")
      assert.match(seen[2]?.promptSection ?? "", /^## Learning from Previous Failures/)
      assert.include(seen[2]?.promptSection, "takes ten percent off")
      const { appended, outcomes, uses } = yield* recorded
      assert.lengthOf(appended, 2)
      assert.deepStrictEqual(
        uses.map(({ attemptNumber, reflectionIds }) => [attemptNumber, reflectionIds.length]),
        [
          [2, 1],
          [3, 2]
        ]
      )
      assert.deepStrictEqual(
        outcomes.map(({ reflectionIds, success }) => [success, reflectionIds.length]),
        [
          [false, 0],
          [false, 1],
          [true, 2]
        ]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("fails with the last attempt's own error, and has learned from that as well", () =>
    Effect.gen(function* () {
      const { attempt, seen } = agent(99)
      const error = yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts: 3, attempt, toFailure }))
      assert.strictEqual(error.output, output(3))
      assert.lengthOf(seen, 3)
      assert.lengthOf((yield* recorded).appended, 3)
      // Another run of the same task goes on counting.
      yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts: 1, attempt, toFailure }))
      assert.strictEqual(seen.at(-1)?.attempt, 4)
      assert.isAtMost(seen.at(-1)?.reflections.length ?? 9, 3)
    }).pipe(Effect.provide(memory))
  )

  it.effect("waits and ends by its schedule", () =>
    Effect.gen(function* () {
      const { attempt, seen } = agent(99)
      const schedule = Schedule.intersect(Schedule.spaced("10 seconds"), Schedule.recurs(2))
      const options = { ...task, maxAttempts: 9, attempt, toFailure, schedule }
      const fiber = yield* Effect.fork(Effect.flip(Reflexion.retry(options)))
      yield* TestClock.adjust("9 seconds")
      assert.lengthOf(seen, 1)
      yield* TestClock.adjust("2 seconds")
      assert.lengthOf(seen, 2)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber)).output, output(3))
    }).pipe(Effect.provide(memory))
  )

  it.effect("repairs after the reflection is saved and before the next attempt, and survives a repair that fails", () =>
    Effect.gen(function* () {
      const { attempt, seen } = agent(2)
      const repaired: Array<readonly [number, number]> = []
      const repair = ({ reflection }: Reflexion.Failed<TestsFailed>) =>
        Effect.gen(function* () {
          const { appended } = yield* recorded
          assert.strictEqual(appended.at(-1)?.id, reflection?.id)
          repaired.push([appended.length, seen.length])
          return yield* Effect.fail("no healer")
        })
      yield* Reflexion.retry({ ...task, maxAttempts: 4, attempt, toFailure, repair })
      assert.deepStrictEqual(repaired, [
        [1, 1],
        [2, 2]
      ])
    }).pipe(Effect.provide(memory))
  )

  it.effect("is interrupted cleanly, and learns nothing from that or from a defect", () =>
    Effect.gen(function* () {
      const hanging = Reflexion.retry({ ...task, maxAttempts: 3, attempt: () => Effect.never, toFailure })
      const fiber = yield* Effect.fork(hanging)
      yield* TestClock.adjust("1 second")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      const broken = Reflexion.retry({ ...task, maxAttempts: 3, attempt: () => Effect.die("broken"), toFailure })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(broken)))
      const { appended, outcomes } = yield* recorded
      assert.deepStrictEqual([appended, outcomes], [[], []])
    }).pipe(Effect.provide(memory))
  )

  it.effect("does nothing but the attempts where it is off", () =>
    Effect.gen(function* () {
      const { attempt, seen } = agent(1)
      yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts: 2, attempt, toFailure }))
      assert.deepStrictEqual(
        seen.map(({ attempt, promptSection }) => [attempt, promptSection]),
        [
          [1, ""],
          [2, ""]
        ]
      )
      const { appended, outcomes, uses } = yield* recorded
      assert.deepStrictEqual([appended, outcomes, uses], [[], [], []])
    }).pipe(Effect.provide(ReflexionConfig.CurrentConfig.layer({ memory: { enabled: false } })), Effect.provide(memory))
  )

  it.effect("never hides them behind a defect of the memory or of a callback", () =>
    Effect.gen(function* () {
      const { attempt } = agent(99)
      const live = yield* ReflectionService
      const broken = [
        {
          ...live,
          ...Object.fromEntries(Object.keys(live).map((name) => [name, () => Effect.die(`${name} is broken`)]))
        },
        { ...live, ...Object.fromEntries(Object.keys(live).map((name) => [name, throwing])) }
      ]
      for (const service of broken) {
        const using = Effect.provideService(ReflectionService, service)
        const failed = yield* Effect.flip(using(Reflexion.retry({ ...task, maxAttempts: 2, attempt, toFailure })))
        assert.strictEqual(failed._tag, "TestsFailed")
        const succeeding = Reflexion.retry({ ...task, maxAttempts: 2, attempt: () => Effect.succeed(7), toFailure })
        assert.strictEqual(yield* using(succeeding), 7)
      }
      const options = { ...task, maxAttempts: 2, attempt, toFailure }
      for (const wrong of [
        { ...options, repair: thrown },
        { ...options, repair: () => Effect.die("no healer") },
        { ...options, schedule: Schedule.mapEffect(Schedule.forever, () => Effect.die("no clock")) },
        ...[undefined, null, {}, { failureType: "runtime_error" }, { failureType: "oops", errorOutput: "x" }].map(
          (given) => ({ ...options, toFailure: badly(given) })
        )
      ])
        assert.strictEqual((yield* Effect.flip(Reflexion.retry(wrong)))._tag, "TestsFailed")
    }).pipe(Effect.provide(memory))
  )

  it.effect.each<readonly [number, number]>([
    [0, 1],
    [-3, 1],
    [Number.NaN, 1],
    [1.5, 1],
    [2.9, 2]
  ])("takes %d attempts for as many whole ones, one at least: %d", ([maxAttempts, made]) =>
    Effect.gen(function* () {
      const { attempt, seen } = agent(99)
      yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts, attempt, toFailure }))
      assert.lengthOf(seen, made)
    }).pipe(Effect.provide(memory))
  )

  it.effect("forgets what is older than its retention", () =>
    Effect.gen(function* () {
      const { attempt } = agent(99)
      yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts: 1, attempt, toFailure }))
      yield* TestClock.adjust(Duration.days(31))
      yield* Effect.flip(Reflexion.retry({ ...task, subtaskId: "t1.2", maxAttempts: 1, attempt, toFailure }))
      const store = yield* ReflexionStore
      assert.lengthOf(yield* store.getRecent("t1.1"), 0)
      assert.lengthOf(yield* store.getRecent("t1.2"), 1)
    }).pipe(Effect.provide(memory))
  )
})

describe("Reflexion.beforeAttempt", () => {
  it.effect("gives lessons of other tasks only where they are similar enough, behind its own", () =>
    Effect.gen(function* () {
      const store = yield* ReflexionStore
      yield* store.append([
        learned("near", {}),
        learned("far", {
          taskId: "third",
          analysis: "Port 3000 was taken by carts.",
          suggestion: "Take another port."
        }),
        learned("own", {
          taskId: "t1",
          subtaskId: "t1.1",
          analysis: "The total was rounded.",
          suggestion: "Round late."
        })
      ])
      const { attempt, promptSection, reflections } = yield* Reflexion.beforeAttempt(task)
      assert.include(promptSection, "this task, and at similar ones, failed")
      assert.strictEqual(attempt, 2)
      assert.deepStrictEqual(
        reflections.map(({ id }) => id),
        ["own", "near"]
      )
      const alone = yield* Effect.provide(
        Reflexion.beforeAttempt(task),
        ReflexionConfig.CurrentConfig.layer({ memory: { crossTask: false } })
      )
      assert.deepStrictEqual(
        alone.reflections.map(({ id }) => id),
        ["own"]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("reflects on what was verified to be not done", () =>
    Effect.gen(function* () {
      const learned = yield* Reflexion.afterAttempt(
        task,
        { attempt: 2, reflections: [], promptSection: "" },
        { failureType: "verification_failed", errorOutput: "Not done: no test covers it." }
      )
      assert.deepInclude(learned, { attemptNumber: 2, taskId: "t1" })
      const [failure] = yield* Effect.flatMap(ReflectionRecord, ({ asked }) => asked)
      assert.strictEqual(failure?.failureType, "verification_failed")
    }).pipe(Effect.provide(ReflectionService.TestWithStorage()))
  )
})
