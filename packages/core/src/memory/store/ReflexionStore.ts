/**
 * The episodic memory: lessons from failed attempts, and how well they worked (Shinn et al., "Reflexion: Language
 * Agents with Verbal Reinforcement Learning", NeurIPS 2023).
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { Reflection } from "../lessons/Reflection.ts"
import { ReflectionError } from "../lessons/ReflectionError.ts"
import { heldBack, type Place } from "../log/MemoryTrust.ts"
import * as Records from "../log/Records.ts"
import type { StorageError } from "../log/StorageError.ts"
import { clean, decode, gone, isEvent, type MemoryEvent, older, type Row, type LessonUse } from "./MemoryLine.ts"
import * as Queries from "./Queries.ts"

export type { Place as LiveOptions } from "../log/MemoryTrust.ts"
export type { Filters, RecalledLesson as Recalled, Stats } from "./Queries.ts"

/**
 * Which reflections were put into a prompt or used. A field that is left out is unknown.
 *
 * @category models
 */
export interface UseInput {
  readonly reflectionIds: ReadonlyArray<string>
  /** The default is `injected`. */
  readonly kind?: LessonUse["kind"]
  readonly taskId?: string
  readonly subtaskId?: string
  readonly attemptNumber?: number
}

/**
 * How an attempt with these reflections ended. The list is empty if the attempt had no reflections.
 *
 * @category models
 */
export interface OutcomeInput extends Omit<UseInput, "kind"> {
  readonly success: boolean
}

/**
 * What to forget: reflections older than `maxAge`, or reflections for which `where` returns true. Events that mention
 * only these reflections are removed too.
 *
 * @category models
 */
export type PruneInput =
  | { readonly maxAge: Duration.DurationInput }
  | { readonly where: (reflection: Reflection) => boolean }

export interface Service {
  /**
   * Stores reflections. They survive a power cut. Secrets are removed from the texts, but not from the ids. If an id is
   * known, the new reflection replaces the old one. Returns the stored reflections.
   */
  readonly append: (
    reflections: Reflection | ReadonlyArray<Reflection>
  ) => Effect.Effect<ReadonlyArray<Reflection>, ReflectionError>
  /** Fails with `not_found` if the id is unknown. */
  readonly get: (id: string) => Effect.Effect<Reflection, ReflectionError>
  /** The newest attempt first. The default limit is 3. */
  readonly getRecent: (subtaskId: string, limit?: number) => Effect.Effect<ReadonlyArray<Reflection>, ReflectionError>
  /** In the order of adding. */
  readonly getForTask: (taskId: string) => Effect.Effect<ReadonlyArray<Reflection>, ReflectionError>
  /** The reflections that match the query best. The best match comes first. The default limit is 5. */
  readonly similar: (
    query: string,
    filters?: Queries.Filters,
    limit?: number
  ) => Effect.Effect<ReadonlyArray<Queries.RecalledLesson>, ReflectionError>
  /** Fails with `not_found` if an id is unknown, and then records nothing. */
  readonly recordUse: (input: UseInput) => Effect.Effect<void, ReflectionError>
  /** Fails in the same cases as `recordUse`. */
  readonly recordOutcome: (input: OutcomeInput) => Effect.Effect<void, ReflectionError>
  readonly stats: Effect.Effect<Queries.Stats, ReflectionError>
  /** The counts by id; an id without counts is missing. The map changes later, so do not keep it. */
  readonly effectiveness: Effect.Effect<ReadonlyMap<string, Queries.Results>, ReflectionError>
  /** Why no prompt may use the content: git tracks the file and nobody set `trusted`. Null if prompts may use it. */
  readonly heldBack: Effect.Effect<string | null>
  /** Returns how many reflections were forgotten. */
  readonly prune: (input: PruneInput) => Effect.Effect<number, ReflectionError>
  /** How many lines cannot be decoded. They stay in the file and do no harm. */
  readonly unreadable: Effect.Effect<number, ReflectionError>
  /** In the order of adding. */
  readonly stream: Stream.Stream<Reflection, ReflectionError>
}

/** @category testing */
export interface StoreRecord {
  readonly appended: ReadonlyArray<Reflection>
  readonly uses: ReadonlyArray<UseInput>
  readonly outcomes: ReadonlyArray<OutcomeInput>
}

export class ReflexionRecord extends Context.Tag("@reflexion/core/ReflexionStore/ReflexionRecord")<
  ReflexionRecord,
  { readonly recorded: Effect.Effect<StoreRecord> }
>() {}

const kept = <A>(work: Effect.Effect<A, StorageError>): Effect.Effect<A, ReflectionError> =>
  Effect.mapError(work, ({ detail }) => new ReflectionError({ reason: "storage_error", detail }))

const make = Effect.fnUntraced(function* (open: Records.OpenRecords<Row>) {
  let known = Queries.empty()
  const records = open({
    reset: () => {
      known = Queries.empty()
    },
    take: (row) => {
      if (isEvent(row)) return Queries.note(known, row)
      // A later line with the same id replaces the earlier one.
      known.lessons.delete(row.id)
      known.lessons.set(row.id, row)
    }
  })

  const look = <A>(ask: (known: Queries.MemoryContent) => A): Effect.Effect<A, ReflectionError> =>
    kept(records.look(() => ask(known)))

  const note = Effect.fnUntraced(function* (
    { attemptNumber, reflectionIds, subtaskId, taskId }: UseInput,
    eventOf: (of: Omit<LessonUse, "event" | "kind">) => MemoryEvent
  ) {
    const ids = [...new Set(reflectionIds)]
    const unknown = yield* look((known) => ids.find((id) => !known.lessons.has(id)))
    if (unknown !== undefined)
      return yield* new ReflectionError({ reason: "not_found", detail: `there is no lesson ${unknown}` })
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    const of = { taskId: taskId ?? null, subtaskId: subtaskId ?? null, attemptNumber: attemptNumber ?? null }
    const event = eventOf({ at, reflectionIds: ids, ...of })
    if (event.event === "outcome" || ids.length > 0) yield* kept(records.add(() => [event]))
  })

  // Opening the store fails if the file cannot be read.
  yield* look(() => undefined)

  const service: Service = {
    append: (input) =>
      Effect.suspend(() => {
        const reflections = ("id" in input ? [input] : input).map(clean)
        const added = reflections.length > 0 ? kept(records.add(() => reflections)) : Effect.void
        return Effect.as(added, reflections)
      }),
    get: Effect.fn("ReflexionStore.get")(function* (id) {
      const found = yield* look((known) => known.lessons.get(id))
      return found ?? (yield* new ReflectionError({ reason: "not_found", detail: `there is no lesson ${id}` }))
    }),
    getRecent: (subtaskId, limit = 3) => look((known) => Queries.recent(known, subtaskId, limit)),
    getForTask: (taskId) => look((known) => [...known.lessons.values()].filter((one) => one.taskId === taskId)),
    similar: Effect.fn("ReflexionStore.similar")((query, filters = {}, limit = 5) =>
      look((known) => Queries.similar(known, query, { ...filters, limit }))
    ),
    recordUse: Effect.fn("ReflexionStore.recordUse")((input) =>
      note(input, (of) => ({ event: "use", kind: input.kind ?? "injected", ...of }))
    ),
    recordOutcome: Effect.fn("ReflexionStore.recordOutcome")((input) =>
      note(input, (of) => ({ event: "outcome", success: input.success, ...of }))
    ),
    heldBack: Effect.succeed(null),
    effectiveness: look(({ effects }) => effects),
    stats: Effect.withSpan(look(Queries.stats), "ReflexionStore.stats"),
    prune: Effect.fn("ReflexionStore.prune")(function* (input) {
      const now = yield* Clock.currentTimeMillis
      return yield* kept(
        records.drop((all) =>
          "where" in input ? gone(all, input.where) : older(all, now - Duration.toMillis(input.maxAge))
        )
      )
    }),
    unreadable: kept(records.unreadable),
    stream: Stream.fromIterableEffect(look((known) => [...known.lessons.values()]))
  }
  return service
})

const live = (place: Place) =>
  Effect.map(
    make((fold) => Records.onDisk(place.path, decode, fold)),
    (store): Service => ({ ...store, heldBack: heldBack(place) })
  )

const held = Effect.orDie(make(Records.inMemory))

const recording = Effect.gen(function* () {
  const store = yield* held
  const record = yield* Ref.make<StoreRecord>({ appended: [], uses: [], outcomes: [] })
  const told = <A, E>(work: Effect.Effect<A, E>, add: (before: StoreRecord) => Partial<StoreRecord>) =>
    Effect.tap(work, () => Ref.update(record, (before) => ({ ...before, ...add(before) })))
  const service: Service = {
    ...store,
    append: (given) =>
      told(store.append(given), ({ appended }) => ({ appended: [...appended, ...("id" in given ? [given] : given)] })),
    recordUse: (input) => told(store.recordUse(input), ({ uses }) => ({ uses: [...uses, input] })),
    recordOutcome: (input) => told(store.recordOutcome(input), ({ outcomes }) => ({ outcomes: [...outcomes, input] }))
  }
  return Context.make(ReflexionStore, service).pipe(Context.add(ReflexionRecord, { recorded: Ref.get(record) }))
})

/** @category services */
export class ReflexionStore extends Context.Tag("@reflexion/core/ReflexionStore")<ReflexionStore, Service>() {
  /** One JSON line for each reflection, in a file that several processes may share. */
  static readonly Live = (options: Place): Layer.Layer<ReflexionStore, ReflectionError> =>
    Layer.effect(ReflexionStore, live(options))

  static readonly Memory: Layer.Layer<ReflexionStore> = Layer.effect(ReflexionStore, held)

  /** Any other storage, for example a database for many machines. */
  static readonly Over = (open: Records.OpenRecords<Row>): Layer.Layer<ReflexionStore, ReflectionError> =>
    Layer.effect(ReflexionStore, make(open))

  /** `Memory`, where a test reads the recorded calls through `ReflexionRecord`. */
  static readonly Test: Layer.Layer<ReflexionStore | ReflexionRecord> = Layer.effectContext(recording)
}
