/** The log of how attempts ended, shared by all tasks, sessions and processes that use the same storage. */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { heldBack, type Place } from "../log/MemoryTrust.ts"
import * as Records from "../log/Records.ts"
import type { StorageError } from "../log/StorageError.ts"
import {
  type AttemptOutcome,
  clean,
  decode,
  idOf,
  isFailure,
  objectiveOf,
  type Status,
  subjectOf
} from "./AttemptOutcome.ts"

/** @category models */
export interface OutcomeQuery {
  readonly status?: Status | ReadonlyArray<Status>
  /** The newest outcomes are taken. The default is 1,000. */
  readonly limit?: number
}

/**
 * Outcomes keep the order in which they were added, even if their times say otherwise.
 *
 * @category models
 */
export interface Service {
  /** Stores outcomes in the form of `AttemptOutcome.clean`. They survive a power cut. Known ids are ignored. */
  readonly append: (outcomes: AttemptOutcome | ReadonlyArray<AttemptOutcome>) => Effect.Effect<void, StorageError>
  /** The outcomes that ended at `since` (in ms since the epoch) or later, oldest first. */
  readonly outcomesSince: (
    since: number,
    wanted?: OutcomeQuery
  ) => Effect.Effect<ReadonlyArray<AttemptOutcome>, StorageError>
  /** How many attempts at a task failed or timed out since the last success, up to `limit` (100 by default). */
  readonly failureStreak: (taskId: string, limit?: number) => Effect.Effect<number, StorageError>
  /** Like `failureStreak`, for attempts with this objective and no task id. 0 if the objective is under 16 bytes. */
  readonly failureStreakOf: (objective: string, limit?: number) => Effect.Effect<number, StorageError>
  /**
   * The outcomes since `since`, oldest first, and then each new outcome within a second. If the reader's last outcome is
   * gone, all that are left since `since` are returned again.
   */
  readonly follow: (since: number) => Stream.Stream<AttemptOutcome, StorageError>
  /** Why the log is not trusted: git tracks the file and nobody set `trusted`. Null if it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /** Removes older outcomes and returns their number. The newest outcome stays: it marks the position of readers. */
  readonly prune: (options: { readonly maxAge: Duration.DurationInput }) => Effect.Effect<number, StorageError>
  /** How many lines cannot be decoded. They stay in the file and do no harm. */
  readonly unreadable: Effect.Effect<number, StorageError>
}

const limits = { given: 1000, counted: 100 } as const

const wholeOf = (limit: number): number => (limit > 0 ? Math.floor(limit) : 0)

interface Row {
  readonly outcome: AttemptOutcome
  readonly time: number
  readonly subject: string | null
}

/** Of several records with the same id, the first counts. */
const goneBefore = (all: ReadonlyArray<AttemptOutcome>, before: number): Records.Gone<AttemptOutcome> => {
  const first = new Map(all.toReversed().map((one) => [one.id, one]))
  const last = all.findLast((one) => first.get(one.id) === one)
  const old = all.filter((one) => first.get(one.id) === one && one !== last && Date.parse(one.at) < before)
  // Repeated records are removed too: if only the first was removed, another would become valid.
  const rows = old.length === 0 ? [] : [...old, ...all.filter((one) => first.get(one.id) !== one)]
  return { rows: new Set(rows), count: old.length }
}

const make = Effect.fnUntraced(function* (open: Records.OpenRecords<AttemptOutcome>) {
  let rows: Array<Row> = []
  let ids = new Map<string, number>()
  const { add, drop, look, others, unreadable } = open({
    reset: () => {
      ;[rows, ids] = [[], new Map()]
    },
    take: (outcome) => {
      if (ids.has(outcome.id)) return
      ids.set(outcome.id, rows.length)
      rows.push({ outcome, time: Date.parse(outcome.at), subject: subjectOf(outcome) })
    }
  })
  const added = yield* PubSub.sliding<void>(1)

  // Opening the log fails if the file cannot be read.
  yield* look(() => undefined)

  const streak = (subject: string | null, limit: number = limits.counted) =>
    look(() => {
      const of = subject === null ? [] : rows.filter((row) => row.subject === subject)
      const passed = of.findLastIndex(({ outcome }) => !isFailure(outcome))
      return Math.min(of.length - 1 - passed, wholeOf(limit))
    })

  const follow = (since: number) =>
    Stream.unwrapScoped(
      Effect.map(PubSub.subscribe(added), (heard) => {
        let last: string | null = null
        const more = look(() => {
          // If the last position is gone, all remaining outcomes are returned again, so that no outcome is lost.
          const found = rows.slice(last === null ? 0 : (ids.get(last) ?? -1) + 1)
          last = found.at(-1)?.outcome.id ?? last
          return found
        })
        const waiting = Effect.race(Queue.take(heard), others)
        const next = Effect.tap(more, (found) => Effect.when(waiting, () => found.length === 0))
        return Stream.repeatEffectChunk(
          Effect.map(next, (found) =>
            Chunk.fromIterable(found.flatMap((one) => (one.time >= since ? [one.outcome] : [])))
          )
        )
      })
    )

  const service: Service = {
    append: Effect.fnUntraced(function* (input) {
      const given = ("id" in input ? [input] : input).map(clean)
      const own = new Map(given.toReversed().map((one) => [one.id, one]))
      const fresh = () => given.filter((one) => own.get(one.id) === one && !ids.has(one.id))
      if ((yield* look(fresh)).length === 0) return
      yield* add(fresh)
      yield* PubSub.publish(added, undefined)
    }),
    outcomesSince: Effect.fn("OutcomeLog.outcomesSince")((since, { limit = limits.given, status } = {}) =>
      look(() => {
        const statuses = status === undefined ? null : [status].flat()
        const found = rows.filter(({ outcome, time }) => time >= since && (statuses?.includes(outcome.status) ?? true))
        return found.slice(Math.max(0, found.length - wholeOf(limit))).map(({ outcome }) => outcome)
      })
    ),
    failureStreak: (taskId, limit) => streak(subjectOf({ taskId: idOf(taskId), objective: "" }), limit),
    failureStreakOf: (objective, limit) =>
      streak(subjectOf({ taskId: null, objective: objectiveOf(objective) }), limit),
    follow,
    heldBack: Effect.succeed(null),
    prune: Effect.fn("OutcomeLog.prune")(function* ({ maxAge }) {
      const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
      return yield* drop((all) => goneBefore(all, before))
    }),
    unreadable
  }
  return service
})

const live = (place: Place) =>
  Effect.map(
    make((fold) => Records.onDisk(place.path, decode, fold)),
    (log): Service => ({ ...log, heldBack: heldBack(place) })
  )

const held = Effect.orDie(make(Records.inMemory))

/** @category testing */
export class OutcomeRecord extends Context.Tag("@reflexion/core/OutcomeLog/OutcomeRecord")<
  OutcomeRecord,
  { readonly appended: Effect.Effect<ReadonlyArray<AttemptOutcome>> }
>() {}

const recording = Effect.gen(function* () {
  const log = yield* held
  const appended = yield* Ref.make<ReadonlyArray<AttemptOutcome>>([])
  const append: Service["append"] = (given) =>
    Effect.zipRight(
      log.append(given),
      Ref.update(appended, (before) => [...before, ...("id" in given ? [given] : given)])
    )
  return Context.make(OutcomeLog, { ...log, append }).pipe(Context.add(OutcomeRecord, { appended: Ref.get(appended) }))
})

/** @category services */
export class OutcomeLog extends Context.Tag("@reflexion/core/OutcomeLog")<OutcomeLog, Service>() {
  /** One JSON line for each outcome, in a file that several processes may share. */
  static readonly Live = (place: Place): Layer.Layer<OutcomeLog, StorageError> => Layer.effect(OutcomeLog, live(place))

  static readonly Memory: Layer.Layer<OutcomeLog> = Layer.effect(OutcomeLog, held)

  /** Any other storage, for example a database for many machines. */
  static readonly Over = (open: Records.OpenRecords<AttemptOutcome>): Layer.Layer<OutcomeLog, StorageError> =>
    Layer.effect(OutcomeLog, make(open))

  /** `Memory`, where a test reads the added outcomes through `OutcomeRecord`. */
  static readonly Test: Layer.Layer<OutcomeLog | OutcomeRecord> = Layer.effectContext(recording)
}
