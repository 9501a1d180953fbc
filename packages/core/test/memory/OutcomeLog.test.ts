/** What the log of outcomes does, on a file that others share and over a table, and what the file adds to that. */
import { assert, describe } from "@effect/vitest"
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import { Effect, Queue, Stream, TestClock } from "effect"
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { outcome } from "../support/outcomes.ts"
import { folder, handle, onDisk, opened, type Place, table } from "../support/stores.ts"
import { live, works } from "../support/works.ts"

const ids = (outcomes: Iterable<AttemptOutcome.AttemptOutcome>): ReadonlyArray<string> =>
  Array.from(outcomes, ({ id }) => id)

const all = Number.NEGATIVE_INFINITY

const now = Date.parse("2026-03-04T10:00:00Z")

const logAt = (path: string) => handle(OutcomeLog, OutcomeLog.Live({ path }))

/** What a log tells from now on: asked of nobody, for only what is told is in it. */
const heard = Effect.fnUntraced(function* (log: Service) {
  const told = yield* Queue.unbounded<string>()
  yield* Effect.forkScoped(Stream.runForEach(log.follow(all), ({ id }) => Queue.offer(told, id)))
  return Queue.take(told)
})

const contract = <E>(name: string, place: Place<OutcomeLog, E>): void => {
  describe(`OutcomeLog.${name}`, () => {
    const open = Effect.map(opened(place, OutcomeLog), ({ again, first: log }) => ({ again, log }))

    works("gives back what was appended since a time, an id once, by status and in number", function* () {
      const { again, log } = yield* open
      yield* log.append(outcome({ id: "o1" }))
      yield* log.append([outcome({ id: "o2", status: "timeout" }), outcome({ id: "o3", status: "completed" })])
      yield* log.append([outcome({ id: "o1", status: "completed" })])
      assert.deepStrictEqual((yield* log.outcomesSince(all))[0], outcome({ id: "o1" }))
      const other = yield* again
      assert.deepStrictEqual(ids(yield* other.outcomesSince(all)), ["o1", "o2", "o3"])
      assert.deepStrictEqual(ids(yield* other.outcomesSince(all, { limit: 2 })), ["o2", "o3"])
      assert.deepStrictEqual(ids(yield* other.outcomesSince(all, { status: ["failed", "timeout"] })), ["o1", "o2"])
      assert.deepStrictEqual(yield* other.outcomesSince(Date.parse("2026-03-01T10:00:00.001Z")), [])
    })

    works("counts failures and timeouts since the last success, of a task or of the same words", function* () {
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

    works("loses and repeats nothing for a reader that is slow, though it is pruned meanwhile", function* () {
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

contract("Live", onDisk(OutcomeLog.Live))
contract(
  "Over",
  Effect.sync(() => OutcomeLog.Over(table()))
)

describe("a file of outcomes that others share", () => {
  live("is heard of without being asked, before there is a folder, rewritten, and when it comes again", function* () {
    const path = join(yield* folder, "a", "outcomes.jsonl")
    const [one, other] = [yield* logAt(path), yield* logAt(path)]
    const next = yield* heard(one)
    yield* other.append([outcome({ id: "o1" }), outcome({ id: "o2" })])
    assert.deepStrictEqual([yield* next, yield* next], ["o1", "o2"])
    assert.strictEqual(yield* other.prune({ maxAge: "1 day" }), 1)
    appendFileSync(path, AttemptOutcome.encode(outcome({ id: "o3" })))
    assert.strictEqual(yield* next, "o3")
    rmSync(dirname(path), { recursive: true })
    mkdirSync(dirname(path))
    appendFileSync(path, AttemptOutcome.encode(outcome({ id: "o4" })))
    assert.strictEqual(yield* next, "o4")
  })

  works("takes the first of two lines of one id, no matter who wrote them, and forgets both", function* () {
    yield* TestClock.setTime(now)
    const path = join(yield* folder, "outcomes.jsonl")
    const log = yield* logAt(path)
    yield* log.append(outcome({ id: "o1" }))
    for (const one of [outcome({ id: "o1", status: "completed" }), outcome({ id: "o2" })])
      appendFileSync(path, AttemptOutcome.encode(one))
    assert.strictEqual(yield* log.failureStreak("nightly"), 2)
    yield* log.prune({ maxAge: "1 day" })
    assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o2"])
  })

  works("keeps lines that are no outcome where they are, counts them, and puts a torn end aside", function* () {
    const path = join(yield* folder, "outcomes.jsonl")
    const [first, last] = [outcome({ id: "o1" }), outcome({ id: "o2" })].map(AttemptOutcome.encode)
    const bad = [{ at: "yesterday" }, { status: "lost" }].map(
      (wrong) => `${JSON.stringify({ ...outcome({ id: "bad" }), ...wrong })}\n`
    )
    const lines = [first, bad[0], "\n", "no JSON\n", bad[1], last].join("")
    writeFileSync(path, `${lines}{"id":"to`)
    const log = yield* logAt(path)
    assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o1", "o2"])
    assert.strictEqual(yield* log.unreadable, 3)
    yield* log.append(outcome({ id: "o3" }))
    assert.strictEqual(readFileSync(`${path}.torn`, "utf8"), '{"id":"to\n')
    assert.strictEqual(readFileSync(path, "utf8"), `${lines}${AttemptOutcome.encode(outcome({ id: "o3" }))}`)
  })

  works(
    "is passed over by git in a project's folder, which keeps its own file, and says where it cannot be",
    function* () {
      const place = yield* folder
      const add = (path: string) => Effect.flatMap(logAt(path), ({ append }) => append(outcome({ id: "o1" })))
      const ignored = join(place, ".reflection", ".gitignore")
      yield* logAt(join(place, ".reflection", "outcomes.jsonl"))
      assert.isFalse(existsSync(dirname(ignored)))
      yield* add(join(place, ".reflection", "outcomes.jsonl"))
      assert.match(readFileSync(ignored, "utf8"), /^\*$/mu)
      writeFileSync(ignored, "mine")
      yield* add(join(place, ".reflection", "others.jsonl"))
      assert.strictEqual(readFileSync(ignored, "utf8"), "mine")
      yield* add(join(place, "logs", "outcomes.jsonl"))
      assert.isFalse(existsSync(join(place, "logs", ".gitignore")))
      const path = join(ignored, "outcomes.jsonl")
      const refused = yield* Effect.flip(add(path))
      assert.deepStrictEqual([refused.reason, refused.message.includes(path)], ["failed", true])
    }
  )
})
