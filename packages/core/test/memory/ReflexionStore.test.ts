/** What a file of lessons adds to what all stores of lessons do. */
import { assert } from "@effect/vitest"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { Effect, TestClock } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bare as reflection } from "../support/bare.ts"
import { contract, ids } from "../support/lessonContract.ts"
import { folder, handle, inMemory, onDisk, table } from "../support/stores.ts"
import { works } from "../support/works.ts"

contract("Live", onDisk(ReflexionStore.Live))
contract("Memory", inMemory(ReflexionStore, ReflexionStore.Memory))
contract(
  "Over",
  Effect.sync(() => ReflexionStore.Over(table()))
)

works("ReflexionStore.Live: leaves lines that do not decode, and reads around them", function* () {
  yield* TestClock.setTime(Date.parse("2026-03-31T10:00:00.000Z"))
  const old = "2020-01-01T00:00:00.000Z"
  const { model: _model, source: _source, tags: _tags, ...eleven } = reflection({ id: "eleven", createdAt: old })
  const [first, sure, wordy, last] = [
    eleven,
    reflection({ id: "sure", createdAt: old, confidence: 7 }),
    { ...reflection({ id: "wordy", createdAt: old }), tags: "many" },
    reflection({ id: "last", createdAt: "2026-03-30T00:00:00.000Z" })
  ].map((one) => `${JSON.stringify(one)}\n`)
  const path = join(yield* folder, "reflections.jsonl")
  writeFileSync(path, [first, sure, wordy, "no JSON\n", last].join(""))
  const store = yield* handle(ReflexionStore, ReflexionStore.Live({ path }))
  assert.deepStrictEqual(yield* store.get("eleven"), { ...eleven, source: null, model: null, tags: [] })
  assert.deepStrictEqual(ids(yield* store.getRecent("subtask-1")), ["last", "eleven"])
  assert.strictEqual(yield* store.unreadable, 3)
  assert.strictEqual(yield* store.prune({ maxAge: "30 days" }), 1)
  assert.strictEqual(readFileSync(path, "utf8"), [sure, wordy, "no JSON\n", last].join(""))
  assert.strictEqual(yield* store.prune({ where: () => true }), 1)
  assert.strictEqual(readFileSync(path, "utf8"), [sure, wordy, "no JSON\n"].join(""))
})
