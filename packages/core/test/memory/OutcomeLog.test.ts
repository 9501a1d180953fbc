import { assert, describe, it } from "@effect/vitest"
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import type { StorageError } from "@reflexion/core/StorageError"
import { OutcomeLog, OutcomeRecord, type Service } from "@reflexion/core/OutcomeLog"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as FiberStatus from "effect/FiberStatus"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { anyObjective, anyOutcome, anyTask, backends, live, outcome } from "../support/outcomes.ts"
import { folder } from "../support/stores.ts"

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

/** Takes so many changes in the background, from now on: it waits for the first when this ends. */
const taking = (changes: Service["changes"], count: number) =>
  Effect.tap(Effect.fork(Stream.runCollect(Stream.take(changes, count))), (fiber) =>
    Effect.repeat(Effect.zipRight(Effect.yieldNow(), Fiber.status(fiber)), {
      until: (status) => FiberStatus.isSuspended(status)
    })
  )

const of = (id: string, status: AttemptOutcome.Status, taskId: string | null = "task-1") =>
  outcome({ id, status, taskId })

const said = (id: string, objective: string) => outcome({ id, objective, taskId: null })

describe.each(backends)("the outcome log on $name", ({ name, open }) => {
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
      assert.deepInclude(yield* log.verify(), { outcomes: 2, repeated: 0 })
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
                  assert.deepStrictEqual([...(yield* Stream.runCollect(log.stream(all)))], expected.all())
              }
            }
            assert.deepInclude(yield* log.verify(), { invalidCount: 0, outcomes: expected.all().length })
          })
          return Effect.runPromise(Effect.scoped(Effect.provide(run, TestContext.TestContext)))
        }),
        { numRuns: name === "Live" ? 20 : 10 }
      )
    )
  )

  it.scoped("tells every reader of what comes, each at its own pace", () =>
    Effect.gen(function* () {
      const { log } = yield* open
      yield* log.append([outcome({ id: "old" }), outcome({ id: "older", at: "2020-01-01T00:00:00Z" })])
      const changes = yield* taking(log.changes, 3)
      const followed = yield* taking(log.follow(Date.parse("2026-01-01T00:00:00Z")), 4)
      yield* log.append(outcome({ id: "1" }))
      yield* log.append([outcome({ id: "2" }), outcome({ id: "1" }), outcome({ id: "3" })])
      assert.deepStrictEqual(ids(yield* Fiber.join(changes)), ["1", "2", "3"])
      assert.deepStrictEqual(ids(yield* Fiber.join(followed)), ["old", "1", "2", "3"])
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
      yield* log.append(Array.from({ length: count }, (_, index) => outcome({ id: `${index}` })))
      yield* more
      assert.isBelow(read.length, count)
      assert.strictEqual(yield* log.prune({ maxAge: "30 days" }), 1)
      yield* log.append(outcome({ id: "last" }))
      yield* Effect.repeat(more, { until: () => read.at(-1) === "last" })
      assert.deepStrictEqual(read, ["first", ...Array.from({ length: count }, (_, index) => `${index}`), "last"])
    })
  )

  it.scoped("ends its changes when it is closed", () =>
    Effect.gen(function* () {
      const changes = yield* Effect.scoped(
        Effect.gen(function* () {
          const { log } = yield* open
          return yield* taking(log.changes, 1)
        })
      )
      assert.isTrue(Chunk.isEmpty(yield* Fiber.join(changes)))
      const { changes: late, follow } = yield* Effect.scoped(Effect.map(open, ({ log }) => log))
      assert.isTrue(Chunk.isEmpty(yield* Stream.runCollect(Stream.merge(late, follow(all)))))
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
})

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
      const changes = yield* taking(one.changes, 2)
      yield* other.append(outcome({ id: "o1" }))
      yield* one.refresh
      yield* other.append(outcome({ id: "o2" }))
      assert.strictEqual(yield* one.failureStreak("task-1"), 2)
      assert.deepStrictEqual(ids(yield* Fiber.join(changes)), ["o1", "o2"])
    })
  )

  it.scoped("takes the first of two lines of one id, whoever wrote them, and only that is told", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "outcomes.jsonl")
      const log = yield* live(path)
      const changes = yield* taking(log.changes, 2)
      yield* log.append(outcome({ id: "o1" }))
      appendFileSync(path, AttemptOutcome.encode(outcome({ id: "o1", status: "completed" })))
      appendFileSync(path, AttemptOutcome.encode(outcome({ id: "o2" })))
      assert.strictEqual(yield* log.failureStreak("task-1"), 2)
      assert.deepStrictEqual(ids(yield* Fiber.join(changes)), ["o1", "o2"])
      assert.deepInclude(yield* log.verify(), { outcomes: 2, repeated: 1 })
      yield* TestClock.setTime(now)
      yield* log.prune({ maxAge: "1 day" })
      assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o2"])
    })
  )
})

describe("the log on a file with lines that do not decode", () => {
  it.scoped("leaves them where they are, names them, and moves them aside when it is told to", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "outcomes.jsonl")
      const [first, last] = [outcome({ id: "o1" }), outcome({ id: "o2" })].map(AttemptOutcome.encode)
      const [undated, unknown] = [
        `${JSON.stringify({ ...outcome({ id: "bad" }), at: "yesterday" })}\n`,
        `${JSON.stringify({ ...outcome({ id: "bad" }), status: "lost" })}\n`
      ]
      writeFileSync(path, [first, undated, "\n", "no JSON\n", unknown, last, '{"id":"to'].join(""))
      const log = yield* live(path)
      assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["o1", "o2"])
      assert.strictEqual(yield* log.unreadable, 4)
      assert.strictEqual((yield* log.verify()).invalid.at(-1)?.problem, "it ends in the middle")
      yield* log.append(outcome({ id: "o3" }))
      assert.strictEqual(readFileSync(`${path}.torn`, "utf8"), '{"id":"to\n')
      appendFileSync(path, "nor this\n")
      assert.strictEqual(yield* log.unreadable, 4)
      writeFileSync(path, readFileSync(path, "utf8").replace("nor this\n", ""))
      const { blank, invalid, invalidCount, outcomes } = yield* log.verify()
      assert.deepStrictEqual({ blank, invalidCount, outcomes }, { blank: 1, invalidCount: 3, outcomes: 3 })
      assert.deepStrictEqual(
        invalid.map(({ line }) => line),
        [2, 4, 5]
      )
      assert.match(invalid[0]?.problem ?? "", /^at: a time with its zone/)
      assert.match(invalid[1]?.problem ?? "", /^it is no JSON/)
      assert.match(invalid[2]?.problem ?? "", /^status: /)
      assert.include(readFileSync(path, "utf8"), undated)
      yield* log.verify({ repair: true })
      assert.strictEqual(readFileSync(path, "utf8"), `${first}\n${last}${AttemptOutcome.encode(outcome({ id: "o3" }))}`)
      assert.strictEqual(readFileSync(`${path}.rejected`, "utf8"), `${undated}no JSON\n${unknown}`)
      assert.strictEqual((yield* log.verify()).invalidCount, 0)
      assert.strictEqual(yield* log.unreadable, 0)
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

describe("a log that is told how long to keep what it has", () => {
  const day = 86_400_000
  const at = (days: number): string => new Date(now + days * day).toISOString()

  it.scoped("forgets the rest when it is opened and as it is added to, and writes the file anew but rarely", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const path = join(yield* folder, "outcomes.jsonl")
      writeFileSync(
        path,
        [-40, -31, -1].map((days) => AttemptOutcome.encode(outcome({ id: `${days}`, at: at(days) }))).join("")
      )
      const log = Context.get(
        yield* Layer.build(Layer.provide(OutcomeLog.Live({ path, retention: "30 days" }), NodeContext.layer)),
        OutcomeLog
      )
      const files = new Set<number>()
      assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["-1"])
      for (let days = 0; days < 100; days += 0.5) {
        yield* TestClock.setTime(now + days * day)
        yield* log.append(outcome({ id: `${days}`, at: at(days) }))
        const kept = yield* log.outcomesSince(all)
        files.add(statSync(path).ino)
        assert.isAtMost(kept.length, 2 * 36 + 2)
        assert.isAtLeast(kept.length, Math.min(2 * days, 60))
      }
      assert.isAtMost(files.size, 1 + 70 / 3)
      const held = Context.get(
        yield* Layer.build(Layer.provide(OutcomeLog.Live({ path }), NodeContext.layer)),
        OutcomeLog
      )
      assert.isAbove((yield* held.outcomesSince(all)).length, 60)
    })
  )

  it.scoped("is added to all the same where it cannot be written anew", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const path = join(yield* folder, "outcomes.jsonl")
      writeFileSync(path, AttemptOutcome.encode(outcome({ id: "old", at: at(-40) })))
      // What is to take its place is written there first.
      mkdirSync(`${path}.next`)
      const place = OutcomeLog.Live({ path, retention: "30 days" })
      const log = Context.get(yield* Layer.build(Layer.provide(place, NodeContext.layer)), OutcomeLog)
      yield* log.append(outcome({ id: "new", at: at(0) }))
      yield* TestClock.adjust("4 days")
      yield* log.append(outcome({ id: "newer", at: at(4) }))
      assert.deepStrictEqual(ids(yield* log.outcomesSince(all)), ["old", "new", "newer"])
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
      const refused: StorageError = yield* Effect.flip(
        Effect.flatMap(live(path), (log) => log.append(outcome({ id: "o1" })))
      )
      assert.include(refused.message, path)
      assert.isFalse(existsSync(path))
    })
  )
})
