/** The service over whatever keeps the rows. */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Reflection } from "../lessons/Reflection.ts"
import { ReflectionError } from "../lessons/ReflectionError.ts"
import type { Doomed, Filters, OutcomeInput, PruneInput, Service, Shelf, UseInput } from "./model.ts"
import * as Lexical from "./lexicalIndex.ts"
import { clean } from "./line.ts"
import * as Queries from "./queries.ts"
import type { MemoryView } from "./view.ts"

const indexedAtOnce = 1000

/** Keeps the index of words up with the rows, in steps, so that nothing else waits for all of it. */
const lexical = (shelf: Shelf): Effect.Effect<Lexical.LexicalIndex, ReflectionError> => {
  let known = { epoch: -1, index: Lexical.make() }
  const more = (view: MemoryView): boolean => {
    if (known.epoch !== view.epoch) known = { epoch: view.epoch, index: Lexical.make() }
    const until = Math.min(view.count, known.index.documents + indexedAtOnce)
    while (known.index.documents < until) {
      const reflection = view.reflection(known.index.documents)
      Lexical.add(known.index, reflection === null ? "" : Queries.textOf(reflection))
    }
    return known.index.documents < view.count
  }
  const step: Effect.Effect<Lexical.LexicalIndex, ReflectionError> = Effect.flatMap(shelf.look(more), (isMore) =>
    isMore ? Effect.zipRight(Effect.yieldNow(), step) : Effect.sync(() => known.index)
  )
  return step
}

const missing = (id: string): ReflectionError =>
  new ReflectionError({ reason: "not_found", detail: `there is no reflection ${id}` })

const batch = 256

/** Where a stream goes on after a reflection: rows may have gone meanwhile. */
interface Place {
  readonly epoch: number
  readonly row: number
  readonly last: string | null
}

const rowAfter = (view: MemoryView, { epoch, last, row }: Place): number => {
  if (epoch === view.epoch || last === null) return row
  const found = view.rowsOf("id", last).find((one) => view.reflection(one)?.id === last)
  return found === undefined ? Math.min(row, view.count) : found + 1
}

const streamOf = (shelf: Shelf): Stream.Stream<Reflection, ReflectionError> =>
  Stream.unfoldChunkEffect({ epoch: -1, row: 0, last: null }, (place: Place) =>
    shelf.look((view) => {
      const begin = rowAfter(view, place)
      const end = Math.min(view.count, begin + batch)
      if (begin >= end) return Option.none()
      const found: Array<Reflection> = []
      for (let row = begin; row < end; row += 1) {
        const reflection = view.isAlive(row) ? view.reflection(row) : null
        if (reflection !== null) found.push(reflection)
      }
      const last = found.at(-1)?.id ?? place.last
      return Option.some([Chunk.fromIterable(found), { epoch: view.epoch, row: end, last }] as const)
    })
  )

const doomedOf = (input: PruneInput, now: number): Doomed => {
  if ("where" in input)
    return {
      row: (view, row) => {
        const reflection = view.isAlive(row) ? view.reflection(row) : null
        return reflection !== null && input.where(reflection)
      },
      event: () => false
    }
  const before = now - Duration.toMillis(input.maxAge)
  return {
    row: (view, row) => view.createdAtOf(row) < before,
    event: ({ at }) => Date.parse(at) < before
  }
}

export const storeOf = (shelf: Shelf): Effect.Effect<Service> =>
  Effect.sync(() => {
    const indexed = lexical(shelf)

    const event = (input: UseInput) =>
      Effect.gen(function* () {
        const ids = [...new Set(input.reflectionIds)]
        const unknown = yield* shelf.look((view) => ids.find((id) => Queries.byId(view, id) === null))
        if (unknown !== undefined) return yield* missing(unknown)
        return {
          at: new Date(yield* Clock.currentTimeMillis).toISOString(),
          reflectionIds: ids,
          taskId: input.taskId ?? null,
          subtaskId: input.subtaskId ?? null,
          attemptNumber: input.attemptNumber ?? null
        }
      })

    return {
      // Without a span, as `getRecent`: it would take longer than all that is done before the disk.
      append: (input) =>
        Effect.suspend(() => {
          const reflections = ("id" in input ? [input] : input).map(clean)
          return Effect.as(reflections.length > 0 ? shelf.add(reflections) : Effect.void, reflections)
        }),
      get: Effect.fn("ReflexionStore.get")(function* (id: string) {
        const found = yield* shelf.look((view) => Queries.byId(view, id))
        return found ?? (yield* missing(id))
      }),
      getRecent: (subtaskId, limit = 3) => shelf.look((view) => Queries.recent(view, subtaskId, limit)),
      getForTask: (taskId) => shelf.look((view) => Queries.ofTask(view, taskId)),
      similar: Effect.fn("ReflexionStore.similar")(function* (query: string, filters: Filters = {}, limit = 5) {
        const index = yield* indexed
        const now = yield* Clock.currentTimeMillis
        return yield* shelf.look((view) => Queries.similar(view, index, query, { ...filters, limit, now }))
      }),
      recordUse: Effect.fn("ReflexionStore.recordUse")(function* (input: UseInput) {
        const fields = yield* event(input)
        if (fields.reflectionIds.length > 0)
          yield* shelf.note({ event: "use", kind: input.kind ?? "injected", ...fields })
      }),
      recordOutcome: Effect.fn("ReflexionStore.recordOutcome")(function* (input: OutcomeInput) {
        yield* shelf.note({ event: "outcome", success: input.success, ...(yield* event(input)) })
      }),
      heldBack: Effect.succeed(null),
      effectiveness: shelf.look(({ outcomes }) => outcomes.byId),
      stats: Effect.withSpan(shelf.look(Queries.stats), "ReflexionStore.stats"),
      prune: Effect.fn("ReflexionStore.prune")(function* (input: PruneInput) {
        return yield* shelf.drop(doomedOf(input, yield* Clock.currentTimeMillis))
      }),
      compact: Effect.withSpan(shelf.compact, "ReflexionStore.compact"),
      verify: Effect.fn("ReflexionStore.verify")(shelf.verify),
      stream: streamOf(shelf)
    } satisfies Service
  })
