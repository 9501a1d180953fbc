import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import * as Outcome from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as FS from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { live, outcome } from "../support/outcomes.ts"
import { light } from "../support/stores.ts"

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

describe("a log that others add to", () => {
  it.scopedLive("hears of it without being asked, from before there is a folder", () =>
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

  it.scopedLive("hears of what comes after another rewrote it, and after its folder went and came again", () =>
    Effect.gen(function* () {
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
})

describe("the cycle over a log that others add to", () => {
  it.scopedLive("finds at once what they show, without a look by hand", () =>
    Effect.gen(function* () {
      const folder = join(yield* light, ".reflection")
      const path = join(folder, "outcomes.jsonl")
      const logs = Layer.merge(OutcomeLog.Live({ path }), FindingLog.Live({ path: join(folder, "findings.jsonl") }))
      const built = yield* Layer.build(
        ReflectionCycle.Live({ debounce: 0 }).pipe(Layer.provideMerge(logs), Layer.provide(NodeContext.layer))
      )
      const events = yield* Context.get(built, ReflectionCycle).subscribe
      const hook = yield* live(path)
      for (const id of ["o1", "o2", "o3"]) yield* hook.append(outcome({ id, at: new Date().toISOString() }))
      assert.deepInclude(yield* Queue.take(events), { rule: "consecutive_failures", subject_id: "task-1" })
    })
  )
})
