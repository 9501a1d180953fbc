/** The database finds what a search through all lessons finds. */
import { assert, it } from "@effect/vitest"
import * as Queries from "@reflexion/core/internal/memory/store/Queries"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { ReflexionStorePostgres } from "@reflexion/postgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, Layer } from "effect"
import { generator } from "./support/manyLessons.ts"
import { clientOf, schema } from "./support/places.ts"

const [size, questions] = process.env["REFLEXION_TESTS"] === "night" ? [100_000, 60] : [4000, 40]

const idsOf = (found: ReadonlyArray<Queries.RecalledLesson>) => found.map(({ reflection }) => reflection.id)

it.scopedLive("a task's own lesson is found behind more foreign lessons than the search reads", () =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.provideMerge(ReflexionStorePostgres.layer, clientOf(yield* schema)))
    const [store, sql] = [Context.get(context, ReflexionStore), Context.get(context, PgClient.PgClient)]
    const one = generator(7).lesson(0)
    yield* store.append({ ...one, id: "first", taskId: "other" })
    yield* sql`
      insert into reflexion_lessons (id, task_id, subtask_id, attempt_number, category, record, said, length, terms)
      select 'l' || at, task_id, subtask_id, attempt_number, category, record, said, length, terms
      from reflexion_lessons, generate_series(1, 10000) as at`
    yield* store.append({ ...one, id: "last", taskId: "own" })
    assert.deepStrictEqual(idsOf(yield* store.similar(one.suggestion, { taskId: "own" })), ["last"])
  })
)

it.scopedLive(
  `among ${size} lessons, nine of ten of the best five are found`,
  () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Layer.provideMerge(ReflexionStorePostgres.layer, clientOf(yield* schema)))
      const [store, sql] = [Context.get(context, ReflexionStore), Context.get(context, PgClient.PgClient)]
      const { lesson, pick, question } = generator(7)
      const lessons = Array.from({ length: size }, (_, index) => lesson(index))
      for (let from = 0; from < size; from += 1000) yield* store.append(lessons.slice(from, from + 1000))
      yield* sql`analyze reflexion_lessons`
      const content = { ...Queries.empty(), lessons: new Map(lessons.map((one) => [one.id, one])) }
      let [same, of] = [0, 0]
      const took: Array<number> = []
      for (let count = 0; count < questions; count += 1) {
        const asked = question(pick(lessons) ?? lesson(0))
        const exact = idsOf(Queries.similar(content, asked, { limit: 5 }))
        const from = performance.now()
        const found = new Set(idsOf(yield* store.similar(asked)))
        took.push(performance.now() - from)
        same += exact.filter((id) => found.has(id)).length
        of += exact.length
      }
      const median = took.toSorted((one, other) => one - other)[took.length >> 1] ?? 0
      process.stdout.write(
        `${size} lessons: ${((100 * same) / of).toFixed(1)} % of the best five, median ${median.toFixed(0)} ms\n`
      )
      assert.isAtLeast(same / of, 0.9)
    }),
  3_600_000
)
