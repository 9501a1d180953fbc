import { assert, describe, it } from "@effect/vitest"
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { reflection } from "../support/reflections.ts"
import { folder, light, live } from "../support/stores.ts"
import * as Backend from "./contract/Backend.ts"
import { contract } from "./contract/ReflexionStore.ts"

contract({
  name: "Live",
  place: Effect.map(light, (place) =>
    Layer.provide(ReflexionStore.Live({ path: join(place, "memory", "reflections.jsonl") }), NodeContext.layer)
  )
})
contract(Backend.alone("Memory", ReflexionStore.Memory))
contract(Backend.alone("Test", ReflexionStore.Test))
contract({ name: "Over", place: Effect.sync(() => ReflexionStore.Over(Backend.table())) })

/** In the order by which lines are indexed without being decoded: all of these are known, and some turn out to be none. */
const inOrder = (attemptNumber: number): Reflection => {
  const { id, ...rest } = reflection({ id: `r${attemptNumber}` })
  return { id, ...rest, attemptNumber }
}

describe("the store on a file with lines that do not decode", () => {
  it.scoped("prunes what is old around them, and leaves them where they are", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-31T10:00:00.000Z"))
      const old = "2020-01-01T00:00:00.000Z"
      const [first, sure, wordy, last] = [
        reflection({ id: "first", createdAt: old }),
        reflection({ id: "sure", createdAt: old, confidence: 7 }),
        { ...reflection({ id: "wordy", createdAt: old }), tags: "many" },
        reflection({ id: "last", createdAt: "2026-03-30T00:00:00.000Z" })
      ].map((one) => `${JSON.stringify(one)}\n`)
      const path = join(yield* folder, "reflections.jsonl")
      writeFileSync(path, [first, sure, wordy, "no JSON\n", last].join(""))
      const store = yield* live(path)
      assert.strictEqual(yield* store.prune({ maxAge: "30 days" }), 1)
      assert.strictEqual(readFileSync(path, "utf8"), [sure, wordy, "no JSON\n", last].join(""))
      assert.strictEqual(yield* store.unreadable, 3)
      assert.strictEqual(yield* store.prune({ where: () => true }), 1)
      assert.strictEqual(readFileSync(path, "utf8"), [sure, wordy, "no JSON\n"].join(""))
    })
  )

  it.scoped("reads what is recent around them, and around lines of eleven fields", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "reflections.jsonl")
      const line = (attemptNumber: number) => JSON.stringify(inOrder(attemptNumber))
      const { model: _model, source: _source, tags: _tags, ...eleven } = inOrder(1)
      const broken = line(3).replace('"analysis":"', String.raw`"analysis":"\x`)
      assert.throws(() => JSON.parse(broken))
      const sure = JSON.stringify({ ...inOrder(4), confidence: 7 })
      const lines = [JSON.stringify(eleven), line(2), broken, sure, line(5)]
      writeFileSync(path, lines.map((one) => `${one}\n`).join(""))
      const store = yield* live(path)
      const first = { ...eleven, source: null, model: null, tags: [] }
      assert.deepStrictEqual(yield* store.getRecent(inOrder(1).subtaskId, 5), [inOrder(5), inOrder(2), first])
      assert.deepStrictEqual(yield* store.getRecent(inOrder(1).subtaskId, 2), [inOrder(5), inOrder(2)])
    })
  )
})

describe("a memory in a project's folder", () => {
  it.scoped("is passed over by git, which leaves the folder's own file, and other folders, as they are", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const own = join(place, ".reflection")
      const memory = yield* live(join(own, "reflections.jsonl"))
      assert.isFalse(existsSync(own))
      yield* memory.append([reflection({ id: "r1" })])
      assert.match(readFileSync(join(own, ".gitignore"), "utf8"), /^\*$/mu)
      writeFileSync(join(own, ".gitignore"), "mine")
      yield* Effect.flatMap(live(join(own, "others.jsonl")), ({ append }) => append([reflection({ id: "r1" })]))
      assert.strictEqual(readFileSync(join(own, ".gitignore"), "utf8"), "mine")
      yield* Effect.flatMap(live(join(place, "memory", "reflections.jsonl")), ({ append }) =>
        append([reflection({ id: "r1" })])
      )
      assert.isFalse(existsSync(join(place, "memory", ".gitignore")))
    })
  )
})
