import { assert, describe } from "@effect/vitest"
import * as Reflection from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { Effect, FastCheck as fc, Stream, TestClock } from "effect"
import { bare as reflection } from "./bare.ts"
import { opened, type Place } from "./stores.ts"
import { works } from "./works.ts"

type Lessons = ReadonlyArray<Reflection.Reflection>

export const ids = (reflections: Lessons): ReadonlyArray<string> => reflections.map(({ id }) => id)

const said = (recalled: ReadonlyArray<{ readonly reflection: Reflection.Reflection }>) =>
  ids(recalled.map((one) => one.reflection))

/** Texts that are no valid Unicode or that some databases refuse, and what a store could replace them by. */
const strange = ["nul\0", "half\ud83d", "\u001a0000", "\\u001a0000"]
const word = fc.constantFrom("cart", "rounding", "ä€😀", 'quo"te', "back\\slash", "line\nbreak", ...strange)
const sentence = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))
const key = fc.constantFrom("a", "ä", 'c"d', "g\nh", "", "n\0")

const anyReflection = fc.record({
  id: fc.constantFrom("r1", "r2", "r\0", 'r"6', "r\\7"),
  sessionId: key,
  taskId: key,
  subtaskId: key,
  attemptNumber: fc.integer({ min: 1, max: 4 }),
  category: fc.constantFrom(...Reflection.Category.literals),
  analysis: sentence,
  suggestion: sentence,
  actionItems: fc.array(sentence, { maxLength: 2 }),
  confidence: fc.constantFrom(0, 0.25, 1),
  createdAt: fc.constantFrom("2026-01-01T00:00:00.000Z", "some day"),
  source: fc.constantFrom(null, ...Reflection.Source.literals),
  model: fc.constantFrom(null, "openai/gpt-5"),
  tags: fc.array(word, { maxLength: 2 })
}) satisfies fc.Arbitrary<Reflection.Reflection>

const operation = fc.oneof(
  fc.record({ add: fc.array(anyReflection, { minLength: 1, maxLength: 4 }) }),
  fc.record({ forget: key }),
  fc.constant({ reopen: true } as const)
)

type Operation = typeof operation extends fc.Arbitrary<infer A> ? A : never

const wordOf = (index: number): string => `name${index}`.replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")

const about = (id: string, suggestion: string, more: Partial<Reflection.Reflection> = {}) =>
  reflection({ id, suggestion, actionItems: [], tags: [], ...more })

const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`

export const contract = <E>(name: string, place: Place<ReflexionStore, E>): void => {
  describe(`ReflexionStore.${name}`, () => {
    const open = Effect.map(opened(place, ReflexionStore), ({ again, first: store }) => ({ again, store }))

    works("finds a lesson by its id, keeps no secret, and names an unknown id", function* () {
      const { store } = yield* open
      yield* store.append([])
      yield* store.append(reflection({ id: "x", analysis: `token ${secret}` }))
      const kept = yield* store.get("x")
      assert.deepStrictEqual(kept, reflection({ id: "x", analysis: kept.analysis }))
      assert.notInclude(kept.analysis, secret)
      assert.deepStrictEqual(yield* store.getRecent("subtask-2"), [])
      for (const asked of [
        store.get("r9"),
        store.recordUse({ reflectionIds: ["r9"] }),
        store.recordOutcome({ reflectionIds: ["r9"], success: true })
      ]) {
        const failed = yield* Effect.flip(asked)
        assert.deepStrictEqual([failed.reason, failed.message.includes("r9")], ["not_found", true])
      }
    })

    const law = (operations: ReadonlyArray<Operation>) =>
      Effect.gen(function* () {
        const { again, store: first } = yield* open
        let store = first
        let all: Lessons = []
        for (const one of operations) {
          if ("add" in one) {
            yield* store.append(one.add)
            for (const added of one.add) all = [...all.filter(({ id }) => id !== added.id), added]
          } else if ("forget" in one) {
            const where = ({ taskId }: Reflection.Reflection): boolean => taskId === one.forget
            assert.strictEqual(yield* store.prune({ where }), all.filter(where).length)
            all = all.filter((other) => !where(other))
          } else store = yield* again
          assert.deepStrictEqual([...(yield* Stream.runCollect(store.stream))], all)
        }
        for (const { subtaskId, taskId } of all) {
          const ofTask = all.filter((other) => other.taskId === taskId)
          assert.deepStrictEqual(yield* store.getForTask(taskId), ofTask)
          const recent = all.filter((other) => other.subtaskId === subtaskId).toReversed()
          const newest = recent.toSorted((left, right) => right.attemptNumber - left.attemptNumber).slice(0, 2)
          assert.deepStrictEqual(yield* store.getRecent(subtaskId, 2), newest)
        }
        assert.strictEqual(yield* store.unreadable, 0)
        assert.strictEqual((yield* store.stats).reflections, all.length)
      })

    works("behaves like a plain list, also when it is opened again", function* () {
      const lawful = fc.asyncProperty(fc.array(operation, { maxLength: 12 }), (given) =>
        Effect.runPromise(Effect.scoped(law(given)))
      )
      yield* Effect.promise(() => fc.assert(lawful, { numRuns: 20 }))
    })

    works("pruning deletes old lessons, and events about them alone", function* () {
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

    works("counts outcomes by category and source, and outcomes of attempts without lessons", function* () {
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
      // An edit of a lesson keeps its outcomes.
      yield* store.append({ ...(yield* store.get("good")), analysis: "The total was rounded twice." })
      yield* store.recordOutcome({ reflectionIds: [], success: false })
      const { all, categories, sources, without } = yield* (yield* again).stats
      assert.deepInclude(categories["edge_case"], { of: 1, injected: 3, used: 1, succeeded: 3, failed: 0, rate: 1 })
      assert.deepInclude(sources["unknown"], { of: 1, injected: 3, used: 0, succeeded: 0, failed: 3 })
      assert.deepInclude(all, { of: 2, succeeded: 3, failed: 3 })
      assert.deepInclude(without, { succeeded: 0, failed: 1 })
    })

    works("finds similar lessons in any script, with the matching terms, without the asking task's", function* () {
      const { store } = yield* open
      yield* store.append([
        reflection({ id: "cart" }),
        about("import", "Import the name that the module exports.", {
          taskId: "task-2",
          analysis: "`findOrder` was imported from src/orders.js, which exports `find_order`.",
          tags: ["ERR_MODULE_NOT_FOUND"]
        }),
        about("port", "Take a free port.", { analysis: "Port 3000 was taken." }),
        about("pool", "在 afterAll 里关闭它。", { analysis: "测试超时，因为连接池没有关闭。" }),
        about("price", "先乘后减。", { analysis: "折扣算反了。" })
      ])
      const [first, ...rest] = yield* store.similar("orders.js does not provide an export named findOrder")
      assert.strictEqual(first?.reflection.id, "import")
      assert.includeMembers([...(first?.terms ?? [])], ["findorder", "export"])
      assert.isTrue(rest.every(({ score }) => score <= (first?.score ?? 0)))
      assert.closeTo(first?.score ?? 0, (first?.similarity ?? 0) * 2 * 0.5, 1e-9)
      const elsewhere = yield* store.similar("findOrder export", { exceptTaskId: "task-2" })
      assert.notInclude(said(elsewhere), "import")
      assert.sameMembers([...said(yield* store.similar("连接池关闭了，折扣算错"))], ["pool", "price"])
      assert.deepStrictEqual([...(yield* store.similar("", {})), ...(yield* store.similar("zzz qqq"))], [])
    })

    works("ranks proven lessons up and harmful lessons down, and gives duplicates once", function* () {
      const { store } = yield* open
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
      const of = (id: string) => found.find((one) => one.reflection.id === id)
      assert.isAbove(of("proven")?.helpfulness ?? 0, 0.6)
      assert.isBelow(of("harmful")?.helpfulness ?? 1, 0.4)
      assert.strictEqual(said(found).at(-1), "harmful")
      assert.lengthOf(found, 3)
    })

    works("finds a lesson behind many of the asking task's own, and behind many duplicates", function* () {
      const { store } = yield* open
      const own = Array.from({ length: 70 }, (_, index) =>
        about(`own${index}`, "cart discount border", {
          taskId: "mine",
          analysis: `cart discount border ${wordOf(index)} ${wordOf(index + 100)} ${wordOf(index + 200)}`
        })
      )
      yield* store.append([...own, about("other", "The cart has its discount at the border.", { taskId: "theirs" })])
      assert.strictEqual(said(yield* store.similar("cart discount border", { exceptTaskId: "mine" }))[0], "other")
      yield* store.append(
        Array.from({ length: 200 }, (_, index) => about(`same${index}`, "Rounding comes first, rounding comes last."))
      )
      yield* store.append(about("else", "Where prices of three currencies meet, the rounding is that of the order."))
      assert.deepStrictEqual(said(yield* store.similar("rounding comes", {}, 2)), ["same199", "else"])
    })

    works("sixteen writers at once lose no lesson", function* () {
      const { again, store } = yield* open
      yield* Effect.forEach(
        yield* Effect.replicateEffect(again, 16),
        ({ append }, writer) =>
          Effect.forEach([1, 2, 3], (attemptNumber) =>
            append(reflection({ id: `w${writer}-${attemptNumber}`, subtaskId: `s${writer}`, attemptNumber }))
          ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(yield* store.getForTask("task-1"), 48)
    })
  })
}
