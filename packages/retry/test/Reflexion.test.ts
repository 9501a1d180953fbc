import { assert, describe } from "@effect/vitest"
import { OutcomeLog, OutcomeRecord } from "@reflexion/core/OutcomeLog"
import { ReflectionRecord, ReflectionService } from "@reflexion/core/ReflectionService"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { ReflexionRecord, ReflexionStore } from "@reflexion/core/ReflexionStore"
import { StorageError } from "@reflexion/core/StorageError"
import { Data, Duration, Effect, Exit, Fiber, Layer, Logger, Schedule, TestClock } from "effect"
import { worksWith } from "../../core/test/support/works.ts"
import * as Reflexion from "../src/Reflexion.ts"
import { learned } from "./learned.ts"

class TestsFailed extends Data.TaggedError("TestsFailed")<{
  readonly output: string
  readonly failureType?: "timeout"
}> {}

const output = (number: number): string =>
  ` FAIL  src/cart.test.ts > total > takes ten percent off\nAssertionError: expected ${80 + number} to be 90`

/** An agent that fails until its prompt has `until` lessons. */
const agent = (until: number) => {
  const seen: Array<Reflexion.AttemptInput> = []
  const attempt = (prepared: Reflexion.AttemptInput): Effect.Effect<string, TestsFailed> =>
    Effect.suspend(() => {
      seen.push(prepared)
      return prepared.reflections.length >= until
        ? Effect.succeed("green")
        : new TestsFailed({ output: output(seen.length) })
    })
  return { seen, attempt }
}

const task = { taskId: "t1", subtaskId: "t1.1", description: "Take ten percent off carts of 100 and more." }

const toFailure = ({ failureType, output }: TestsFailed): Reflexion.FailureInput => ({
  failureType: failureType ?? "test_failure",
  errorOutput: output,
  filesModified: ["src/cart.ts"],
  sessionId: "s1"
})

const toLimit = ({ output }: TestsFailed) => (output.includes("limit") ? output : null)

const throwing = (): Reflexion.FailureInput => assert.fail("thrown")

const thrown = (): Effect.Effect<never> => assert.fail("thrown")

/** A program without type checks may give any value. */
const badly = (given: unknown) => (): Reflexion.FailureInput => JSON.parse(JSON.stringify({ given })).given

const memory = Layer.mergeAll(Layer.provideMerge(ReflectionService.Heuristic, ReflexionStore.Test), OutcomeLog.Test)

const works = worksWith(memory)

const off = ReflexionConfig.CurrentConfig.layer({ memory: { enabled: false } })

const recorded = Effect.flatMap(ReflexionRecord, ({ recorded }) => recorded)

const logged = Effect.flatMap(OutcomeRecord, ({ appended }) => appended)

describe("Reflexion.retry", () => {
  works("gives each attempt the earlier lessons, and records their outcome", function* () {
    const { attempt, seen } = agent(2)
    assert.strictEqual(yield* Reflexion.retry({ ...task, maxAttempts: 4, attempt, toFailure }), "green")
    assert.deepStrictEqual(
      seen.map((one) => `${one.attempt}: ${one.reflections.length}`),
      ["1: 0", "2: 1", "3: 2"]
    )
    assert.strictEqual(seen[0]?.promptSection, "")
    assert.match(seen[2]?.promptSection ?? "", /^## Learning from Previous Failures[^]*takes ten percent off/)
    const { appended, outcomes, uses } = yield* recorded
    assert.lengthOf(appended, 2)
    assert.deepStrictEqual(
      uses.map(({ attemptNumber, reflectionIds }) => `${attemptNumber}: ${reflectionIds.length}`),
      ["2: 1", "3: 2"]
    )
    assert.deepStrictEqual(
      outcomes.map(({ reflectionIds, success }) => `${success}: ${reflectionIds.length}`),
      ["false: 0", "false: 1", "true: 2"]
    )
  })

  works("fails with the last attempt's error, learns from it, and goes on counting", function* () {
    const { attempt, seen } = agent(99)
    const error = yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts: 3, attempt, toFailure }))
    assert.deepStrictEqual([error.output, seen.length, (yield* recorded).appended.length], [output(3), 3, 3])
    yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts: 1, attempt, toFailure }))
    assert.strictEqual(seen.at(-1)?.attempt, 4)
    assert.isAtMost(seen.at(-1)?.reflections.length ?? 9, 3)
  })

  works("repeats an attempt once after a usage limit's stated end, and learns nothing from it", function* () {
    const { attempt, seen } = agent(1)
    const limit = new TestsFailed({ output: "usage limit reached, try again in 2 hours" })
    const seenAt: Array<number> = []
    const limited = (prepared: Reflexion.AttemptInput) =>
      Effect.flatMap(
        Effect.clockWith((clock) => clock.currentTimeMillis),
        (now) => ([0, 2].includes(seenAt.push(now) - 1) ? limit : attempt(prepared))
      )
    const options = { ...task, maxAttempts: 3, attempt: limited, toFailure, toLimit }
    const fiber = yield* Effect.fork(Reflexion.retry(options))
    yield* TestClock.adjust("179 minutes")
    assert.lengthOf(seenAt, 1)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* Fiber.join(fiber), "green")
    assert.deepStrictEqual(
      seen.map((one) => one.attempt),
      [1, 3]
    )
    // The wait of three hours is not part of an attempt.
    assert.deepStrictEqual(
      (yield* logged).map(({ durationMs }) => durationMs),
      [0, 0, 0]
    )
    // The second limit is a failure like any other.
    assert.deepStrictEqual(
      (yield* recorded).appended.map(({ attemptNumber }) => attemptNumber),
      [1, 2]
    )
  })

  works("does not wait for a limit without a stated end, or if `toLimit` throws", function* () {
    const { attempt, seen } = agent(99)
    const options = { ...task, maxAttempts: 2, attempt, toFailure }
    yield* Effect.flip(Reflexion.retry({ ...options, toLimit: () => "usage limit reached" }))
    yield* Effect.flip(Reflexion.retry({ ...options, toLimit: () => assert.fail("thrown") }))
    assert.lengthOf(seen, 4)
  })

  works("waits and ends by its schedule", function* () {
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
  })

  works("repairs between the reflection and the next attempt, and survives a failed repair", function* () {
    const { attempt, seen } = agent(2)
    const repaired: Array<string> = []
    const repair = ({ reflection }: Reflexion.FailedAttempt<TestsFailed>) =>
      Effect.gen(function* () {
        const { appended } = yield* recorded
        assert.strictEqual(appended.at(-1)?.id, reflection?.id)
        repaired.push(`${appended.length} of ${seen.length}`)
        return yield* Effect.fail("no healer")
      })
    yield* Reflexion.retry({ ...task, maxAttempts: 4, attempt, toFailure, repair })
    assert.deepStrictEqual(repaired, ["1 of 1", "2 of 2"])
  })

  works("an interrupt or a defect ends it without a lesson; an interrupt is not logged", function* () {
    const hanging = Reflexion.retry({ ...task, maxAttempts: 3, attempt: () => Effect.never, toFailure })
    const fiber = yield* Effect.fork(hanging)
    yield* TestClock.adjust("1 second")
    assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
    assert.deepStrictEqual(yield* logged, [])
    const broken = Reflexion.retry({ ...task, maxAttempts: 3, attempt: () => Effect.die("broken"), toFailure })
    assert.isTrue(Exit.isFailure(yield* Effect.exit(broken)))
    const { appended, outcomes } = yield* recorded
    assert.deepStrictEqual([appended, outcomes], [[], []])
  })

  worksWith(Layer.merge(memory, off))("memory is off → makes and logs the attempts, and nothing else", function* () {
    const { attempt, seen } = agent(1)
    yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts: 2, attempt, toFailure }))
    assert.deepStrictEqual(
      seen.map((one) => `${one.attempt}${one.promptSection}`),
      ["1", "2"]
    )
    const prepared = yield* Reflexion.beforeAttempt(task)
    yield* TestClock.adjust("3 seconds")
    yield* Reflexion.afterAttempt({ ...task, taskId: "" }, prepared, null, { resultLength: 7 })
    const { appended, outcomes, uses } = yield* recorded
    assert.deepStrictEqual([appended, outcomes, uses], [[], [], []])
    assert.deepStrictEqual(
      (yield* logged).map((one) => [one.status, one.taskId, one.durationMs, one.resultLength]),
      [
        ["failed", "t1", 0, null],
        ["failed", "t1", 0, null],
        ["completed", null, 3000, 7]
      ]
    )
  })

  works("logs how every attempt ended, what it loaded and how long it took", function* () {
    const left = [new TestsFailed({ output: "", failureType: "timeout" }), new TestsFailed({ output: output(1) })]
    const attempt = () =>
      Effect.delay(
        Effect.suspend(() => left.shift() ?? Effect.succeed("green")),
        "2 seconds"
      )
    const ran = (exit: Exit.Exit<string, TestsFailed>) => ({
      tools: ["bash"],
      backend: "codex",
      loaded: Exit.isSuccess(exit) ? [] : [{ kind: "skill" as const, name: "rounding" }]
    })
    const fiber = yield* Effect.fork(Reflexion.retry({ ...task, maxAttempts: 3, attempt, toFailure, ran }))
    yield* TestClock.adjust("1 minute")
    yield* Fiber.join(fiber)
    yield* Effect.exit(Reflexion.retry({ ...task, maxAttempts: 3, attempt: thrown, toFailure }))
    const outcomes = yield* logged
    assert.deepStrictEqual(
      outcomes.map(({ status }) => status),
      ["timeout", "failed", "completed", "failed"]
    )
    assert.strictEqual(new Set(outcomes.map(({ id }) => id)).size, 4)
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
  })

  works("a defect of the memory or a callback hides no attempt's error or result", function* () {
    const { attempt } = agent(99)
    const options = { ...task, maxAttempts: 2, attempt, toFailure }
    const succeeding = Reflexion.retry({ ...options, attempt: () => Effect.succeed(7) })
    const live = yield* ReflectionService
    for (const breaks of [() => Effect.die("broken"), throwing]) {
      const service = { ...live, ...Object.fromEntries(Object.keys(live).map((name) => [name, breaks])) }
      const using = Effect.provideService(ReflectionService, service)
      assert.strictEqual((yield* Effect.flip(using(Reflexion.retry(options))))._tag, "TestsFailed")
      assert.strictEqual(yield* using(succeeding), 7)
    }
    const log = yield* OutcomeLog
    const full = new StorageError({ reason: "full", detail: "/repo/outcomes.jsonl: append: full" })
    assert.strictEqual(yield* Effect.provideService(succeeding, OutcomeLog, { ...log, append: () => full }), 7)
    for (const wrong of [
      { ...options, repair: thrown },
      { ...options, repair: () => Effect.die("no healer") },
      { ...options, ran: throwing },
      { ...options, toFailure: throwing },
      { ...options, schedule: Schedule.mapEffect(Schedule.forever, () => Effect.die("no clock")) },
      { ...options, toFailure: badly(undefined) },
      { ...options, toFailure: badly({ failureType: "runtime_error" }) },
      { ...options, toFailure: badly({ failureType: "oops", errorOutput: "x" }) }
    ])
      assert.strictEqual((yield* Effect.flip(Reflexion.retry(wrong)))._tag, "TestsFailed")
  })

  works("rounds maxAttempts down, and makes at least one attempt", function* () {
    for (const [maxAttempts, made] of [
      [-3, 1],
      [Number.NaN, 1],
      [2.9, 2]
    ] as const) {
      const { attempt, seen } = agent(99)
      yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts, attempt, toFailure }))
      assert.lengthOf(seen, made)
    }
  })

  works("deletes lessons past their retention", function* () {
    const { attempt } = agent(99)
    yield* Effect.flip(Reflexion.retry({ ...task, maxAttempts: 1, attempt, toFailure }))
    yield* TestClock.adjust(Duration.days(31))
    yield* Effect.flip(Reflexion.retry({ ...task, subtaskId: "t1.2", maxAttempts: 1, attempt, toFailure }))
    const store = yield* ReflexionStore
    assert.lengthOf(yield* store.getRecent("t1.1"), 0)
    assert.lengthOf(yield* store.getRecent("t1.2"), 1)
  })
})

describe("Reflexion.beforeAttempt", () => {
  works("gives the task's own lessons first, then similar lessons of other tasks", function* () {
    const store = yield* ReflexionStore
    yield* store.append([
      learned("near", { attemptNumber: 7 }),
      learned("far", { taskId: "third", analysis: "Port 3000 was taken by carts.", suggestion: "Take another port." }),
      learned("own", { taskId: "t1", subtaskId: "t1.1", analysis: "The total was rounded.", suggestion: "Round late." })
    ])
    const { attempt, promptSection, reflections } = yield* Reflexion.beforeAttempt(task)
    assert.include(promptSection, "this task, and at similar ones, failed")
    assert.strictEqual(attempt, 2)
    const ids = reflections.map(({ id }) => id)
    assert.deepStrictEqual(ids, ["own", "near"])
    assert.deepStrictEqual((yield* recorded).uses[0]?.reflectionIds, ids)
    const alone = yield* Effect.provide(
      Reflexion.beforeAttempt(task),
      ReflexionConfig.CurrentConfig.layer({ memory: { crossTask: false } })
    )
    assert.lengthOf(alone.reflections, 1)
  })

  works("gives no lesson of a memory that is held back, and the log says why", function* () {
    const store = yield* ReflexionStore
    yield* store.append(learned("own", { taskId: "t1", subtaskId: "t1.1" }))
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => void said.push(String(message)))
    const service = { ...(yield* ReflectionService), heldBack: Effect.succeed("git tracks it") }
    const prepared = yield* Reflexion.beforeAttempt(task).pipe(
      Effect.provideService(ReflectionService, service),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    assert.deepInclude(prepared, { attempt: 2, promptSection: "", reflections: [] })
    assert.lengthOf(said, 1)
    assert.include(said[0], "git tracks it")
  })

  worksWith(ReflectionService.TestWithStorage())("afterAttempt reflects on work verified as not done", function* () {
    const prepared = { attempt: 2, reflections: [], promptSection: "" }
    const missing = { failureType: "verification_failed", errorOutput: "Not done: no test covers it." } as const
    assert.deepInclude(yield* Reflexion.afterAttempt(task, prepared, missing), { attemptNumber: 2, taskId: "t1" })
    const [failure] = yield* Effect.flatMap(ReflectionRecord, ({ asked }) => asked)
    assert.strictEqual(failure?.failureType, "verification_failed")
  })
})
