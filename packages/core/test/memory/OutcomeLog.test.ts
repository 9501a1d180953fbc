/** What a file of outcomes adds to what all logs of outcomes do. */
import { assert, describe } from "@effect/vitest"
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import { Effect, Queue, Stream, TestClock } from "effect"
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { all, contract, ids, now } from "../support/outcomeContract.ts"
import { outcome } from "../support/outcomes.ts"
import { folder, handle, inMemory, onDisk, table } from "../support/stores.ts"
import { live, works } from "../support/works.ts"

const logAt = (path: string) => handle(OutcomeLog, OutcomeLog.Live({ path }))

/** What a log tells from now on: asked of nobody, for only what is told is in it. */
const heard = Effect.fnUntraced(function* (log: Service) {
  const told = yield* Queue.unbounded<string>()
  yield* Effect.forkScoped(Stream.runForEach(log.follow(all), ({ id }) => Queue.offer(told, id)))
  return Queue.take(told)
})

contract("Live", onDisk(OutcomeLog.Live))
contract("Memory", inMemory(OutcomeLog, OutcomeLog.Memory))
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
