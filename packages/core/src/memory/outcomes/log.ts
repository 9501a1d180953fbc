/** The service over whatever keeps the records. */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Fold, Format, Records } from "../log/Records.ts"
import type { StorageError } from "../log/StorageError.ts"
import { clean, isFailure, subjectOf } from "./AttemptOutcome.ts"
import * as Model from "./model.ts"
import type { AttemptOutcome, Prune, Service, Wanted } from "./model.ts"
import { read } from "./OutcomeLine.ts"
import { idOf, objectiveOf } from "./outcomeText.ts"

export const format: Format<AttemptOutcome> = { read, schema: () => Model.AttemptOutcome }

const mostGiven = 1000
const mostCounted = 100
const batch = 256

const wholeOf = (limit: number): number => (limit > 0 ? Math.floor(limit) : 0)

interface Row {
  readonly outcome: AttemptOutcome
  readonly time: number
  readonly subject: string | null
}

const newest = (rows: ReadonlyArray<Row>, since: number, { limit = mostGiven, status }: Wanted) => {
  const statuses = [status ?? Model.Status.literals].flat()
  const found = rows.filter(({ outcome, time }) => time >= since && statuses.includes(outcome.status))
  return found.slice(Math.max(0, found.length - wholeOf(limit))).map(({ outcome }) => outcome)
}

const streak = (rows: ReadonlyArray<Row>, subject: string | null, limit: number): number => {
  if (subject === null) return 0
  const of = rows.filter((row) => row.subject === subject)
  const passed = of.findLastIndex(({ outcome }) => !isFailure(outcome))
  return Math.min(of.length - 1 - passed, wholeOf(limit))
}

/** Where a stream goes on: behind a row, which is known by its id when the rows are others than before. */
interface Place {
  readonly epoch: number
  readonly row: number
  readonly last: string | null
}

const beginning: Place = { epoch: -1, row: 0, last: null }

/** Of an id the first counts, and the newest stays, by which a reader knows where it stands. */
const goneBefore = (all: ReadonlyArray<AttemptOutcome>, before: number) => {
  const first = new Map(all.toReversed().map((one) => [one.id, one]))
  const last = all.findLast((one) => first.get(one.id) === one)
  const old = all.filter((one) => first.get(one.id) === one && one !== last && Date.parse(one.at) < before)
  // What repeats an id goes too: without its first it would be back.
  const rows = old.length === 0 ? [] : [...old, ...all.filter((one) => first.get(one.id) !== one)]
  return { rows: new Set(rows), count: old.length }
}

export const make = Effect.fnUntraced(function* (open: (fold: Fold<AttemptOutcome>) => Records<AttemptOutcome>) {
  let rows: Array<Row> = []
  let ids = new Map<string, number>()
  let epoch = 0
  let told = { epoch, rows: 0 }
  let isOver = false
  const records = open({
    reset: () => {
      ;[rows, ids] = [[], new Map()]
      epoch += 1
    },
    take: (outcome) => {
      if (ids.has(outcome.id)) return
      ids.set(outcome.id, rows.length)
      rows.push({ outcome, time: Date.parse(outcome.at), subject: subjectOf(outcome) })
    }
  })
  // One that is behind needs no more than to know it: what it reads is in the log.
  const signals = yield* PubSub.sliding<void>(1)
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isOver = true
      return PubSub.publish(signals, undefined)
    })
  )

  const look = <A>(ask: () => A): Effect.Effect<A, StorageError> =>
    Effect.tap(records.look(ask), () => {
      if (told.epoch === epoch && told.rows === rows.length) return Effect.void
      told = { epoch, rows: rows.length }
      return PubSub.publish(signals, undefined)
    })
  const refresh = look(() => undefined)
  // A file that cannot be read says so when it is opened.
  yield* refresh

  // What cannot be read every reader finds out for itself.
  const heard = Effect.catchAll(refresh, () => Effect.asVoid(PubSub.publish(signals, undefined)))
  const scope = yield* Effect.scope
  const runtime = yield* Effect.runtime<never>()
  const watching = yield* Effect.once(
    Scope.extend(
      records.watch(() => void Runtime.runFork(runtime)(heard)),
      scope
    )
  )

  const placeAt = (row: number): Place => ({ epoch, row, last: rows[row - 1]?.outcome.id ?? null })

  const rowAfter = (place: Place): number => {
    if (place.epoch === epoch) return place.row
    // What it stood at is gone, or it stood at nothing: what is left is given again rather than lost.
    return place.last === null ? 0 : (ids.get(place.last) ?? -1) + 1
  }

  const step = (place: Place, since: number) =>
    look(() => {
      const from = rowAfter(place)
      const found: Array<AttemptOutcome> = []
      let row = from
      for (; row < rows.length && found.length < batch; row += 1) {
        const one = rows[row]
        if (one !== undefined && one.time >= since) found.push(one.outcome)
      }
      return { place: placeAt(row), found }
    })

  type Pulled = Option.Option<readonly [Chunk.Chunk<AttemptOutcome>, Place]>

  const pull = (place: Place, since: number, end: (place: Place) => Effect.Effect<Pulled, StorageError>) =>
    Effect.flatMap(step(place, since), ({ found, place: next }) =>
      found.length > 0 ? Effect.succeed(Option.some([Chunk.fromIterable(found), next] as const)) : end(next)
    )

  const stream = (since: number): Service["changes"] =>
    Stream.unfoldChunkEffect(beginning, (place: Place) => pull(place, since, () => Effect.succeed(Option.none())))

  const following = (begin: Effect.Effect<Place, StorageError>, since: number): Service["changes"] =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        if (isOver) return Stream.empty
        const awaited = yield* PubSub.subscribe(signals)
        yield* watching
        const next = (place: Place): Effect.Effect<Pulled, StorageError> =>
          Effect.suspend(() =>
            isOver
              ? Effect.succeed(Option.none())
              : pull(place, since, (then) => Effect.zipRight(Queue.take(awaited), next(then)))
          )
        return Stream.unfoldChunkEffect(yield* begin, next)
      })
    )

  return {
    append: Effect.fnUntraced(function* (input) {
      const given = ("id" in input ? [input] : input).map(clean)
      const own = new Map(given.toReversed().map((one) => [one.id, one]))
      const fresh = () => given.filter((one) => own.get(one.id) === one && !ids.has(one.id))
      if ((yield* look(fresh)).length === 0) return
      yield* records.add(fresh)
      // They are kept, whatever the reading says.
      yield* Effect.ignoreLogged(refresh)
    }),
    outcomesSince: Effect.fn("OutcomeLog.outcomesSince")((since: number, wanted: Wanted = {}) =>
      look(() => newest(rows, since, wanted))
    ),
    failureStreak: (taskId, limit = mostCounted) =>
      look(() => streak(rows, subjectOf({ taskId: idOf(taskId), objective: "" }), limit)),
    failureStreakOf: (objective, limit = mostCounted) =>
      look(() => streak(rows, subjectOf({ taskId: null, objective: objectiveOf(objective) }), limit)),
    stream,
    changes: following(
      look(() => placeAt(rows.length)),
      Number.NEGATIVE_INFINITY
    ),
    follow: (since) => following(Effect.succeed(beginning), since),
    refresh,
    heldBack: Effect.succeed(null),
    prune: Effect.fn("OutcomeLog.prune")(function* ({ maxAge, slack = 0 }: Prune) {
      const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
      const isDue = ({ time }: Row): boolean => time < before - Duration.toMillis(slack)
      if (!(yield* look(() => rows.slice(0, -1).some(isDue)))) return 0
      let count = 0
      yield* records.drop((all) => {
        const gone = goneBefore(all, before)
        count = gone.count
        return gone.rows
      })
      yield* refresh
      return count
    }),
    unreadable: records.unreadable,
    verify: Effect.fn("OutcomeLog.verify")(function* (options?: { readonly repair?: boolean }) {
      const { records: all, ...found } = yield* records.check(options)
      const outcomes = new Set(all.map(({ id }) => id)).size
      return { outcomes, repeated: all.length - outcomes, ...found }
    })
  } satisfies Service
})
