import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import * as Outcome from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { type Disk, LogDisk, LogDiskError, type Watcher } from "@reflexion/core/LogDisk"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as FS from "node:fs"
import { join } from "node:path"
import * as NodeLogDisk from "../src/NodeLogDisk.ts"
import { live, outcome } from "./support/outcomes.ts"
import { light } from "./support/stores.ts"

const all = Number.NEGATIVE_INFINITY

/** What a log tells from now on: asked of nobody, for only what is told is in it. */
const heard = Effect.fnUntraced(function* (log: Service) {
  const told = yield* Queue.unbounded<string>()
  yield* log.follow(all).pipe(
    Stream.runForEach(({ id }) => Queue.offer(told, id)),
    Effect.forkScoped
  )
  return Queue.take(told)
})

const add = (path: string, ...outcomes: ReadonlyArray<AttemptOutcome>): void =>
  FS.appendFileSync(path, outcomes.map(Outcome.encode).join(""))

/** A disk of which a test has the watchers; `refuses`: it watches nothing. */
const watching = (refuses = false) => {
  const watchers = new Set<Watcher>()
  let asked = 0
  const changed = Effect.map(LogDisk, (disk): Disk => ({
    ...disk,
    watch: (path, watcher) => {
      asked += 1
      if (refuses) throw new LogDiskError({ path, operation: "watch", code: "ENOSPC", detail: "no more watches" })
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    }
  }))
  const layer = Layer.provide(Layer.effect(LogDisk, changed), NodeLogDisk.layer)
  return { layer: Layer.merge(NodeLogDisk.layer, layer), watchers, asked: () => asked }
}

const recording = () => {
  const warnings: Array<string> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    if (logLevel._tag === "Warning") warnings.push(String(message))
  })
  return { warnings, layer: Logger.replace(Logger.defaultLogger, logger) }
}

describe("a log that others add to", () => {
  it.scoped("hears of it without being asked, from before there is a folder", () =>
    Effect.gen(function* () {
      const path = join(yield* light, "a", "b", "outcomes.jsonl")
      const [one, other] = [yield* live(path), yield* live(path)]
      const next = yield* heard(one)
      yield* other.append(outcome({ id: "o1" }))
      assert.strictEqual(yield* next, "o1")
      yield* other.append([outcome({ id: "o2" }), outcome({ id: "o3" })])
      assert.strictEqual(yield* next, "o2")
      assert.strictEqual(yield* next, "o3")
    })
  )

  it.scoped("hears of what comes after another rewrote it, and after its folder went and came again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-03T00:00:00Z"))
      const folder = join(yield* light, "memory")
      const path = join(folder, "outcomes.jsonl")
      const [one, other] = [yield* live(path), yield* live(path)]
      const next = yield* heard(one)
      yield* other.append([outcome({ id: "o1" }), outcome({ id: "o2" })])
      assert.deepStrictEqual([yield* next, yield* next], ["o1", "o2"])
      assert.strictEqual(yield* other.prune({ maxAge: "1 day" }), 1)
      add(path, outcome({ id: "o3" }))
      assert.strictEqual(yield* next, "o3")
      for (const id of ["o4", "o5"]) {
        FS.rmSync(folder, { recursive: true })
        FS.mkdirSync(folder)
        add(path, outcome({ id }))
        assert.strictEqual(yield* next, id)
      }
    })
  )

  it.scoped("is watched once, for as long as it is open, and only where somebody listens", () =>
    Effect.gen(function* () {
      const path = join(yield* light, "outcomes.jsonl")
      const { asked, layer, watchers } = watching()
      const scope = yield* Scope.make()
      const log = yield* Scope.extend(live(path, layer), scope)
      yield* log.append(outcome({ id: "o1" }))
      assert.strictEqual(asked(), 0)
      for (const next of [yield* heard(log), yield* heard(log)]) assert.strictEqual(yield* next, "o1")
      assert.deepStrictEqual([asked(), watchers.size], [1, 1])
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(watchers.size, 0)
    })
  )

  it.scoped("says once that it hears of nothing where the system watches nothing, and can be asked", () =>
    Effect.gen(function* () {
      const path = join(yield* light, "outcomes.jsonl")
      const { layer, warnings } = recording()
      const log = yield* live(path, watching(true).layer)
      yield* Effect.gen(function* () {
        const nexts = [yield* heard(log), yield* heard(log)]
        yield* log.append(outcome({ id: "o1" }))
        for (const next of nexts) assert.strictEqual(yield* next, "o1")
        add(path, outcome({ id: "o2" }))
        yield* log.refresh
        for (const next of nexts) assert.strictEqual(yield* next, "o2")
      }).pipe(Effect.provide(layer))
      assert.lengthOf(warnings, 1)
      assert.match(warnings[0] ?? "", /only when this one asks: .*outcomes\.jsonl: watch: no more watches/)
    })
  )

  it.scoped("says once that it hears no more, and has what came until then", () =>
    Effect.gen(function* () {
      const path = join(yield* light, "outcomes.jsonl")
      const { layer: logger, warnings } = recording()
      const { layer, watchers } = watching()
      const log = yield* live(path, layer)
      yield* Effect.gen(function* () {
        const next = yield* heard(log)
        yield* log.append(outcome({ id: "o1" }))
        assert.strictEqual(yield* next, "o1")
        add(path, outcome({ id: "o2" }))
        for (const { failed } of watchers)
          failed(new LogDiskError({ path, operation: "watch", code: null, detail: "it is gone" }))
        assert.strictEqual(yield* next, "o2")
        yield* log.append(outcome({ id: "o3" }))
        assert.strictEqual(yield* next, "o3")
      }).pipe(Effect.provide(logger))
      assert.lengthOf(warnings, 1)
    })
  )

  it.scoped("is told once of much that comes together, and of nothing beside it", () =>
    Effect.gen(function* () {
      const folder = yield* light
      const path = join(folder, "outcomes.jsonl")
      add(path, outcome({ id: "o1" }))
      const { pause, watch } = yield* LogDisk
      const told = yield* Queue.unbounded<void>()
      const stop = watch(path, { changed: () => void Queue.unsafeOffer(told, undefined), failed: () => undefined })
      yield* Effect.addFinalizer(() => Effect.sync(stop))
      for (let index = 0; index < 500; index += 1) {
        add(path, outcome({ id: `more-${index}` }))
        FS.appendFileSync(join(folder, "other.jsonl"), "x")
      }
      yield* Queue.take(told)
      yield* Effect.repeatN(pause, 100)
      assert.isBelow(yield* Queue.size(told), 50)
    }).pipe(Effect.provide(NodeLogDisk.layer))
  )
})

describe("the cycle over a log that others add to", () => {
  it.scoped("finds at once what they show, without a look by hand", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T11:00:00Z"))
      const folder = join(yield* light, ".reflection")
      const path = join(folder, "outcomes.jsonl")
      const logs = Layer.merge(OutcomeLog.Live({ path }), FindingLog.Live({ path: join(folder, "findings.jsonl") }))
      const checkpoint = join(yield* light, "cycle.json")
      const built = yield* Layer.build(
        ReflectionCycle.Live({ checkpoint, debounce: 0 }).pipe(
          Layer.provideMerge(logs),
          Layer.provide(NodeLogDisk.layer)
        )
      )
      const events = yield* Context.get(built, ReflectionCycle).subscribe
      const hook = yield* live(path)
      for (const id of ["o1", "o2", "o3"]) yield* hook.append(outcome({ id }))
      assert.deepInclude(yield* Queue.take(events), { rule: "consecutive_failures", subject_id: "task-1" })
    })
  )
})
