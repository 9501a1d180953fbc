import { assert, describe, it } from "@effect/vitest"
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { OutcomeLog, OutcomeRecord } from "@reflexion/core/OutcomeLog"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import * as FileLock from "../../src/base/system/FileLock.ts"
import * as JsonlFile from "../../src/memory/log/JsonlFile.ts"
import { live, outcome, taking } from "../support/outcomes.ts"
import { folder, light } from "../support/stores.ts"
import * as Backend from "./contract/Backend.ts"
import { contract } from "./contract/OutcomeLog.ts"

const ids = (outcomes: Iterable<AttemptOutcome.AttemptOutcome>): ReadonlyArray<string> =>
  Array.from(outcomes, ({ id }) => id)

const all = Number.NEGATIVE_INFINITY

const now = Date.parse("2026-03-04T10:00:00Z")

contract({
  name: "Live",
  place: Effect.map(light, (place) =>
    Layer.provide(OutcomeLog.Live({ path: join(place, "memory", "outcomes.jsonl") }), NodeContext.layer)
  )
})
contract(Backend.alone("Memory", OutcomeLog.Memory))
contract(Backend.alone("Test", OutcomeLog.Test))
contract({ name: "Over", place: Effect.sync(() => OutcomeLog.Over(Backend.table())) })

describe("the log that a test reads", () => {
  it.effect("has what it was told, as it was told", () =>
    Effect.gen(function* () {
      const log = yield* OutcomeLog
      const { appended } = yield* OutcomeRecord
      yield* log.append(outcome({ id: "o1" }))
      yield* log.append([outcome({ id: "o1" }), outcome({ id: "o2" })])
      assert.deepStrictEqual(ids(yield* appended), ["o1", "o1", "o2"])
    }).pipe(Effect.provide(OutcomeLog.Test))
  )
})

describe("a log that several share", () => {
  it.scoped("sees what the others add when it asks, and tells its readers", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "outcomes.jsonl")
      const [one, other] = [yield* live(path), yield* live(path)]
      const changes = yield* taking(one.follow(all), 2)
      yield* other.append(outcome({ id: "o1" }))
      yield* other.append(outcome({ id: "o2" }))
      assert.strictEqual(yield* one.failureStreak("task-1"), 2)
      assert.deepStrictEqual(ids(yield* Fiber.join(changes)), ["o1", "o2"])
    })
  )

  it.scopedLive("lets others run while another process has the lock, and adds then", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "outcomes.jsonl")
      const log = yield* live(path)
      const lock = FileLock.take(JsonlFile.lockOf(path))
      const adding = yield* Effect.fork(log.append(outcome({ id: "o1" })))
      let turns = 0
      yield* Effect.repeatN(
        Effect.zipRight(
          Effect.yieldNow(),
          Effect.sync(() => (turns += 1))
        ),
        99
      )
      assert.strictEqual(turns, 100)
      assert.isTrue(Option.isNone(yield* Fiber.poll(adding)))
      lock?.release()
      yield* Fiber.join(adding)
      assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o1"])
    })
  )

  it.scoped("takes the first of two lines of one id, whoever wrote them, and only that is told", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "outcomes.jsonl")
      const log = yield* live(path)
      const changes = yield* taking(log.follow(all), 2)
      yield* log.append(outcome({ id: "o1" }))
      appendFileSync(path, AttemptOutcome.encode(outcome({ id: "o1", status: "completed" })))
      appendFileSync(path, AttemptOutcome.encode(outcome({ id: "o2" })))
      assert.strictEqual(yield* log.failureStreak("task-1"), 2)
      assert.deepStrictEqual(ids(yield* Fiber.join(changes)), ["o1", "o2"])
      yield* TestClock.setTime(now)
      yield* log.prune({ maxAge: "1 day" })
      assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o2"])
    })
  )
})

describe("the log on a file with lines that do not decode", () => {
  it.scoped("leaves them where they are, and counts them", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "outcomes.jsonl")
      const [first, last] = [outcome({ id: "o1" }), outcome({ id: "o2" })].map(AttemptOutcome.encode)
      const [undated, unknown] = [
        `${JSON.stringify({ ...outcome({ id: "bad" }), at: "yesterday" })}\n`,
        `${JSON.stringify({ ...outcome({ id: "bad" }), status: "lost" })}\n`
      ]
      const lines = [first, undated, "\n", "no JSON\n", unknown, last].join("")
      writeFileSync(path, `${lines}{"id":"to`)
      const log = yield* live(path)
      assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o1", "o2"])
      assert.strictEqual(yield* log.unreadable, 3)
      yield* log.append(outcome({ id: "o3" }))
      assert.strictEqual(readFileSync(`${path}.torn`, "utf8"), '{"id":"to\n')
      assert.strictEqual(readFileSync(path, "utf8"), `${lines}${AttemptOutcome.encode(outcome({ id: "o3" }))}`)
      appendFileSync(path, "nor this\n")
      assert.strictEqual(yield* log.unreadable, 4)
    })
  )

  it.scoped("bounds what others wrote, and gives defaults to what they left out", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "outcomes.jsonl")
      const {
        loaded: _,
        taskId: _task,
        tools: _tools,
        ...rest
      } = outcome({ id: "o1", objective: "word ".repeat(9000) })
      writeFileSync(path, `${JSON.stringify({ ...rest, cost: 3 })}\n`)
      const [kept] = yield* (yield* live(path)).outcomesSince(all)
      assert.deepInclude(kept, { id: "o1", taskId: null, tools: [], loaded: [] })
      assert.isAtMost(kept?.objective.length ?? 0, AttemptOutcome.limits.objective)
      assert.notProperty(kept, "cost")
    })
  )
})

describe("a log in a project's folder", () => {
  it.scoped("is passed over by git, which leaves the folder's own file, and other folders, as they are", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const own = join(place, ".reflection")
      const log = yield* live(join(own, "outcomes.jsonl"))
      assert.isFalse(existsSync(own))
      yield* log.append(outcome({ id: "o1" }))
      const said = readFileSync(join(own, ".gitignore"), "utf8")
      assert.match(said, /^\*$/mu)
      writeFileSync(join(own, ".gitignore"), "mine")
      yield* Effect.flatMap(live(join(own, "others.jsonl")), ({ append }) => append(outcome({ id: "o1" })))
      assert.strictEqual(readFileSync(join(own, ".gitignore"), "utf8"), "mine")
      yield* Effect.flatMap(live(join(place, "logs", "outcomes.jsonl")), ({ append }) => append(outcome({ id: "o1" })))
      assert.isFalse(existsSync(join(place, "logs", ".gitignore")))
    })
  )
})

describe("a log that cannot be written", () => {
  it.scoped("says so, by its path, and can be asked all the same", () =>
    Effect.gen(function* () {
      const place = yield* folder
      writeFileSync(join(place, "taken"), "")
      const path = join(place, "taken", "outcomes.jsonl")
      const refused = yield* Effect.flip(Effect.flatMap(live(path), (log) => log.append(outcome({ id: "o1" }))))
      assert.strictEqual(refused.reason, "failed")
      assert.include(refused.message, path)
      assert.isFalse(existsSync(path))
    })
  )
})
