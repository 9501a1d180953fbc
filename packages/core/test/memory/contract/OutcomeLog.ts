/** What every log of outcomes does, whatever keeps them. */
import { assert, describe, it } from "@effect/vitest"
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { anyObjective, anyOutcome, anyTask, outcome, taking } from "../../support/outcomes.ts"
import { type Backend, opened } from "./Backend.ts"

const ids = (outcomes: Iterable<AttemptOutcome.AttemptOutcome>): ReadonlyArray<string> =>
  Array.from(outcomes, ({ id }) => id)

const all = Number.NEGATIVE_INFINITY

const timeOf = ({ at }: AttemptOutcome.AttemptOutcome): number => Date.parse(at)

const words = (text: string): string => text.trim().split(/\s+/).join(" ")

/** What a log has to do, said as plainly as can be. */
const model = () => {
  let held: ReadonlyArray<AttemptOutcome.AttemptOutcome> = []
  const streak = (isSame: (one: AttemptOutcome.AttemptOutcome) => boolean, limit: number): number => {
    const own = held.filter(isSame).toReversed()
    const broken = own.findIndex(({ status }) => status === "completed")
    return Math.min(limit, broken < 0 ? own.length : broken)
  }
  return {
    append: (more: ReadonlyArray<AttemptOutcome.AttemptOutcome>) => {
      for (const one of more.map(AttemptOutcome.clean)) if (!held.some(({ id }) => id === one.id)) held = [...held, one]
    },
    since: (since: number, status: AttemptOutcome.Status | null, limit: number) => {
      const found = held.filter((one) => timeOf(one) >= since && (status === null || one.status === status))
      return found.slice(found.length - Math.min(limit, found.length))
    },
    ofTask: (taskId: string, limit: number) => {
      const own = AttemptOutcome.clean(outcome({ id: "any", taskId })).taskId
      return streak((one) => one.taskId === own, limit)
    },
    ofObjective: (objective: string, limit: number) => {
      const own = words(AttemptOutcome.clean(outcome({ id: "any", objective })).objective)
      return Buffer.byteLength(own) < 16
        ? 0
        : streak((one) => one.taskId === null && words(one.objective) === own, limit)
    },
    prune: (before: number) => {
      const kept = held.filter((one, index) => index === held.length - 1 || timeOf(one) >= before)
      const count = held.length - kept.length
      held = kept
      return count
    },
    all: () => held
  }
}

type Operation =
  | { readonly _tag: "append"; readonly outcomes: ReadonlyArray<AttemptOutcome.AttemptOutcome> }
  | {
      readonly _tag: "since"
      readonly since: number
      readonly status: AttemptOutcome.Status | null
      readonly limit: number
    }
  | { readonly _tag: "task"; readonly taskId: string; readonly limit: number }
  | { readonly _tag: "objective"; readonly objective: string; readonly limit: number }
  | { readonly _tag: "prune" | "reopen" | "stream" }

const limit = FastCheck.integer({ min: 0, max: 5 })

const operation: FastCheck.Arbitrary<Operation> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("append" as const),
      outcomes: FastCheck.array(anyOutcome, { maxLength: 4 })
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("since" as const),
      since: FastCheck.constantFrom(all, Date.parse("2026-03-01T11:00:00Z"), Date.parse("2026-03-02T10:00:00Z")),
      status: FastCheck.constantFrom(null, ...AttemptOutcome.Status.literals),
      limit
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("task" as const),
      taskId: anyTask.map((task) => task ?? "none"),
      limit
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({ _tag: FastCheck.constant("objective" as const), objective: anyObjective, limit })
  },
  { weight: 1, arbitrary: FastCheck.constantFrom<Operation>({ _tag: "prune" }, { _tag: "reopen" }, { _tag: "stream" }) }
)

const now = Date.parse("2026-03-04T10:00:00Z")

const of = (id: string, status: AttemptOutcome.Status, taskId: string | null = "task-1") =>
  outcome({ id, status, taskId })

const said = (id: string, objective: string) => outcome({ id, objective, taskId: null })

export const contract = <E>(backend: Backend<OutcomeLog, E>): void => {
  describe(`the outcome log: ${backend.name}`, () => {
    const open = Effect.map(opened(backend, OutcomeLog), ({ again, first: log }) => ({ again, log }))

    it.scoped("gives back what was appended, one or many, oldest first", () =>
      Effect.gen(function* () {
        const { again, log } = yield* open
        yield* log.append(outcome({ id: "o1" }))
        yield* log.append([outcome({ id: "o2", status: "timeout" }), outcome({ id: "o3", status: "completed" })])
        yield* log.append([])
        assert.deepStrictEqual(yield* log.outcomesSince(all), [
          outcome({ id: "o1" }),
          outcome({ id: "o2", status: "timeout" }),
          outcome({ id: "o3", status: "completed" })
        ])
        const other = yield* again
        assert.deepStrictEqual(ids(yield* other.outcomesSince(all, { limit: 2 })), ["o2", "o3"])
        assert.deepStrictEqual(ids(yield* other.outcomesSince(all, { status: ["failed", "timeout"] })), ["o1", "o2"])
        assert.deepStrictEqual(yield* other.outcomesSince(Date.parse("2026-03-01T10:00:00.001Z")), [])
      })
    )

    it.scoped("counts what is reported twice once", () =>
      Effect.gen(function* () {
        const { log } = yield* open
        yield* log.append([outcome({ id: "o1" }), outcome({ id: "o1", status: "completed" })])
        yield* log.append([outcome({ id: "o1" }), outcome({ id: "o2" })])
        assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o1", "o2"])
        assert.strictEqual(yield* log.failureStreak("task-1"), 2)
      })
    )

    it.scoped("counts failures and timeouts since the last success, of one task", () =>
      Effect.gen(function* () {
        const { log } = yield* open
        yield* log.append([of("1", "failed"), of("2", "completed"), of("3", "failed"), of("4", "timeout")])
        yield* log.append([of("5", "completed", "task-2"), of("6", "completed", null), of("7", "failed")])
        assert.strictEqual(yield* log.failureStreak("task-1"), 3)
        assert.strictEqual(yield* log.failureStreak("task-1", 2), 2)
        assert.strictEqual(yield* log.failureStreak("task-2"), 0)
        assert.strictEqual(yield* log.failureStreak("task-3"), 0)
        yield* log.append(of("8", "completed"))
        assert.strictEqual(yield* log.failureStreak("task-1"), 0)
      })
    )

    it.scoped("matches what has no id by its words, unless they are few", () =>
      Effect.gen(function* () {
        const { log } = yield* open
        yield* log.append([said("1", "Check the stock of the shop"), said("2", " Check the stock\n of the shop")])
        yield* log.append([said("3", "go on"), said("4", "go on"), said("5", "Check the stock of the shed")])
        assert.strictEqual(yield* log.failureStreakOf("Check the stock of  the shop"), 2)
        assert.strictEqual(yield* log.failureStreakOf("go on"), 0)
        assert.strictEqual(yield* log.failureStreak("Check the stock of the shop"), 0)
        yield* log.append(outcome({ id: "6", objective: "Check the stock of the shop", status: "completed" }))
        assert.strictEqual(yield* log.failureStreakOf("Check the stock of the shop"), 2)
      })
    )

    it.scoped("keeps no secret, and no more than its limits", () =>
      Effect.gen(function* () {
        const { again, log } = yield* open
        const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`
        yield* log.append(
          outcome({
            id: "i".repeat(5000),
            objective: `Deploy with ${secret}. ${"And more. ".repeat(20_000)}`,
            tools: [secret, ...Array.from({ length: 500 }, (_, index) => `tool ${index}`)],
            loaded: Array.from({ length: 500 }, (_, index) => ({ kind: "file" as const, name: `${secret} ${index}` })),
            backend: "b".repeat(5000)
          })
        )
        const [kept] = yield* (yield* again).outcomesSince(all)
        const text = JSON.stringify(kept)
        assert.notInclude(text, secret)
        assert.isBelow(text.length, 40_000)
        assert.isAtMost(kept?.objective.length ?? 0, AttemptOutcome.limits.objective)
        assert.lengthOf(kept?.tools ?? [], AttemptOutcome.limits.tools)
      })
    )

    it.scoped("does what a plain list does", () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(operation, { minLength: 5, maxLength: 30 }), (operations) => {
            const run = Effect.gen(function* () {
              yield* TestClock.setTime(now)
              const opened = yield* open
              let { log } = opened
              const expected = model()
              for (const one of operations) {
                switch (one._tag) {
                  case "append":
                    yield* log.append(one.outcomes)
                    expected.append(one.outcomes)
                    break
                  case "since": {
                    const { limit, since, status } = one
                    assert.deepStrictEqual(
                      yield* log.outcomesSince(since, { limit, ...(status !== null && { status }) }),
                      expected.since(since, status, limit)
                    )
                    break
                  }
                  case "task":
                    assert.strictEqual(
                      yield* log.failureStreak(one.taskId, one.limit),
                      expected.ofTask(one.taskId, one.limit)
                    )
                    break
                  case "objective":
                    assert.strictEqual(
                      yield* log.failureStreakOf(one.objective, one.limit),
                      expected.ofObjective(one.objective, one.limit)
                    )
                    break
                  case "prune":
                    assert.strictEqual(yield* log.prune({ maxAge: "2 days" }), expected.prune(now - 2 * 86_400_000))
                    break
                  case "reopen":
                    log = yield* opened.again
                    break
                  case "stream":
                    assert.deepStrictEqual(
                      [...(yield* Stream.runCollect(Stream.take(log.follow(all), expected.all().length)))],
                      expected.all()
                    )
                }
              }
              assert.strictEqual(yield* log.unreadable, 0)
            })
            return Effect.runPromise(Effect.scoped(Effect.provide(run, TestContext.TestContext)))
          }),
          { numRuns: 20 }
        )
      )
    )

    it.scoped("tells every reader of what comes, each at its own pace", () =>
      Effect.gen(function* () {
        const { log } = yield* open
        yield* log.append([outcome({ id: "old" }), outcome({ id: "older", at: "2020-01-01T00:00:00Z" })])
        const followed = yield* taking(log.follow(Date.parse("2026-01-01T00:00:00Z")), 4)
        const every = yield* taking(log.follow(all), 5)
        yield* log.append(outcome({ id: "1" }))
        yield* log.append([outcome({ id: "2" }), outcome({ id: "1" }), outcome({ id: "3" })])
        assert.deepStrictEqual(ids(yield* Fiber.join(followed)), ["old", "1", "2", "3"])
        assert.deepStrictEqual(ids(yield* Fiber.join(every)), ["old", "older", "1", "2", "3"])
      })
    )

    it.scoped("loses and repeats nothing for a reader that is slow, though it is pruned meanwhile", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        const { log } = yield* open
        const count = 700
        const pull = yield* Stream.toPull(log.follow(all))
        const read: Array<string> = []
        const more = Effect.map(pull, (chunk) => {
          read.push(...ids(chunk))
        })
        yield* log.append(outcome({ id: "first", at: "2020-01-01T00:00:00Z" }))
        yield* more
        yield* log.append(Array.from({ length: count }, (_, index) => outcome({ id: `${index}` })))
        yield* more
        assert.strictEqual(yield* log.prune({ maxAge: "30 days" }), 1)
        yield* log.append(outcome({ id: "last" }))
        yield* Effect.repeat(more, { until: () => read.at(-1) === "last" })
        assert.deepStrictEqual(read, ["first", ...Array.from({ length: count }, (_, index) => `${index}`), "last"])
      })
    )

    it.scoped("forgets what is old, and takes it again", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        const { log } = yield* open
        const old = outcome({ id: "old", at: "2026-01-01T00:00:00Z" })
        yield* log.append([old, outcome({ id: "new" }), outcome({ id: "late", at: "2026-01-02T00:00:00Z" })])
        assert.strictEqual(yield* log.prune({ maxAge: "30 days" }), 1)
        assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["new", "late"])
        assert.strictEqual(yield* log.failureStreak("task-1"), 2)
        yield* log.append(old)
        assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["new", "late", "old"])
      })
    )

    it.scopedLive("tells a reader who follows each once of what sixteen write meanwhile", () =>
      Effect.gen(function* () {
        const { again } = yield* open
        const [reader, ...writers] = yield* Effect.replicateEffect(again, 17)
        if (reader === undefined) return
        const each = Array.from({ length: 25 }, (_, index) => index)
        const written = writers.flatMap((_, writer) => each.map((index) => `w${writer}-${index}`))
        const followed = yield* taking(reader.follow(all), written.length + 1)
        yield* Effect.forEach(
          writers,
          ({ append }, writer) =>
            Effect.forEach(each, (index) =>
              // As one does who does not know whether it was kept.
              Effect.repeatN(append(outcome({ id: `w${writer}-${index}` })), index % 5 === 0 ? 1 : 0)
            ),
          { concurrency: "unbounded" }
        )
        yield* reader.append(outcome({ id: "last" }))
        const told = ids(yield* Fiber.join(followed))
        assert.strictEqual(told.at(-1), "last")
        assert.sameMembers(told.slice(0, -1), written)
        for (const writer of writers.keys())
          assert.deepStrictEqual(
            told.filter((id) => id.startsWith(`w${writer}-`)),
            each.map((index) => `w${writer}-${index}`)
          )
      })
    )
  })
}
