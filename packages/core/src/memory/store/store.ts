/** The service over whatever keeps the records. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Reflection from "../lessons/Reflection.ts"
import { ReflectionError } from "../lessons/ReflectionError.ts"
import type { Fold, Format, Records } from "../log/Records.ts"
import type { StorageError } from "../log/StorageError.ts"
import * as Effectiveness from "./Effectiveness.ts"
import { MemoryEvent } from "./MemoryEvent.ts"
import { clean, gone, isEvent, older, read, replacedIn, type Row } from "./MemoryLine.ts"
import type { Filters, OutcomeInput, PruneInput, Service, UseInput } from "./model.ts"
import * as Queries from "./queries.ts"

export const format: Format<Row> = {
  read,
  schema: (value) => ("event" in value ? MemoryEvent : Reflection.Reflection)
}

const missing = (id: string): ReflectionError =>
  new ReflectionError({ reason: "not_found", detail: `there is no reflection ${id}` })

const kept = <A>(work: Effect.Effect<A, StorageError>): Effect.Effect<A, ReflectionError> =>
  Effect.mapError(work, ({ detail }) => new ReflectionError({ reason: "storage_error", detail }))

export const make = Effect.fnUntraced(function* (open: (fold: Fold<Row>) => Records<Row>) {
  const lessons = new Map<string, Reflection.Reflection>()
  let outcomes = Effectiveness.initial()
  const records = open({
    reset: () => {
      lessons.clear()
      outcomes = Effectiveness.initial()
    },
    take: (row) => {
      if (isEvent(row)) return Effectiveness.step(outcomes, row)
      // A later line of the same id replaces it.
      lessons.delete(row.id)
      lessons.set(row.id, row)
    }
  })

  const look = <A>(ask: (known: Queries.Known) => A): Effect.Effect<A, ReflectionError> =>
    kept(records.look(() => ask({ lessons, outcomes })))

  const event = Effect.fnUntraced(function* (input: UseInput) {
    const ids = [...new Set(input.reflectionIds)]
    const unknown = yield* look((known) => ids.find((id) => !known.lessons.has(id)))
    if (unknown !== undefined) return yield* missing(unknown)
    return {
      at: new Date(yield* Clock.currentTimeMillis).toISOString(),
      reflectionIds: ids,
      taskId: input.taskId ?? null,
      subtaskId: input.subtaskId ?? null,
      attemptNumber: input.attemptNumber ?? null
    }
  })

  const note = (one: MemoryEvent) => kept(records.add(() => [one]))

  // A file that cannot be read says so when it is opened.
  yield* look(() => undefined)

  return {
    append: (input) =>
      Effect.suspend(() => {
        const reflections = ("id" in input ? [input] : input).map(clean)
        const added = reflections.length > 0 ? kept(records.add(() => reflections)) : Effect.void
        return Effect.as(added, reflections)
      }),
    get: Effect.fn("ReflexionStore.get")(function* (id: string) {
      return (yield* look((known) => known.lessons.get(id))) ?? (yield* missing(id))
    }),
    getRecent: (subtaskId, limit = 3) => look((known) => Queries.recent(known, subtaskId, limit)),
    getForTask: (taskId) => look((known) => [...known.lessons.values()].filter((one) => one.taskId === taskId)),
    similar: Effect.fn("ReflexionStore.similar")(function* (query: string, filters: Filters = {}, limit = 5) {
      const now = yield* Clock.currentTimeMillis
      return yield* look((known) => Queries.similar(known, query, { ...filters, limit, now }))
    }),
    recordUse: Effect.fn("ReflexionStore.recordUse")(function* (input: UseInput) {
      const fields = yield* event(input)
      if (fields.reflectionIds.length > 0) yield* note({ event: "use", kind: input.kind ?? "injected", ...fields })
    }),
    recordOutcome: Effect.fn("ReflexionStore.recordOutcome")(function* (input: OutcomeInput) {
      yield* note({ event: "outcome", success: input.success, ...(yield* event(input)) })
    }),
    heldBack: Effect.succeed(null),
    effectiveness: look(({ outcomes }) => outcomes.byId),
    stats: Effect.withSpan(look(Queries.stats), "ReflexionStore.stats"),
    prune: Effect.fn("ReflexionStore.prune")(function* (input: PruneInput) {
      const now = yield* Clock.currentTimeMillis
      let count = 0
      const plan = (all: ReadonlyArray<Row>): ReadonlySet<Row> => {
        const found = "where" in input ? gone(all, input.where) : older(all, now - Duration.toMillis(input.maxAge))
        count = found.count
        return found.rows
      }
      yield* kept(records.drop(plan))
      return count
    }),
    compact: kept(records.drop((all) => new Set(replacedIn(all)), { blank: true })),
    verify: Effect.fn("ReflexionStore.verify")(function* (options?: { readonly repair?: boolean }) {
      const { records: all, ...found } = yield* kept(records.check(options))
      const events = all.filter(isEvent).length
      const replaced = replacedIn(all).length
      return { reflections: all.length - events - replaced, replaced, events, ...found }
    }),
    stream: Stream.fromIterableEffect(look((known) => [...known.lessons.values()]))
  } satisfies Service
})
