import { assert, describe, it, vi } from "@effect/vitest"
import * as AppendLog from "@reflexion/core/internal/learn/log/AppendLog"
import { LogDisk, LogDiskError } from "@reflexion/core/LogDisk"
import type { ReflectionError } from "@reflexion/core/internal/learn/lessons/ReflectionError"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import {
  appendFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as LogFiles from "../src/LogFiles.ts"
import * as NodeLogDisk from "../src/NodeLogDisk.ts"
import * as PidLock from "../src/PidLock.ts"
import { reflection } from "./support/reflections.ts"
import { folder, live } from "./support/stores.ts"

const place = Effect.map(folder, (path) => join(path, "reflections.jsonl"))

const lines = (path: string): ReadonlyArray<string> => readFileSync(path, "utf8").split("\n").slice(0, -1)

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    reflection({ id: `r${index}`, subtaskId: `s${index % 7}`, attemptNumber: index + 1 })
  )

/** The messages of what was logged. */
const heard = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => said.push(String(message)))
    return Effect.map(Effect.provide(work, Logger.replace(Logger.defaultLogger, logger)), (value) => ({ value, said }))
  })

const one = (id: string, attemptNumber: number) => reflection({ id, subtaskId: "s", attemptNumber })

const lineOf = (id: string, attemptNumber: number) => `${JSON.stringify(one(id, attemptNumber))}\n`

const nextTurn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

const seenBy = (store: Context.Tag.Service<ReflexionStore>) =>
  Effect.map(store.getRecent("s", 99), (found) => found.map(({ id }) => id).toReversed())

/** Read until what was seen of the file is believed, all in one turn. */
const believed = <A, E>(seen: Effect.Effect<A, E>) => Effect.zipRight(Effect.zipRight(seen, seen), seen)

/** As another program does it. */
const replaceBy = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

/** No time passes. */
const pinned = Effect.acquireRelease(
  Effect.sync(() => vi.spyOn(performance, "now").mockReturnValue(performance.now())),
  (clock) => Effect.sync(() => clock.mockRestore())
)

describe("the file of the store", () => {
  it.scopedLive("holds one line for each, readable by the user alone, and no other file but the lock's", () =>
    Effect.gen(function* () {
      const path = yield* place
      const store = yield* live(path)
      yield* store.append(many(3))
      assert.lengthOf(lines(path), 3)
      assert.deepStrictEqual(JSON.parse(lines(path)[0] ?? ""), reflection({ id: "r0", subtaskId: "s0" }))
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.isUndefined(lstatSync(`${path}.lock`, { throwIfNoEntry: false }))
    })
  )

  it.scopedLive("loads lines of the first eleven fields, and works on in place", () =>
    Effect.gen(function* () {
      const path = yield* place
      const { model: _m, source: _s, tags: _t, ...eleven } = reflection({ id: "old" })
      writeFileSync(path, `${JSON.stringify(eleven)}\n`)
      const store = yield* live(path)
      assert.deepStrictEqual(yield* store.get("old"), reflection({ id: "old", source: null, model: null, tags: [] }))
      yield* store.append(reflection({ id: "new", attemptNumber: 2 }))
      assert.deepStrictEqual(JSON.parse(lines(path)[0] ?? ""), eleven)
      assert.lengthOf(yield* store.getRecent("subtask-1"), 2)
    })
  )

  it.scopedLive("refuses what comes after it was closed, which writes to nobody's file and waits for nothing", () =>
    Effect.gen(function* () {
      const path = yield* place
      const store = yield* Effect.scoped(Effect.tap(live(path), (open) => open.append(many(1))))
      const works: ReadonlyArray<Effect.Effect<unknown, ReflectionError>> = [
        store.append(many(1)),
        store.getRecent("s0"),
        store.prune({ maxAge: 0 })
      ]
      for (const late of works) {
        const error = yield* Effect.flip(Effect.timeoutFail(late, { duration: "5 seconds", onTimeout: () => "waits" }))
        assert.deepInclude(error, { reason: "storage_error" })
        assert.include(String(error), "it is closed already")
      }
      assert.lengthOf(lines(path), 1)
    })
  )

  it.scopedLive("acknowledges what is on the disk and nothing else while it is being closed", () =>
    Effect.gen(function* () {
      const path = yield* place
      const scope = yield* Scope.make()
      const store = yield* Scope.extend(live(path), scope)
      yield* store.append(reflection({ id: "first" }))
      const adding = yield* Effect.fork(
        Effect.forEach(many(40), (one) => Effect.zipLeft(Effect.either(store.append(one)), Effect.yieldNow()), {
          concurrency: 8
        })
      )
      for (let turn = 0; turn < 20; turn += 1) yield* Effect.yieldNow()
      yield* Scope.close(scope, Exit.void)
      const ends = yield* Effect.timeoutFail(Fiber.join(adding), { duration: "20 seconds", onTimeout: () => "waits" })
      const kept = lines(path).map((line) => /"id":"(\w+)"/.exec(line)?.[1] ?? "")
      const acknowledged = ends.flatMap((end, index) => (Either.isRight(end) ? [`r${index}`] : []))
      assert.sameMembers(kept, ["first", ...acknowledged])
    })
  )

  it.scopedLive("is read and added to by several handles, each seeing the others' lines", () =>
    Effect.gen(function* () {
      const path = yield* place
      const stores = yield* Effect.all([live(path), live(path), live(path)])
      yield* Effect.forEach(many(60), (one, index) => stores[index % 3]?.append(one) ?? Effect.void, {
        concurrency: "unbounded"
      })
      for (const store of stores) assert.strictEqual((yield* store.stats).reflections, 60)
      const [first, second] = stores
      yield* first?.prune({ where: ({ attemptNumber }) => attemptNumber % 2 === 0 }) ?? Effect.void
      yield* second?.append(reflection({ id: "after" })) ?? Effect.void
      for (const store of stores) assert.strictEqual((yield* store.stats).reflections, 31)
      assert.lengthOf(lines(path), 31)
    })
  )

  it.scopedLive("is as it is now for whoever reads it, whatever took its place", () =>
    Effect.gen(function* () {
      const path = yield* place
      const [store, other] = [yield* live(path), yield* live(path)]
      const seen = seenBy(store)
      yield* store.append(one("a", 1))
      assert.deepStrictEqual(yield* believed(seen), ["a"])
      yield* other.append(one("b", 2))
      assert.deepStrictEqual(yield* believed(seen), ["a", "b"])
      yield* store.prune({ where: ({ id }) => id === "a" })
      assert.deepStrictEqual(yield* believed(seen), ["b"])
      replaceBy(path, lineOf("c", 3))
      yield* nextTurn
      assert.deepStrictEqual(yield* believed(seen), ["c"])
      appendFileSync(path, lineOf("d", 4))
      assert.deepStrictEqual(yield* seen, ["c", "d"])
    })
  )

  const ends = [
    ["a millisecond", () => Effect.sync(() => vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1))],
    ["the turn", () => nextTurn]
  ] as const

  it.scopedLive.each(ends)("is the same as a moment ago until %s is over", ([, isOver]) =>
    Effect.gen(function* () {
      const path = yield* place
      const store = yield* live(path)
      const seen = seenBy(store)
      yield* store.append(one("a", 1))
      yield* pinned
      assert.deepStrictEqual(yield* believed(seen), ["a"])
      replaceBy(path, lineOf("b", 2))
      assert.deepStrictEqual(yield* seen, ["a"])
      yield* isOver()
      assert.deepStrictEqual(yield* seen, ["b"])
    })
  )

  it.scopedLive("is as it was a moment ago until another handle prunes it", () =>
    Effect.gen(function* () {
      const path = yield* place
      const [store, other] = [yield* live(path), yield* live(path)]
      const seen = seenBy(store)
      yield* store.append([one("a", 1), one("b", 2)])
      assert.deepStrictEqual(yield* seenBy(other), ["a", "b"])
      yield* pinned
      assert.deepStrictEqual(yield* believed(seen), ["a", "b"])
      yield* other.prune({ where: ({ id }) => id === "a" })
      assert.deepStrictEqual(yield* seen, ["b"])
    })
  )

  it.scopedLive("is as it was a moment ago until the same program writes to its file by any other way", () =>
    Effect.gen(function* () {
      const path = yield* place
      const store = yield* live(path)
      const seen = seenBy(store)
      yield* store.append(one("a", 1))
      const size = statSync(path).size
      const file = yield* Effect.acquireRelease(
        Effect.sync(() => LogFiles.openToAdd(path)),
        (open) => Effect.sync(open.close)
      )
      yield* pinned
      assert.deepStrictEqual(yield* believed(seen), ["a"])
      file.append(Buffer.from(lineOf("b", 2)))
      assert.deepStrictEqual(yield* believed(seen), ["a", "b"])
      file.truncate(size)
      assert.deepStrictEqual(yield* believed(seen), ["a"])
      const next = LogFiles.replace(path)
      next.write(Buffer.from(lineOf("c", 3)))
      next.commit()
      assert.deepStrictEqual(yield* seen, ["c"])
    })
  )

  it.scopedLive("leaves a line that does not decode where it is, names it, and moves it when it is told to", () =>
    Effect.gen(function* () {
      const path = yield* place
      const bad = ['{"id":"half', "not JSON", '{"id":"r9","attemptNumber":0}', '{"event":"rumour"}']
      writeFileSync(path, [JSON.stringify(reflection({ id: "r1" })), ...bad, "", ""].join("\n"))
      const store = yield* live(path)
      yield* store.append(reflection({ id: "r2" }))
      const found = yield* store.verify()
      assert.deepInclude(found, { reflections: 2, events: 0, blank: 1, invalidCount: 4 })
      assert.deepStrictEqual(
        found.invalid.map(({ line }) => line),
        [2, 3, 4, 5]
      )
      assert.match(found.invalid[2]?.problem ?? "", /attemptNumber|sessionId/)
      yield* store.prune({ where: ({ id }) => id === "r1" })
      yield* store.compact
      assert.includeMembers([...lines(path)], bad)
      yield* store.verify({ repair: true })
      assert.deepStrictEqual(lines(`${path}.rejected`), bad)
      assert.strictEqual((yield* store.verify()).invalidCount, 0)
      assert.deepStrictEqual(
        (yield* store.getForTask("task-1")).map(({ id }) => id),
        ["r2"]
      )
    })
  )

  it.scopedLive("is not opened through a symbolic link, nor made of what is no file", () =>
    Effect.gen(function* () {
      const path = yield* place
      writeFileSync(`${path}.elsewhere`, "")
      symlinkSync(`${path}.elsewhere`, path)
      const failed = yield* Effect.flip(live(path))
      assert.strictEqual(failed.reason, "storage_error")
      assert.include(failed.message, "symbolic link")
      assert.include((yield* Effect.flip(live("/dev/null"))).message, "not a plain file")
    })
  )

  it.scopedLive("that may not be written is read, and what is added fails", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(
        Effect.flatMap(live("/proc/reflexion/reflections.jsonl"), (store) => store.append(reflection({ id: "r1" })))
      )
      assert.strictEqual(failed.reason, "storage_error")
    })
  )
})

describe("a torn line", () => {
  it.scopedLive("is moved aside wherever it was cut, and nothing else is lost", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.double({ min: 0, max: 1, noNaN: true }),
          FastCheck.boolean(),
          (share, late) => {
            const run = Effect.gen(function* () {
              const path = yield* place
              const before = yield* live(path)
              yield* before.append(many(4))
              const whole = readFileSync(path)
              const cut = Math.floor(share * whole.length)
              const kept = whole.subarray(0, cut).toString("latin1").split("\n").length - 1
              if (!late) truncateSync(path, cut)
              // Cut under a store that is open: what it adds next must not become a part of it.
              const { said, value: after } = yield* heard(late ? Effect.succeed(before) : live(path))
              if (late) truncateSync(path, cut)
              const tail = whole.subarray(0, cut).subarray(whole.subarray(0, cut).lastIndexOf(10) + 1)
              const isWhole = tail.at(-1) === 125 && tail.length > 200
              if (!late && tail.length > 0 && !isWhole) assert.include(said.join("\n"), `${tail.length} bytes`)
              yield* after.append(reflection({ id: "next" }))
              const { invalidCount, reflections } = yield* after.verify()
              assert.deepStrictEqual(
                { invalidCount, reflections },
                { invalidCount: 0, reflections: kept + 1 + (isWhole ? 1 : 0) }
              )
              if (tail.length > 0 && !isWhole)
                assert.include(readFileSync(AppendLog.tornOf(path), "latin1"), tail.toString("latin1"))
            })
            return Effect.runPromise(Effect.scoped(run))
          }
        ),
        { numRuns: 20 }
      )
    )
  )

  it.scopedLive("that only lacks its line break is a line", () =>
    Effect.gen(function* () {
      const path = yield* place
      writeFileSync(path, JSON.stringify(reflection({ id: "last" })))
      const store = yield* live(path)
      assert.strictEqual((yield* store.get("last")).id, "last")
      yield* store.append(reflection({ id: "next" }))
      assert.lengthOf(lines(path), 2)
      assert.isFalse(existsSync(AppendLog.tornOf(path)))
    })
  )

  it.scopedLive("that another process is writing is not read", () =>
    Effect.gen(function* () {
      const path = yield* place
      const store = yield* live(path)
      yield* store.append(reflection({ id: "r1" }))
      const line = JSON.stringify(reflection({ id: "r2" }))
      appendFileSync(path, line.slice(0, 100))
      assert.strictEqual((yield* store.stats).reflections, 1)
      appendFileSync(path, `${line.slice(100)}\n`)
      assert.strictEqual((yield* store.stats).reflections, 2)
    })
  )
})

const recent = (path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* live(path)
      return {
        recent: (yield* store.getRecent("s3")).map(({ id }) => id),
        stats: yield* store.stats,
        one: (yield* store.get("r1234")).attemptNumber
      }
    })
  )

describe("the side file", () => {
  const count = 3000

  const closed = (path: string) => Effect.scoped(Effect.flatMap(live(path), (store) => store.append(many(count))))

  it.scopedLive("spares the reading of the log, and is only a cache", () =>
    Effect.gen(function* () {
      const path = yield* place
      yield* closed(path)
      assert.isTrue(existsSync(`${path}.index`))
      const expected = yield* recent(path)
      const side = readFileSync(`${path}.index`)
      const spoilt: Record<string, () => void> = {
        missing: () => truncateSync(`${path}.index`, 0),
        cut: () => writeFileSync(`${path}.index`, side.subarray(0, side.length - 8)),
        "one bit": () => {
          const wrong = Buffer.from(side)
          wrong[Math.floor(side.length / 2)] = (wrong[Math.floor(side.length / 2)] ?? 0) ^ 4
          writeFileSync(`${path}.index`, wrong)
        },
        "of another version": () => writeFileSync(`${path}.index`, Buffer.concat([Buffer.alloc(64), side.subarray(64)]))
      }
      for (const [name, spoil] of Object.entries(spoilt)) {
        spoil()
        assert.deepStrictEqual(yield* recent(path), expected, name)
      }
    })
  )

  it.scopedLive("is followed by what was added after it, and not believed of a log that was rewritten", () =>
    Effect.gen(function* () {
      const path = yield* place
      yield* closed(path)
      const side = readFileSync(`${path}.index`)
      appendFileSync(path, `${JSON.stringify(reflection({ id: "x", subtaskId: "s3", attemptNumber: 9999 }))}\n`)
      assert.strictEqual((yield* recent(path)).recent[0], "x")
      const rest = lines(path).filter((line) => line.includes('"subtaskId":"s3"') || line.includes('"r1234"'))
      writeFileSync(path, `${rest.join("\n")}\n`)
      writeFileSync(`${path}.index`, side)
      assert.strictEqual((yield* recent(path)).stats.reflections, rest.length)
    })
  )

  it.scopedLive("is made while the program that opened the log goes on", () =>
    Effect.gen(function* () {
      const path = yield* place
      yield* closed(path)
      rmSync(`${path}.index`)
      const store = yield* live(path)
      assert.lengthOf(yield* store.getRecent("s3"), 3)
      yield* Effect.repeat(
        Effect.delay(
          Effect.sync(() => existsSync(`${path}.index`)),
          "5 millis"
        ),
        { until: (isThere) => isThere }
      )
    })
  )

  it.scopedLive("is of the log as it is when it is written, not as it was when that began", () =>
    Effect.gen(function* () {
      const path = yield* place
      yield* closed(path)
      rmSync(`${path}.index`)
      const held = LogFiles.lock(`${path}.index`) ?? assert.fail("nobody else has it")
      const { said } = yield* heard(
        Effect.gen(function* () {
          const store = yield* live(path)
          yield* store.getRecent("s3")
          yield* nextTurn
          yield* nextTurn
          assert.strictEqual(yield* store.prune({ where: ({ attemptNumber }) => attemptNumber > 2500 }), 500)
          held.release()
          yield* Effect.repeat(
            Effect.delay(
              Effect.sync(() => existsSync(`${path}.index`)),
              "5 millis"
            ),
            { until: (isThere) => isThere }
          )
        })
      )
      assert.deepStrictEqual(said, [])
      const { ino } = statSync(`${path}.index`)
      assert.strictEqual((yield* recent(path)).stats.reflections, 2500)
      assert.strictEqual(statSync(`${path}.index`).ino, ino, "it was of use to whoever opened the log next")
    })
  )

  it.scopedLive("keeps what came of the advice", () =>
    Effect.gen(function* () {
      const path = yield* place
      yield* closed(path)
      yield* Effect.scoped(
        Effect.flatMap(live(path), (store) =>
          Effect.zipRight(
            store.recordOutcome({ reflectionIds: ["r7"], success: true }),
            store.append(many(count).map((one) => ({ ...one, id: `more-${one.id}` })))
          )
        )
      )
      const { stats } = yield* recent(path)
      assert.deepInclude(stats.all, { of: 2 * count, succeeded: 1 })
    })
  )
})

describe("a memory that cannot be written", () => {
  it.scopedLive("is read as far as it is whole, and has its torn end named", () =>
    Effect.gen(function* () {
      const path = yield* place
      writeFileSync(path, `${JSON.stringify(reflection({ id: "whole" }))}\n{"id":"torn`)
      const disk = yield* LogDisk
      const broken = Layer.succeed(LogDisk, {
        ...disk,
        lock: () => new LogDiskError({ path, operation: "lock", code: "EROFS", detail: "EROFS: read-only file system" })
      })
      const store = Context.get(
        yield* Layer.build(Layer.provide(ReflexionStore.Live({ path }), broken)),
        ReflexionStore
      )
      assert.strictEqual((yield* store.get("whole")).id, "whole")
      const { invalid, invalidCount } = yield* store.verify()
      assert.strictEqual(invalidCount, 1)
      assert.deepInclude(invalid[0], { line: 2, problem: "it ends in the middle" })
    }).pipe(Effect.provide(NodeLogDisk.layer))
  )
})

describe("a memory with lines of others", () => {
  it.scopedLive("answers with blank ones and ones of a byte, first and where they are added meanwhile", () =>
    Effect.gen(function* () {
      const path = yield* place
      writeFileSync(path, `\n${lineOf("a", 1)}`)
      const store = yield* live(path)
      const seen = seenBy(store)
      assert.deepStrictEqual(yield* seen, ["a"])
      for (const more of ["\n", "}\n", `\n}\n${lineOf("b", 2)}`]) {
        appendFileSync(path, more)
        assert.include(yield* seen, "a")
      }
      assert.deepStrictEqual(yield* seen, ["a", "b"])
      const { blank, invalidCount, reflections } = yield* store.verify()
      assert.deepStrictEqual([blank, invalidCount, reflections], [3, 2, 2])
    })
  )
})

describe("what follows a log", () => {
  it.scopedLive("is given each line once", () =>
    Effect.gen(function* () {
      const path = yield* place
      const sizes = [3, 700, 1_048_575, 1_048_576, 2_500_000, 40, ...Array.from({ length: 9000 }, (_, at) => at % 1300)]
      const all = sizes.map((size, at) => `${at} ${"x".repeat(size)}`)
      writeFileSync(path, `${all.join("\n")}\nhalf a li`)
      const seen: Array<string> = []
      let settled = 0
      const log = yield* AppendLog.open({
        path,
        follower: {
          reset: () => 0,
          line: (chunk, from, to) => {
            seen.push(Buffer.from(chunk.subarray(from, to)).toString())
            assert.strictEqual(chunk[to], 10)
          },
          settle: () => {
            settled += 1
            return settled % 3 === 0
          }
        }
      })
      const read = Effect.sync(log.refresh).pipe(Effect.repeat({ until: (isDone) => isDone }))
      yield* read
      assert.deepStrictEqual(seen, all)
      assert.strictEqual(settled, 3)
      yield* log.append("one more\n")
      yield* read
      assert.deepStrictEqual([seen.length, seen.at(-1), settled], [all.length + 1, "one more", 6])
    }).pipe(Effect.provide(NodeLogDisk.layer))
  )
})

describe("a rewrite", () => {
  const before = '{"a":1}\n{"b":2}\n'

  const mishaps: ReadonlyArray<readonly [string, (path: string) => void]> = [
    ["another program adds to the file", (path: string) => appendFileSync(path, '{"c":3}\n')],
    ["another program is in the middle of a line", (path: string) => appendFileSync(path, '{"c":')],
    ["the lock is taken over", (path: string) => (rmSync(`${path}.lock`), symlinkSync("another", `${path}.lock`))],
    ["another file takes its place", (path: string) => (rmSync(path), writeFileSync(path, before))]
  ]

  it.scopedLive.each(mishaps)("leaves the file as it is where %s", ([, meanwhile]) =>
    Effect.gen(function* () {
      const path = yield* place
      writeFileSync(path, before)
      const log = yield* AppendLog.open({ path, follower: { reset: () => 0, line: () => undefined } })
      let after = ""
      const keeps: AppendLog.Keeps = (_, at) => {
        if (at > 0) return true
        meanwhile(path)
        after = readFileSync(path, "utf8")
        return false
      }
      const { message } = yield* Effect.flip(log.rewrite(() => keeps))
      assert.include(message, "left as it is, try again")
      assert.strictEqual(readFileSync(path, "utf8"), after)
      assert.isFalse(existsSync(`${path}.next`))
    }).pipe(Effect.provide(NodeLogDisk.layer))
  )

  it.scopedLive("ends where half a line stands behind whole ones", () =>
    Effect.gen(function* () {
      const path = yield* place
      writeFileSync(path, before)
      const log = yield* AppendLog.open({ path, follower: { reset: () => 0, line: () => undefined } })
      const plan = () => {
        appendFileSync(path, '{"c":')
        return (_: Uint8Array, at: number) => at > 0
      }
      assert.include((yield* Effect.flip(log.rewrite(plan))).message, "left as it is, try again")
      assert.strictEqual(readFileSync(path, "utf8"), `${before}{"c":`)
    }).pipe(Effect.provide(NodeLogDisk.layer))
  )
})

const taken = (path: string) => PidLock.take(path, Date.now())

describe("the lock", () => {
  it.scopedLive("is held by one at a time and given back", () =>
    Effect.gen(function* () {
      const path = `${yield* place}.lock`
      const held = taken(path)
      assert.isNull(taken(path))
      held?.release()
      const again = taken(path)
      assert.isNotNull(again)
      // It is another's by now.
      held?.release()
      assert.isNull(taken(path))
    })
  )

  it.scopedLive("of a process that is gone is taken over, and that of a number used again", () =>
    Effect.gen(function* () {
      const path = `${yield* place}.lock`
      const held = taken(path)
      const [pid, start, namespace] = readlinkSync(path).split(" ")
      held?.release()
      for (const owner of [`4194303 ${start} ${namespace} 1`, `${pid} 17 ${namespace} 1`]) {
        writeFileSync(path, owner)
        const over = taken(path)
        assert.isNotNull(over, owner)
        over?.release()
      }
      for (const owner of [`4194303 ${start} elsewhere 1`, `${pid} - ${namespace} 1`, "", "what?"]) {
        writeFileSync(path, owner)
        assert.isNull(taken(path), owner)
        const over = PidLock.take(path, Date.now() + 61_000)
        assert.isNotNull(over, owner)
        over?.release()
      }
    })
  )

  it.scopedLive.runIf(process.platform === "linux")("of a process that runs is never taken over, however old", () =>
    Effect.gen(function* () {
      const path = `${yield* place}.lock`
      const held = taken(path)
      assert.isNull(PidLock.take(path, Date.now() + 86_400_000))
      held?.release()
      assert.isNotNull(taken(path))
    })
  )

  it.scopedLive.runIf(process.platform === "linux")(
    "of a process that ended and whose parent has not heard of it is taken over",
    () =>
      Effect.gen(function* () {
        const path = `${yield* place}.lock`
        // The shell's child ends once the shell is another program, which never asks for it: the shell itself might.
        const shell = spawn("sh", ["-c", "(until grep -q sleep /proc/$$/comm; do :; done) & echo $!; exec sleep 60"], {
          stdio: ["ignore", "pipe", "ignore"]
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => shell.kill("SIGKILL")))
        const pid = yield* Effect.async<string>((resume) => {
          shell.stdout.once("data", (text) => resume(Effect.succeed(String(text).trim())))
        })
        yield* Effect.repeat(
          Effect.sync(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")),
          { until: (isZombie) => isZombie, schedule: Schedule.spaced("5 millis") }
        )
        symlinkSync(`${pid} - ${readlinkSync("/proc/self/ns/pid")} 1`, path)
        assert.isNotNull(taken(path))
      })
  )

  it.scopedLive("that was abandoned is taken by one, whoever else finds it so", () =>
    Effect.gen(function* () {
      const path = `${yield* place}.lock`
      const own = taken(path)
      const name = readlinkSync(path)
      own?.release()
      symlinkSync(name.replace(/^\d+/, "4194303"), path)
      // Another is about to remove it: it looks again under this.
      const removal = taken(`${path}.over`)
      assert.isNull(taken(path))
      removal?.release()
      const held = taken(path)
      assert.isNotNull(held)
      assert.isNull(taken(path))
      held?.release()
      assert.isUndefined(lstatSync(path, { throwIfNoEntry: false }))
      assert.isUndefined(lstatSync(`${path}.over`, { throwIfNoEntry: false }))
    })
  )

  it.scopedLive.runIf(process.platform === "linux")(
    "that stays made in a burst keeps none of the process waiting",
    () =>
      Effect.gen(function* () {
        const path = yield* place
        const disk = yield* LogDisk
        const isThere = () => lstatSync(`${path}.lock`, { throwIfNoEntry: false }) !== undefined
        const untilItStays = () => {
          for (const until = Date.now() + 20_000; !isThere() && Date.now() < until;) disk.tryLock(path)?.()
          assert.isTrue(isThere())
        }
        untilItStays()
        // It would have to be waited for, which no synchronous program can.
        Effect.runSync(Effect.scoped(disk.lock(path)))
        assert.isFalse(isThere())
        untilItStays()
        disk.leave(path)
        assert.isFalse(isThere())
      }).pipe(Effect.provide(NodeLogDisk.layer))
  )

  it.scopedLive("is waited for", () =>
    Effect.gen(function* () {
      const path = yield* place
      const disk = yield* LogDisk
      const order: Array<string> = []
      const work = (name: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            yield* disk.lock(path)
            order.push(`${name} begins`)
            yield* Effect.sleep("5 millis")
            order.push(`${name} ends`)
          })
        )
      yield* Effect.all([work("a"), work("b"), work("c")], { concurrency: "unbounded" })
      for (const [index, said] of order.entries())
        if (index % 2 === 0) assert.strictEqual(order[index + 1], said.replace("begins", "ends"))
    }).pipe(Effect.provide(NodeLogDisk.layer))
  )
})
