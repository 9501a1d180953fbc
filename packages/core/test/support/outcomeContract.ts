import { assert, describe } from "@effect/vitest"
import type * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { Effect, Stream, TestClock } from "effect"
import { outcome } from "./outcomes.ts"
import { opened, type Place } from "./stores.ts"
import { works } from "./works.ts"

export const ids = (outcomes: Iterable<AttemptOutcome.AttemptOutcome>): ReadonlyArray<string> =>
  Array.from(outcomes, ({ id }) => id)

export const all = Number.NEGATIVE_INFINITY

export const now = Date.parse("2026-03-04T10:00:00Z")

export const contract = <E>(name: string, place: Place<OutcomeLog, E>): void => {
  describe(`OutcomeLog.${name}`, () => {
    const open = Effect.map(opened(place, OutcomeLog), ({ again, first: log }) => ({ again, log }))

    works("returns the outcomes since a time, each id once, by status and limit", function* () {
      const { again, log } = yield* open
      yield* log.append(outcome({ id: "o1" }))
      yield* log.append([outcome({ id: "o2", status: "timeout" }), outcome({ id: "o3", status: "completed" })])
      yield* log.append([outcome({ id: "o1", status: "completed" })])
      assert.deepStrictEqual((yield* log.outcomesSince(all))[0], outcome({ id: "o1" }))
      yield* log.append([])
      const other = yield* again
      assert.deepStrictEqual(ids(yield* other.outcomesSince(all)), ["o1", "o2", "o3"])
      assert.deepStrictEqual(ids(yield* other.outcomesSince(all, { limit: 2 })), ["o2", "o3"])
      assert.deepStrictEqual(ids(yield* other.outcomesSince(all, { status: ["failed", "timeout"] })), ["o1", "o2"])
      assert.deepStrictEqual(yield* other.outcomesSince(Date.parse("2026-03-01T10:00:00.001Z")), [])
    })

    works("a streak counts failures and timeouts since the last success, by task or words", function* () {
      const { log } = yield* open
      const add = (text: string, given: Partial<AttemptOutcome.AttemptOutcome>) =>
        log.append(
          text.split(" ").map((one) => {
            const status = one.startsWith("C") ? "completed" : one.startsWith("T") ? "timeout" : "failed"
            return outcome({ id: `${one}${JSON.stringify(given)}`, status, ...given })
          })
        )
      yield* add("F1 C2 F3 T4", {})
      yield* add("C5", { taskId: "weekly" })
      yield* add("F6", {})
      assert.strictEqual(yield* log.failureStreak("nightly"), 3)
      assert.strictEqual(yield* log.failureStreak("nightly", 2), 2)
      assert.strictEqual(yield* log.failureStreak("weekly"), 0)
      yield* add("C7", {})
      assert.strictEqual(yield* log.failureStreak("nightly"), 0)
      yield* add("F8", { taskId: null, objective: "Check the stock of the shop" })
      yield* add("F9", { taskId: null, objective: " Check the stock\n of the shop" })
      yield* add("F10 F11", { taskId: null, objective: "go on" })
      assert.strictEqual(yield* log.failureStreakOf("Check the stock of  the shop"), 2)
      assert.strictEqual(yield* log.failureStreakOf("go on"), 0)
      assert.strictEqual(yield* log.failureStreak("Check the stock of the shop"), 0)
    })

    works("keeps text that is not valid Unicode", function* () {
      const { again, log } = yield* open
      const text = "nul \0, half \ud83d, \u001a0000"
      const strange = outcome({ id: text, taskId: text, objective: text, loaded: [{ kind: "file", name: text }] })
      yield* log.append([strange, strange])
      assert.deepStrictEqual(yield* (yield* again).outcomesSince(all), [strange])
      assert.strictEqual(yield* log.failureStreak(text), 1)
    })

    works("a follower gets every outcome of sixteen writers at once, and none twice", function* () {
      const { again, log } = yield* open
      const read: Array<string> = []
      const reading = yield* Effect.fork(
        Stream.runForEachWhile(log.follow(all), ({ id }) =>
          Effect.sync(() => {
            read.push(id)
            return id !== "last"
          })
        )
      )
      // The reader is one of the writers, so it also looks after each record of its own.
      const logs = [log, ...(yield* Effect.replicateEffect(again, 15))]
      const given = logs.map((_, writer) => Array.from({ length: 50 }, (_, index) => `${writer}-${index}`))
      const write = (ids: ReadonlyArray<string>, writer: number) =>
        Effect.forEach(ids, (id) => logs[writer]?.append(outcome({ id })) ?? Effect.void, { discard: true })
      yield* Effect.forEach(given, write, { concurrency: "unbounded" })
      yield* log.append(outcome({ id: "last" }))
      yield* reading
      assert.deepStrictEqual(read.toSorted(), [...given.flat(), "last"].toSorted())
    })

    works("a slow follower misses and repeats nothing, even if the log is pruned meanwhile", function* () {
      yield* TestClock.setTime(now)
      const { log } = yield* open
      const pull = yield* Stream.toPull(log.follow(all))
      const read: Array<string> = []
      const more = Effect.map(pull, (chunk) => void read.push(...ids(chunk)))
      const many = Array.from({ length: 700 }, (_, index) => `${index}`)
      yield* log.append(outcome({ id: "first", at: "2020-01-01T00:00:00Z" }))
      yield* more
      yield* log.append(many.map((id) => outcome({ id })))
      yield* more
      assert.strictEqual(yield* log.prune({ maxAge: "30 days" }), 1)
      yield* log.append(outcome({ id: "last" }))
      yield* Effect.repeat(more, { until: () => read.at(-1) === "last" })
      assert.deepStrictEqual(read, ["first", ...many, "last"])
    })
  })
}
