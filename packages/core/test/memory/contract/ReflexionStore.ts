/** What every store of reflections does, whatever keeps them. */
import { assert, describe, it } from "@effect/vitest"
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { anyReflection, key, reflection } from "../../support/reflections.ts"
import { type Backend, opened } from "./Backend.ts"

const ids = (reflections: ReadonlyArray<Reflection>): ReadonlyArray<string> => reflections.map(({ id }) => id)

/** What a store has to do, said as plainly as can be. */
const model = () => {
  let all: ReadonlyArray<Reflection> = []
  const alive = (): ReadonlyArray<Reflection> =>
    all.filter(({ id }, index) => all.findLastIndex((other) => other.id === id) === index)
  return {
    append: (more: ReadonlyArray<Reflection>) => {
      all = [...all, ...more]
    },
    get: (id: string) => alive().find((one) => one.id === id) ?? null,
    getRecent: (subtaskId: string, limit: number) =>
      alive()
        .map((one, index) => ({ one, index }))
        .filter(({ one }) => one.subtaskId === subtaskId)
        .toSorted((left, right) => right.one.attemptNumber - left.one.attemptNumber || right.index - left.index)
        .slice(0, limit)
        .map(({ one }) => one),
    getForTask: (taskId: string) => alive().filter((one) => one.taskId === taskId),
    prune: (where: (one: Reflection) => boolean) => {
      const before = alive()
      all = before.filter((one) => !where(one))
      return before.length - all.length
    },
    all: alive
  }
}

type Operation =
  | { readonly _tag: "append"; readonly reflections: ReadonlyArray<Reflection> }
  | { readonly _tag: "recent"; readonly subtaskId: string; readonly limit: number }
  | { readonly _tag: "task"; readonly taskId: string }
  | { readonly _tag: "get"; readonly id: string }
  | { readonly _tag: "prune"; readonly taskId: string }
  | { readonly _tag: "reopen" | "stream" }

const operation: FastCheck.Arbitrary<Operation> = FastCheck.oneof(
  FastCheck.record({
    _tag: FastCheck.constant("append" as const),
    reflections: FastCheck.array(anyReflection, { minLength: 1, maxLength: 4 })
  }),
  FastCheck.record({
    _tag: FastCheck.constant("recent" as const),
    subtaskId: key,
    limit: FastCheck.integer({ min: 0, max: 4 })
  }),
  FastCheck.record({ _tag: FastCheck.constant("task" as const), taskId: key }),
  FastCheck.record({
    _tag: FastCheck.constant("get" as const),
    id: FastCheck.constantFrom("r1", 'r"6', "r\\7", "none")
  }),
  FastCheck.record({ _tag: FastCheck.constant("prune" as const), taskId: key }),
  FastCheck.constantFrom<Operation>({ _tag: "reopen" }, { _tag: "stream" })
)

/** A word of its own for each number. */
const wordOf = (index: number): string => `name${index}`.replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")

const about = (id: string, suggestion: string) => reflection({ id, suggestion, actionItems: [], tags: [] })

const attemptOf = (index: number, subtaskId: string) =>
  reflection({ id: `r${index}`, subtaskId, attemptNumber: Math.floor(index / 2) + 1 })

export const contract = <E>(backend: Backend<ReflexionStore, E>): void => {
  describe(`the store: ${backend.name}`, () => {
    const open = Effect.map(opened(backend, ReflexionStore), ({ again, first: store }) => ({ again, store }))

    it.scoped("gives back what was appended, one or many", () =>
      Effect.gen(function* () {
        const { again, store } = yield* open
        yield* store.append(reflection({ id: "r1" }))
        yield* store.append([reflection({ id: "r2", attemptNumber: 2 }), reflection({ id: "r3", attemptNumber: 3 })])
        yield* store.append([])
        assert.deepStrictEqual(yield* store.get("r1"), reflection({ id: "r1" }))
        assert.deepStrictEqual(ids(yield* store.getRecent("subtask-1")), ["r3", "r2", "r1"])
        assert.deepStrictEqual(ids(yield* (yield* again).getRecent("subtask-1", 1)), ["r3"])
        assert.deepStrictEqual(ids(yield* store.getForTask("task-1")), ["r1", "r2", "r3"])
        assert.deepStrictEqual(yield* store.getRecent("subtask-2"), [])
      })
    )

    it.scoped("finds the newest of many, near each other and far apart, and what was replaced long ago", () =>
      Effect.gen(function* () {
        const { again, store } = yield* open
        const all = Array.from({ length: 400 }, (_, index) =>
          attemptOf(index, index < 6 ? "first" : index % 100 === 0 ? "rare" : `of ${index % 7}`)
        )
        yield* store.append(all)
        yield* store.append([reflection({ ...attemptOf(100, "rare"), analysis: "again" }), attemptOf(5, "moved")])
        for (const one of [store, yield* again]) {
          assert.deepStrictEqual(ids(yield* one.getRecent("rare", 9)), ["r300", "r200", "r100"])
          assert.deepStrictEqual(ids(yield* one.getRecent("rare", 2)), ["r300", "r200"])
          assert.deepStrictEqual(ids(yield* one.getRecent("first", 2)), ["r4", "r3"])
          assert.deepStrictEqual(ids(yield* one.getRecent("of 6", 2)), ["r398", "r391"])
          assert.deepStrictEqual(ids(yield* one.getRecent("moved")), ["r5"])
          assert.strictEqual((yield* one.get("r100")).analysis, "again")
          assert.strictEqual((yield* one.getForTask("task-1")).length, 400)
        }
      })
    )

    it.scoped("says that there is no such reflection", () =>
      Effect.gen(function* () {
        const { store } = yield* open
        const failed = yield* Effect.flip(store.get("r9"))
        assert.strictEqual(failed.reason, "not_found")
        assert.include(failed.message, "r9")
        assert.strictEqual((yield* Effect.flip(store.recordUse({ reflectionIds: ["r9"] }))).reason, "not_found")
        const outcome = store.recordOutcome({ reflectionIds: ["r9"], success: true })
        assert.strictEqual((yield* Effect.flip(outcome)).reason, "not_found")
      })
    )

    it.scoped("keeps no secret", () =>
      Effect.gen(function* () {
        const { store } = yield* open
        const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`
        yield* store.append(
          reflection({
            id: "r1",
            analysis: `The token ${secret} was refused.`,
            actionItems: [secret],
            tags: [secret],
            model: secret
          })
        )
        assert.notInclude(JSON.stringify(yield* store.get("r1")), secret)
      })
    )

    it.scoped("does what a plain list does", () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(FastCheck.array(operation, { minLength: 5, maxLength: 30 }), (operations) => {
            const run = Effect.gen(function* () {
              const opened = yield* open
              let { store } = opened
              const expected = model()
              for (const one of operations) {
                switch (one._tag) {
                  case "append":
                    yield* store.append(one.reflections)
                    expected.append(one.reflections)
                    break
                  case "recent":
                    assert.deepStrictEqual(
                      yield* store.getRecent(one.subtaskId, one.limit),
                      expected.getRecent(one.subtaskId, one.limit)
                    )
                    break
                  case "task":
                    assert.deepStrictEqual(yield* store.getForTask(one.taskId), expected.getForTask(one.taskId))
                    break
                  case "get":
                    assert.deepStrictEqual(
                      yield* Effect.orElseSucceed(store.get(one.id), () => null),
                      expected.get(one.id)
                    )
                    break
                  case "prune": {
                    const where = ({ taskId }: Reflection): boolean => taskId === one.taskId
                    assert.strictEqual(yield* store.prune({ where }), expected.prune(where))
                    break
                  }
                  case "reopen":
                    store = yield* opened.again
                    break
                  case "stream":
                    assert.deepStrictEqual([...(yield* Stream.runCollect(store.stream))], expected.all())
                }
              }
              assert.strictEqual(yield* store.unreadable, 0)
              assert.strictEqual((yield* store.stats).reflections, expected.all().length)
            })
            return Effect.runPromise(Effect.scoped(run))
          }),
          { numRuns: 20 }
        )
      )
    )

    it.scoped("forgets what is older, and what speaks of nothing else", () =>
      Effect.gen(function* () {
        const { store } = yield* open
        yield* TestClock.setTime(Date.parse("2026-03-31T10:00:00.000Z"))
        yield* store.append([
          reflection({ id: "old", createdAt: "2026-02-01T10:00:00.000Z" }),
          reflection({ id: "new", createdAt: "2026-03-20T10:00:00.000Z" }),
          reflection({ id: "undated", createdAt: "yesterday" })
        ])
        yield* store.recordUse({ reflectionIds: ["old"] })
        yield* store.recordUse({ reflectionIds: ["old", "new"] })
        assert.strictEqual(yield* store.prune({ maxAge: "90 days" }), 0)
        assert.strictEqual(yield* store.prune({ maxAge: "30 days" }), 1)
        assert.deepStrictEqual(ids(yield* store.getForTask("task-1")), ["new", "undated"])
        assert.deepInclude((yield* store.stats).all, { of: 2, injected: 1 })
        assert.strictEqual(yield* store.prune({ maxAge: "30 days" }), 0)
      })
    )

    it.scoped("counts what came of its advice", () =>
      Effect.gen(function* () {
        const { again, store } = yield* open
        yield* store.append([
          reflection({ id: "good", category: "edge_case", source: "model" }),
          reflection({ id: "bad", category: "environment", source: null })
        ])
        for (const attemptNumber of [1, 2, 3]) {
          yield* store.recordUse({ reflectionIds: ["good", "bad"], attemptNumber })
          yield* store.recordOutcome({ reflectionIds: ["good"], success: true, attemptNumber })
          yield* store.recordOutcome({ reflectionIds: ["bad"], success: false, attemptNumber })
        }
        yield* store.recordUse({ reflectionIds: ["good"], kind: "used" })
        yield* store.recordOutcome({ reflectionIds: [], success: false })
        const { all, categories, sources, without } = yield* (yield* again).stats
        assert.deepInclude(categories["edge_case"], { of: 1, injected: 3, used: 1, succeeded: 3, failed: 0 })
        assert.deepInclude(sources["unknown"], { of: 1, injected: 3, used: 0, succeeded: 0, failed: 3 })
        assert.deepInclude(all, { of: 2, succeeded: 3, failed: 3 })
        assert.strictEqual(categories["edge_case"]?.rate, 1)
        assert.deepInclude(without, { succeeded: 0, failed: 1 })
      })
    )

    it.scoped("finds what fits, and says why", () =>
      Effect.gen(function* () {
        const { store } = yield* open
        yield* TestClock.setTime(Date.parse("2026-03-02T10:00:00.000Z"))
        yield* store.append([
          reflection({ id: "cart" }),
          reflection({
            id: "import",
            taskId: "task-2",
            category: "missing_context",
            analysis: "`findOrder` was imported from src/orders.js, which exports `find_order`.",
            suggestion: "Import the name that the module exports.",
            actionItems: [],
            tags: ["ERR_MODULE_NOT_FOUND"]
          }),
          reflection({ id: "port", analysis: "Port 3000 was taken.", suggestion: "Take a free port.", actionItems: [] })
        ])
        const [first, ...rest] = yield* store.similar(
          "SyntaxError: orders.js does not provide an export named findOrder"
        )
        assert.strictEqual(first?.reflection.id, "import")
        assert.includeMembers([...(first?.terms ?? [])], ["findorder", "export"])
        assert.isTrue(rest.every(({ score }) => score <= (first?.score ?? 0)))
        assert.closeTo(first?.score ?? 0, (first?.similarity ?? 0) * 2 * 0.5, 1e-9)
        const elsewhere = yield* store.similar("findOrder export", { exceptTaskId: "task-2" })
        assert.notInclude(
          elsewhere.map(({ reflection }) => reflection.id),
          "import"
        )
        assert.deepStrictEqual(yield* store.similar("", {}), [])
        assert.deepStrictEqual(yield* store.similar("zzz qqq"), [])
      })
    )

    it.scoped("lets harmful advice sink, proven advice rise, and says once what is said twice", () =>
      Effect.gen(function* () {
        const { store } = yield* open
        yield* TestClock.setTime(Date.parse("2026-03-02T10:00:00.000Z"))
        yield* store.append([
          about("plain", "Round the total of the cart at the end."),
          about("harmful", "Round the total of the cart before the discount is computed, price by price."),
          about("proven", "Keep cents as whole numbers in the cart and divide only where the total is shown."),
          about("again", "Round the total of the cart at the end!")
        ])
        for (const attemptNumber of [1, 2, 3]) {
          yield* store.recordOutcome({ reflectionIds: ["harmful"], success: false, attemptNumber })
          yield* store.recordOutcome({ reflectionIds: ["proven"], success: true, attemptNumber })
        }
        const found = yield* store.similar("total of the cart")
        const of = (id: string) => found.find(({ reflection }) => reflection.id === id)
        assert.isAbove(of("proven")?.helpfulness ?? 0, 0.6)
        assert.isBelow(of("harmful")?.helpfulness ?? 1, 0.4)
        assert.strictEqual(ids(found.map(({ reflection }) => reflection)).at(-1), "harmful")
        assert.lengthOf(found, 3)
      })
    )

    it.scoped("finds others behind many of the task's own, and behind many that say the same", () =>
      Effect.gen(function* () {
        const { store } = yield* open
        const own = Array.from({ length: 70 }, (_, index) => ({
          ...about(`own${index}`, "cart discount border"),
          taskId: "mine",
          analysis: `cart discount border ${wordOf(index)} ${wordOf(index + 100)} ${wordOf(index + 200)}`
        }))
        const other = {
          ...about("other", "Compare so that the cart has its discount at the border."),
          taskId: "theirs"
        }
        yield* store.append([...own, other])
        const [found] = yield* store.similar("cart discount border", { exceptTaskId: "mine" })
        assert.strictEqual(found?.reflection.id, "other")
        yield* store.append(
          Array.from({ length: 200 }, (_, index) => about(`same${index}`, "Rounding comes first, rounding comes last."))
        )
        yield* store.append(about("else", "Where prices of three currencies meet, the rounding is that of the order."))
        const rounded = yield* store.similar("rounding comes", {}, 2)
        assert.deepStrictEqual(ids(rounded.map(({ reflection }) => reflection)), ["same199", "else"])
      })
    )

    it.scoped("keeps lessons apart that are written in no Latin letters, and finds them", () =>
      Effect.gen(function* () {
        const { store } = yield* open
        yield* store.append([
          reflection({ id: "pool", analysis: "测试超时，因为连接池没有关闭。", suggestion: "在 afterAll 里关闭它。" }),
          reflection({ id: "price", analysis: "折扣算反了。", suggestion: "先乘后减。" }),
          reflection({ id: "path", analysis: "路径写错了。", suggestion: "用绝对路径。" })
        ])
        const found = yield* store.similar("连接池关闭了，折扣算错，绝对路径")
        assert.sameMembers([...ids(found.map(({ reflection }) => reflection))], ["pool", "price", "path"])
        assert.deepStrictEqual(ids((yield* store.similar("折扣算反", {}, 1)).map((one) => one.reflection)), ["price"])
      })
    )

    it.scoped("has one record of what is appended twice, by several at once", () =>
      Effect.gen(function* () {
        const { again, store } = yield* open
        const stores = [store, yield* again, yield* again]
        yield* Effect.forEach(stores, ({ append }) => append(["r1", "r2"].map((id) => reflection({ id }))), {
          concurrency: "unbounded"
        })
        for (const one of stores) {
          assert.sameMembers([...ids(yield* one.getForTask("task-1"))], ["r1", "r2"])
          assert.strictEqual((yield* one.stats).reflections, 2)
        }
      })
    )

    it.scoped("replaces a lesson by its edit, and tells nobody of a resolved one", () =>
      Effect.gen(function* () {
        const { again, store } = yield* open
        yield* store.append([reflection({ id: "r1" }), about("r2", "Round once.")])
        yield* store.recordOutcome({ reflectionIds: ["r1"], success: true })
        yield* store.append({ ...(yield* store.get("r1")), analysis: "The total was rounded twice.", source: "human" })
        yield* store.append(RetryPrompt.resolve(yield* store.get("r2")))
        const other = yield* again
        const edited = yield* other.get("r1")
        assert.deepInclude(edited, { analysis: "The total was rounded twice.", source: "human" })
        assert.deepStrictEqual(RetryPrompt.select(yield* other.getRecent("subtask-1")), [edited])
        assert.deepInclude((yield* other.stats).all, { of: 2, succeeded: 1 })
      })
    )

    it.scoped("loses nothing of what sixteen write at once", () =>
      Effect.gen(function* () {
        const { again, store } = yield* open
        const writers = yield* Effect.replicateEffect(again, 16)
        yield* Effect.forEach(
          writers,
          ({ append }, writer) =>
            Effect.forEach([1, 2, 3, 4, 5], (attemptNumber) =>
              append(reflection({ id: `w${writer}-${attemptNumber}`, subtaskId: `s${writer}`, attemptNumber }))
            ),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(yield* store.getForTask("task-1"), 80)
        for (const writer of writers.keys())
          assert.deepStrictEqual(
            ids(yield* store.getRecent(`s${writer}`, 5)),
            [5, 4, 3, 2, 1].map((attempt) => `w${writer}-${attempt}`)
          )
      })
    )
  })
}
