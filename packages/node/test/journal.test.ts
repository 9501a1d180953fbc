import { assert, describe, it } from "@effect/vitest"
import * as AppendLog from "@reflexion/core/internal/learn/log/AppendLog"
import { LogDisk, LogDiskError } from "@reflexion/core/LogDisk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as FS from "node:fs"
import { join } from "node:path"
import * as NodeLogDisk from "../src/NodeLogDisk.ts"
import { reflection } from "./support/reflections.ts"
import { light, live } from "./support/stores.ts"

const place = Effect.map(light, (path) => join(path, "reflections.jsonl"))

const disk = NodeLogDisk.layerWith({ journal: { after: 2, bytes: 64 * 1024 } })

const ids = (count: number, from = 0): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `r${from + index}`)

const opened = (path: string) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    return { scope, store: yield* Scope.extend(live(path, disk), scope) }
  })

/** A log of so many appends whose process was killed: its journal is there. */
const left = (path: string, count: number) =>
  Effect.gen(function* () {
    const { scope, store } = yield* opened(path)
    for (const id of ids(count)) yield* store.append(reflection({ id }))
    const journal = FS.readFileSync(`${path}.journal`)
    yield* Scope.close(scope, Exit.void)
    FS.writeFileSync(`${path}.journal`, journal, { mode: 0o600 })
    return journal
  })

const kept = (path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* live(path, disk)
      const { invalidCount } = yield* store.verify()
      assert.strictEqual(invalidCount, 0)
      return (yield* store.getForTask("task-1")).map(({ id }) => id)
    })
  )

/** Where the bytes are that only the journal has for sure: from the third line on. */
const synced = (path: string): number => {
  const text = FS.readFileSync(path, "latin1")
  return text.indexOf("\n", text.indexOf("\n", text.indexOf("\n") + 1) + 1) + 1
}

const property = <A>(
  values: FastCheck.Arbitrary<A>,
  numRuns: number,
  check: (value: A) => Effect.Effect<void, unknown, Scope.Scope>
) =>
  Effect.promise(() =>
    FastCheck.assert(
      FastCheck.asyncProperty(values, (value) => Effect.runPromise(Effect.scoped(Effect.orDie(check(value))))),
      { numRuns }
    )
  )

const share = FastCheck.double({ min: 0, max: 1, noNaN: true })

const unsettled = (path: string) => Effect.provide(AppendLog.unsettled(path), disk)

describe("the journal", () => {
  it.scopedLive("is named with how much only it has, and that without a change, until the log can be written", () =>
    Effect.gen(function* () {
      const path = yield* place
      assert.strictEqual(yield* unsettled(path), 0)
      yield* left(path, 12)
      assert.strictEqual(yield* unsettled(path), 0)
      const whole = FS.readFileSync(path)
      const cut = whole.lastIndexOf("\n", whole.length - 2) + 1
      FS.truncateSync(path, cut)
      assert.strictEqual(yield* unsettled(path), whole.length - cut)
      assert.strictEqual(FS.statSync(path).size, cut)
      const locked = Layer.map(disk, (context) =>
        Context.add(context, LogDisk, {
          ...Context.get(context, LogDisk),
          lock: () =>
            new LogDiskError({ path, operation: "lock", code: "EROFS", detail: "EROFS: read-only file system" })
        })
      )
      yield* Effect.scoped(Effect.flatMap(live(path, locked), (store) => store.verify()))
      assert.strictEqual(yield* unsettled(path), whole.length - cut)
      assert.deepStrictEqual(yield* kept(path), ids(12))
      assert.strictEqual(yield* unsettled(path), 0)
    })
  )

  it.scopedLive("of another file, or that is none, has nothing of the log", () =>
    Effect.gen(function* () {
      const path = yield* place
      yield* left(path, 8)
      const text = FS.readFileSync(path, "utf8")
      FS.writeFileSync(`${path}.edited`, text.slice(0, text.indexOf("\n") + 1))
      FS.renameSync(`${path}.edited`, path)
      assert.strictEqual(yield* unsettled(path), 0)
      FS.writeFileSync(`${path}.journal`, "notes of my own")
      assert.strictEqual(yield* unsettled(path), 0)
    })
  )

  it.scopedLive("is made by who adds often, readable by the user alone, and gone when the memory is closed", () =>
    Effect.gen(function* () {
      const path = yield* place
      const { scope, store } = yield* opened(path)
      for (const id of ids(2)) yield* store.append(reflection({ id }))
      assert.isFalse(FS.existsSync(`${path}.journal`))
      for (const id of ids(40, 2)) yield* store.append(reflection({ id }))
      assert.strictEqual(FS.statSync(`${path}.journal`).mode & 0o777, 0o600)
      assert.lengthOf(FS.readFileSync(path, "utf8").split("\n"), 43)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(FS.readdirSync(join(path, "..")), ["reflections.jsonl"])
      assert.deepStrictEqual(yield* kept(path), ids(42))
    })
  )

  it.scopedLive("has what the log lost in a power cut, wherever that was cut and whatever stands there instead", () =>
    property(
      FastCheck.record({ cut: share, zeros: FastCheck.boolean(), after: FastCheck.boolean() }),
      60,
      ({ after, cut, zeros }) =>
        Effect.gen(function* () {
          const path = yield* place
          yield* left(path, 12)
          const size = FS.statSync(path).size
          const from = synced(path)
          // At least a byte is lost: a log that has all of it is left as it is, and so is what stands behind it.
          FS.truncateSync(path, from + Math.floor(cut * (size - 1 - from)))
          if (zeros) FS.appendFileSync(path, Buffer.alloc(200))
          if (after) FS.appendFileSync(path, `\n${JSON.stringify(reflection({ id: "hook" }))}\n`)
          assert.sameMembers([...(yield* kept(path))], [...ids(12), ...(after ? ["hook"] : [])])
          assert.isFalse(FS.existsSync(`${path}.journal`))
        })
    )
  )

  it.scopedLive("that is damaged does no harm", () =>
    property(
      FastCheck.array(FastCheck.tuple(share, FastCheck.nat(255)), { minLength: 1, maxLength: 40 }),
      60,
      (bytes) =>
        Effect.gen(function* () {
          const path = yield* place
          const journal = yield* left(path, 8)
          for (const [where, byte] of bytes) journal[Math.floor(where * 6000)] = byte
          FS.writeFileSync(`${path}.journal`, journal)
          const before = FS.readFileSync(path)
          assert.deepStrictEqual(yield* kept(path), ids(8))
          assert.isTrue(before.equals(FS.readFileSync(path)))
        })
    )
  )

  it.scopedLive("of another file brings nothing back that was taken out", () =>
    Effect.gen(function* () {
      const path = yield* place
      yield* left(path, 8)
      const lines = FS.readFileSync(path, "utf8").split("\n")
      FS.writeFileSync(`${path}.edited`, [...lines.slice(0, 5), ""].join("\n"))
      FS.renameSync(`${path}.edited`, path)
      assert.deepStrictEqual(yield* kept(path), ids(5))
    })
  )

  it.scopedLive("ends where the memory is pruned", () =>
    Effect.gen(function* () {
      const path = yield* place
      const { scope, store } = yield* opened(path)
      for (const id of ids(8)) yield* store.append(reflection({ id }))
      yield* store.prune({ where: ({ id }) => id === "r7" })
      assert.isFalse(FS.existsSync(`${path}.journal`))
      for (const id of ids(8, 8)) yield* store.append(reflection({ id }))
      assert.isTrue(FS.existsSync(`${path}.journal`))
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* kept(path), [...ids(7), ...ids(8, 8)])
    })
  )

  it.scopedLive("is shared: what one process settles, another begins anew", () =>
    Effect.gen(function* () {
      const path = yield* place
      const [one, other] = [yield* opened(path), yield* opened(path)]
      for (const id of ids(30)) yield* (Number(id.slice(1)) % 2 === 0 ? one : other).store.append(reflection({ id }))
      yield* Scope.close(one.scope, Exit.void)
      for (const id of ids(30, 30)) yield* other.store.append(reflection({ id }))
      const from = synced(path)
      assert.isAbove(from, 0)
      assert.isTrue(FS.existsSync(`${path}.journal`))
      yield* Scope.close(other.scope, Exit.void)
      assert.deepStrictEqual(yield* kept(path), ids(60))
    })
  )

  it.scopedLive("is not made where something else stands, which stays as it is", () =>
    Effect.gen(function* () {
      const things: Record<string, (path: string) => void> = {
        link: (path) => FS.symlinkSync(`${path}.elsewhere`, `${path}.journal`),
        folder: (path) => FS.mkdirSync(`${path}.journal`),
        file: (path) => FS.writeFileSync(`${path}.journal`, "what somebody wrote\n")
      }
      for (const [name, put] of Object.entries(things)) {
        const path = yield* place
        FS.writeFileSync(`${path}.elsewhere`, "elsewhere")
        put(path)
        const { scope, store } = yield* opened(path)
        for (const id of ids(8)) yield* store.append(reflection({ id }))
        yield* store.prune({ where: ({ id }) => id === "r7" })
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(yield* kept(path), ids(7), name)
        assert.strictEqual(FS.readFileSync(`${path}.elsewhere`, "utf8"), "elsewhere")
        if (name === "file") assert.strictEqual(FS.readFileSync(`${path}.journal`, "utf8"), "what somebody wrote\n")
        else assert.isDefined(FS.lstatSync(`${path}.journal`, { throwIfNoEntry: false }))
        assert.isFalse(FS.existsSync(AppendLog.tornOf(path)))
      }
    })
  )
})
