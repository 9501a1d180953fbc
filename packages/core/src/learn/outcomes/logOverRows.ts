/** The service over whatever keeps the rows. */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { clean, isFailure, subjectOf } from "./AttemptOutcome.ts"
import type { AttemptOutcome, OutcomeView, Prune, Service, Shelf, Status, Wanted } from "./model.ts"
import type { LogDiskError } from "../log/LogDisk.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { idOf, objectiveOf } from "./outcomeText.ts"

const mostGiven = 1000
const mostCounted = 100
const batch = 256

/** Rows that are passed over in one go: a few milliseconds. */
const atOnce = 65_536

const wholeOf = (limit: number): number => (limit > 0 ? Math.floor(limit) : 0)

const isAmong = (status: Wanted["status"]): ((one: Status) => boolean) =>
  status === undefined
    ? () => true
    : typeof status === "string"
      ? (one) => one === status
      : (one) => status.includes(one)

const newest = (view: OutcomeView, since: number, { limit = mostGiven, status }: Wanted) => {
  const isWanted = isAmong(status)
  const most = wholeOf(limit)
  const found: Array<AttemptOutcome> = []
  for (let row = view.end - 1; row >= view.first && found.length < most; row -= 1) {
    if (!view.isAlive(row) || !(view.timeOf(row) >= since) || !isWanted(view.statusOf(row))) continue
    const outcome = view.outcome(row)
    if (outcome !== null) found.push(outcome)
  }
  return found.toReversed()
}

const streak = (view: OutcomeView, subject: string | null, limit: number): number => {
  if (subject === null) return 0
  const hash = KeyHash.ofText(subject)
  const most = wholeOf(limit)
  let count = 0
  for (let row = view.newestOf(hash); row >= 0 && count < most; row = view.olderOf(row, hash)) {
    // Another subject may have the same hash.
    const outcome = view.isAlive(row) ? view.outcome(row) : null
    if (outcome === null || subjectOf(outcome) !== subject) continue
    if (!isFailure(outcome)) break
    count += 1
  }
  return count
}

/** Where a stream goes on: behind a row, which is known by its id when the rows are others than before. */
interface Place {
  readonly epoch: number
  readonly row: number
  readonly last: string | null
}

const rowAfter = (view: OutcomeView, { epoch, last, row }: Place): number => {
  if (epoch === view.epoch) return Math.max(row, view.first)
  // What it stood at is gone, or it stood at nothing: what is left is given again rather than lost.
  return last === null ? view.first : view.rowOf(last) + 1
}

/** At a row, by the last one before it that counts. */
const placeAt = (view: OutcomeView, row: number): Place => {
  for (let before = row - 1; before >= view.first; before -= 1) {
    const last = view.isAlive(before) ? view.outcome(before) : null
    if (last !== null) return { epoch: view.epoch, row, last: last.id }
  }
  return { epoch: view.epoch, row, last: null }
}

const lastAlive = (view: OutcomeView): number => {
  let row = view.end - 1
  while (row >= view.first && !view.isAlive(row)) row -= 1
  return row
}

const hasOlder = (view: OutcomeView, before: number): boolean => {
  const last = lastAlive(view)
  for (let row = view.first; row < last; row += 1) if (view.isAlive(row) && view.timeOf(row) < before) return true
  return false
}

interface Step {
  readonly place: Place
  readonly found: ReadonlyArray<AttemptOutcome>
  readonly isEnd: boolean
}

const stepFrom = (view: OutcomeView, place: Place, since: number): Step => {
  const from = rowAfter(view, place)
  const until = Math.min(view.end, from + atOnce)
  const found: Array<AttemptOutcome> = []
  let row = from
  let { last } = place
  for (; row < until && found.length < batch; row += 1) {
    if (!view.isAlive(row) || !(view.timeOf(row) >= since)) continue
    const outcome = view.outcome(row)
    if (outcome === null) continue
    found.push(outcome)
    last = outcome.id
  }
  const next = found.length === 0 && row > from ? placeAt(view, row) : { epoch: view.epoch, row, last }
  return { place: next, found, isEnd: row >= view.end }
}

const beginning: Place = { epoch: -1, row: 0, last: null }

type Signal = "more" | "over"

const warned = (error: LogDiskError): Effect.Effect<void> =>
  Effect.logWarning(`what other processes add is seen only when this one asks: ${error.message}`)

/**
 * Has `heard` run when others may have added rows, until the scope ends. Where the system does not tell, that is said, and
 * they are heard of when this one asks.
 */
const watched = Effect.fnUntraced(function* (shelf: Shelf, heard: Effect.Effect<void>) {
  // What comes while the rows are looked at is one change.
  const told = yield* Queue.sliding<LogDiskError | null>(1)
  const watching = Effect.acquireRelease(
    shelf.watch({
      changed: () => void Queue.unsafeOffer(told, null),
      failed: (error) => void Queue.unsafeOffer(told, error)
    }),
    (stop) => Effect.sync(stop)
  )
  const isWatched = yield* Effect.matchEffect(watching, {
    onFailure: (error) => Effect.as(warned(error), false),
    onSuccess: () => Effect.succeed(true)
  })
  if (!isWatched) return
  const listening: Effect.Effect<void> = Effect.flatMap(Queue.take(told), (error) =>
    Effect.zipRight(heard, error === null ? listening : warned(error))
  )
  yield* Effect.forkScoped(Effect.interruptible(listening))
})

export const logOf: (shelf: Shelf) => Effect.Effect<Service, never, Scope.Scope> = Effect.fnUntraced(function* (
  shelf: Shelf
) {
  // One that is behind needs no more than to know it: what it reads is in the log.
  const signals = yield* PubSub.sliding<Signal>(1)
  let known = { epoch: -1, end: 0 }
  let isOver = false
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isOver = true
      return PubSub.publish(signals, "over")
    })
  )

  const look = <A>(read: (view: OutcomeView) => A): Effect.Effect<A, LogDiskError> =>
    Effect.flatMap(
      shelf.look((view) => {
        const isMore = view.epoch !== known.epoch || view.end !== known.end
        if (isMore) known = { epoch: view.epoch, end: view.end }
        return { isMore, answer: read(view) }
      }),
      ({ answer, isMore }) => (isMore ? Effect.as(PubSub.publish(signals, "more"), answer) : Effect.succeed(answer))
    )

  const refresh = look(() => undefined)
  yield* Effect.ignore(refresh)

  // What cannot be read every reader finds out for itself.
  const heard = Effect.catchAll(refresh, () => Effect.asVoid(PubSub.publish(signals, "more")))
  const scope = yield* Effect.scope
  const watching = yield* Effect.once(
    Effect.uninterruptible(Effect.provideService(watched(shelf, heard), Scope.Scope, scope))
  )

  const append = (input: AttemptOutcome | ReadonlyArray<AttemptOutcome>) =>
    Effect.gen(function* () {
      const given = ("id" in input ? [input] : input).map(clean)
      const own = new Map(given.toReversed().map((one) => [one.id, one]))
      const fresh = yield* look((view) => given.filter((one) => own.get(one.id) === one && view.rowOf(one.id) < 0))
      if (fresh.length === 0) return
      yield* shelf.add(fresh)
      // They are kept, whatever the reading says.
      yield* Effect.ignoreLogged(refresh)
    })

  const step = (place: Place, since: number) => look((view) => stepFrom(view, place, since))

  const stream = (since: number): Service["changes"] =>
    Stream.unfoldChunkEffect<Place, AttemptOutcome, LogDiskError, never>(beginning, (place) =>
      Effect.map(step(place, since), ({ found, isEnd, place: next }) =>
        found.length === 0 && isEnd ? Option.none() : Option.some([Chunk.fromIterable(found), next] as const)
      )
    )

  const following = (begin: Effect.Effect<Place, LogDiskError>, since: number): Service["changes"] =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        if (isOver) return Stream.empty
        const awaited = yield* PubSub.subscribe(signals)
        yield* watching
        const first = yield* begin
        const pull = (
          place: Place
        ): Effect.Effect<Option.Option<readonly [Chunk.Chunk<AttemptOutcome>, Place]>, LogDiskError> =>
          Effect.suspend(() => {
            if (isOver) return Effect.succeed(Option.none())
            return Effect.flatMap(step(place, since), ({ found, isEnd, place: next }) =>
              found.length > 0 || !isEnd
                ? Effect.succeed(Option.some([Chunk.fromIterable(found), next] as const))
                : Effect.zipRight(Queue.take(awaited), pull(next))
            )
          })
        return Stream.unfoldChunkEffect(first, pull)
      })
    )

  const always = Number.NEGATIVE_INFINITY

  return {
    append,
    outcomesSince: Effect.fn("OutcomeLog.outcomesSince")((since: number, wanted: Wanted = {}) =>
      look((view) => newest(view, since, wanted))
    ),
    failureStreak: (taskId, limit = mostCounted) =>
      look((view) => streak(view, subjectOf({ taskId: idOf(taskId), objective: "" }), limit)),
    failureStreakOf: (objective, limit = mostCounted) =>
      look((view) => streak(view, subjectOf({ taskId: null, objective: objectiveOf(objective) }), limit)),
    stream,
    changes: following(
      look((view) => placeAt(view, view.end)),
      always
    ),
    follow: (since) => following(Effect.succeed(beginning), since),
    refresh,
    heldBack: Effect.succeed(null),
    prune: Effect.fn("OutcomeLog.prune")(function* ({ maxAge, slack = 0 }: Prune) {
      const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
      if (!(yield* look((view) => hasOlder(view, before - Duration.toMillis(slack))))) return 0
      const count = yield* shelf.drop((view) => {
        const last = lastAlive(view)
        return (row) => row !== last && view.timeOf(row) < before
      })
      yield* refresh
      return count
    }),
    unreadable: look((view) => view.unreadable),
    verify: Effect.fn("OutcomeLog.verify")(shelf.verify)
  } satisfies Service
})
