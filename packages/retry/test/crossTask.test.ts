import { assert, it } from "@effect/vitest"
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflectionService } from "@reflexion/core/ReflectionService"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { Effect, Layer } from "effect"
import { list, pairs } from "../../core/test/support/rows.ts"
import * as Reflexion from "../src/Reflexion.ts"
import { learned } from "./learned.ts"

const lesson = (id: string, analysis: string, suggestion: string): Reflection =>
  learned(id, { taskId: `task of ${id}`, subtaskId: id, analysis, suggestion, tags: [] })

/** Twenty lessons of one pattern: the words that they share identify none of them. */
const moulded = list`
  billing export ¦ date parser ¦ image cache ¦ search ranking ¦ email sender ¦ queue worker ¦ session store ¦ login page ¦ rate limiter
  pdf renderer ¦ csv import ¦ audit log ¦ webhook signature ¦ feature flag ¦ backup job ¦ metrics endpoint ¦ translation file ¦ dark mode
  payment refund ¦ file upload
`.map((name) =>
  lesson(
    name.replace(" ", "-"),
    `The ${name} was not called where the record was written.`,
    `Call the ${name} after the write and check its return value.`
  )
)

const own = [
  lesson(
    "cart",
    "Take ten percent off carts of 100 and more: the border of exactly 100 was left out.",
    "Compare with >= in the discount, so that carts of exactly 100 get their ten percent off."
  ),
  lesson(
    "session-cookie",
    "The session cookie was set without SameSite, so the login redirect of the browser lost it.",
    "Set SameSite=Lax on the session cookie before the login redirect."
  ),
  lesson(
    "migration",
    "The migration added a NOT NULL column without a default, so Postgres rejected it on the orders table.",
    "Add the column of the orders table with a default, fill it, then set NOT NULL in a second migration."
  )
]

const all = [...moulded, ...own]

const given = (known: ReadonlyArray<Reflection>, description: string) =>
  Effect.gen(function* () {
    yield* (yield* ReflexionStore).append(known)
    const { reflections } = yield* Reflexion.beforeAttempt({ taskId: "t", subtaskId: "t/1", description })
    return reflections.map(({ id }) => id)
  }).pipe(Effect.provide(Layer.provideMerge(ReflectionService.Heuristic, ReflexionStore.Memory)))

it.effect.each(list`
  Write a parser for GraphQL schemas ¦ Migrate the frontend build from webpack to vite; keep dark mode ¦ Make the tests pass ¦ Cookie
  Fix the parser of Markdown headings and make sure the tests pass. ¦ Add an orders page with infinite scrolling
  Check the return value of malloc in the allocator
`)("an unrelated task gets no lessons of other tasks: %s", (description) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* given(all, description), [])
    for (const one of all) assert.deepStrictEqual(yield* given([one], description), [], one.id)
  })
)

it.effect.each(pairs`
  cart :: Take ten percent off carts of 100 and more.
  cart :: Give a discount of ten percent to carts of exactly 100 and more
  session-cookie :: Keep the session cookie over the login redirect
  migration :: Write a migration that adds a NOT NULL column to the orders table in Postgres
  date-parser :: Call the date parser after each write of a record
  payment-refund :: Payment refund: call it after the record is written
`)("a related task gets the other task's lesson: %s", ([id, description]) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* given(all, description), [id])
    assert.deepStrictEqual(
      yield* given(
        all.filter((one) => one.id === id),
        description
      ),
      [id]
    )
  })
)
