/** The log of how attempts ended, over all tasks, sessions and processes that share it. */
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Platform } from "../log/MemoryTrust.ts"
import * as Records from "../log/Records.ts"
import type { StorageError } from "../log/StorageError.ts"
import { clean, isFailure, subjectOf } from "./AttemptOutcome.ts"
import type { AttemptOutcome, Status } from "./model.ts"
import { problemIn, read } from "./OutcomeLine.ts"
import { idOf, objectiveOf } from "./outcomeText.ts"

export type { InvalidLine } from "../log/Records.ts"

/**
 * Which outcomes, and how many: the newest 1,000 unless said otherwise.
 *
 * @category models
 */
export interface Wanted {
  readonly status?: Status | ReadonlyArray<Status>
  readonly limit?: number
}

/**
 * What a log has, every line decoded. `repeated` counts lines of an id that stands before.
 *
 * @category models
 */
export interface Verification extends Records.Lines {
  readonly outcomes: number
  readonly repeated: number
}

export interface Prune {
  readonly maxAge: Duration.DurationInput
  readonly slack?: Duration.DurationInput
}

/**
 * Outcomes stand in the order in which they were added, whatever their times.
 *
 * @category models
 */
export interface Service {
  /**
   * Keeps outcomes as `AttemptOutcome.clean` leaves them: when it succeeds they outlast a power cut. An id that is known
   * changes nothing.
   */
  readonly append: (outcomes: AttemptOutcome | ReadonlyArray<AttemptOutcome>) => Effect.Effect<void, StorageError>
  /** What ended at `since` (in ms since the epoch) or later, oldest first. */
  readonly outcomesSince: (since: number, wanted?: Wanted) => Effect.Effect<ReadonlyArray<AttemptOutcome>, StorageError>
  /** How many attempts at a task failed or timed out since the last that succeeded; counts to `limit`, 100 if none is given. */
  readonly failureStreak: (taskId: string, limit?: number) => Effect.Effect<number, StorageError>
  /** How many attempts without a task id failed since one succeeded, by what they were told to do; 0 for under 16 bytes. */
  readonly failureStreakOf: (objective: string, limit?: number) => Effect.Effect<number, StorageError>
  /** What ended at `since` or later, oldest first, however many they are. */
  readonly stream: (since: number) => Stream.Stream<AttemptOutcome, StorageError>
  /**
   * What is added from now on, here or elsewhere: what other processes add is seen within a second, or when this one adds, asks
   * or `refresh`es. It ends with the log; one that reads it slowly keeps nobody waiting, and misses nothing
   * but what `Memory` holds no more. Where what it read last was pruned, it gives what is left once more.
   */
  readonly changes: Stream.Stream<AttemptOutcome, StorageError>
  /** `stream`, and then `changes`, with nothing lost or twice between them. */
  readonly follow: (since: number) => Stream.Stream<AttemptOutcome, StorageError>
  readonly refresh: Effect.Effect<void, StorageError>
  /** Why nobody should believe it, null where one may: git tracks it, and nobody said that it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /**
   * Leaves out what is older, but for the newest of all, by which a reader knows where it stands; says how much. With
   * `slack` only once something is older by so much more, so that the file is not rewritten for each line.
   */
  readonly prune: (options: Prune) => Effect.Effect<number, StorageError>
  /** How many lines cannot be decoded; `verify` names them. */
  readonly unreadable: Effect.Effect<number, StorageError>
  /** Decodes every line. With `repair`, those that cannot be decoded are moved to a file next to the log. */
  readonly verify: (options?: Records.Checking) => Effect.Effect<Verification, StorageError>
}

const limits = { given: 1000, counted: 100, batch: 256, held: 50_000 } as const

const wholeOf = (limit: number): number => (limit > 0 ? Math.floor(limit) : 0)

interface Row {
  readonly outcome: AttemptOutcome
  readonly time: number
  readonly subject: string | null
}

const newest = (rows: ReadonlyArray<Row>, since: number, { limit = limits.given, status }: Wanted) => {
  const statuses = status === undefined ? null : [status].flat()
  const found = rows.filter(({ outcome, time }) => time >= since && (statuses?.includes(outcome.status) ?? true))
  return found.slice(Math.max(0, found.length - wholeOf(limit))).map(({ outcome }) => outcome)
}

const streak = (rows: ReadonlyArray<Row>, subject: string | null, limit: number): number => {
  const of = subject === null ? [] : rows.filter((row) => row.subject === subject)
  const passed = of.findLastIndex(({ outcome }) => !isFailure(outcome))
  return Math.min(of.length - 1 - passed, wholeOf(limit))
}

/** Where a stream goes on: behind a row, which is known by its id when the rows are others than before. */
interface Position {
  readonly epoch: number
  readonly row: number
  readonly last: string | null
}

const beginning: Position = { epoch: -1, row: 0, last: null }

/** Of an id the first counts, and the newest stays, by which a reader knows where it stands. */
const goneBefore = (all: ReadonlyArray<AttemptOutcome>, before: number): Records.Gone<AttemptOutcome> => {
  const first = new Map(all.toReversed().map((one) => [one.id, one]))
  const last = all.findLast((one) => first.get(one.id) === one)
  const old = all.filter((one) => first.get(one.id) === one && one !== last && Date.parse(one.at) < before)
  // What repeats an id goes too: without its first it would be back.
  const rows = old.length === 0 ? [] : [...old, ...all.filter((one) => first.get(one.id) !== one)]
  return { rows: new Set(rows), count: old.length }
}

const make = Effect.fnUntraced(function* (open: Records.Open<AttemptOutcome>) {
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
  const signal = PubSub.publish(signals, undefined)
  const scope = yield* Effect.scope
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isOver = true
      return signal
    })
  )

  const look = <A>(ask: () => A): Effect.Effect<A, StorageError> =>
    Effect.tap(records.look(ask), () => {
      if (told.epoch === epoch && told.rows === rows.length) return Effect.void
      told = { epoch, rows: rows.length }
      return signal
    })
  const refresh = look(() => undefined)
  // A file that cannot be read says so when it is opened.
  yield* refresh

  const runtime = yield* Effect.runtime<never>()
  // What cannot be read every reader finds out for itself.
  const heard = () => void Runtime.runFork(runtime)(Effect.catchAll(refresh, () => signal))
  const watching = yield* Effect.once(Scope.extend(records.watch(heard), scope))

  const positionAt = (row: number): Position => ({ epoch, row, last: rows[row - 1]?.outcome.id ?? null })

  /** Where what it stood at is gone, or it stood at nothing, what is left is given again rather than lost. */
  const rowAfter = ({ epoch: of, last, row }: Position): number => {
    if (of === epoch) return row
    return last === null ? 0 : (ids.get(last) ?? -1) + 1
  }

  const step = (position: Position, since: number) =>
    look(() => {
      const found: Array<AttemptOutcome> = []
      let row = rowAfter(position)
      for (; row < rows.length && found.length < limits.batch; row += 1) {
        const one = rows[row]
        if (one !== undefined && one.time >= since) found.push(one.outcome)
      }
      return { next: positionAt(row), found }
    })

  type Pulled = Option.Option<readonly [Chunk.Chunk<AttemptOutcome>, Position]>

  const pull = (position: Position, since: number, end: (next: Position) => Effect.Effect<Pulled, StorageError>) =>
    Effect.flatMap(step(position, since), ({ found, next }) =>
      found.length > 0 ? Effect.succeedSome([Chunk.fromIterable(found), next] as const) : end(next)
    )

  const following = (begin: Effect.Effect<Position, StorageError>, since: number): Service["changes"] =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        if (isOver) return Stream.empty
        const awaited = yield* PubSub.subscribe(signals)
        yield* watching
        const next = (position: Position): Effect.Effect<Pulled, StorageError> =>
          Effect.suspend(() =>
            isOver
              ? Effect.succeedNone
              : pull(position, since, (then) => Effect.zipRight(Queue.take(awaited), next(then)))
          )
        return Stream.unfoldChunkEffect(yield* begin, next)
      })
    )

  const now = look(() => positionAt(rows.length))
  const service: Service = {
    append: Effect.fnUntraced(function* (input) {
      const given = ("id" in input ? [input] : input).map(clean)
      const own = new Map(given.toReversed().map((one) => [one.id, one]))
      const fresh = () => given.filter((one) => own.get(one.id) === one && !ids.has(one.id))
      if ((yield* look(fresh)).length === 0) return
      yield* records.add(fresh)
      // They are kept, whatever the reading says.
      yield* Effect.ignoreLogged(refresh)
    }),
    outcomesSince: Effect.fn("OutcomeLog.outcomesSince")((since, wanted = {}) =>
      look(() => newest(rows, since, wanted))
    ),
    failureStreak: (taskId, limit = limits.counted) =>
      look(() => streak(rows, subjectOf({ taskId: idOf(taskId), objective: "" }), limit)),
    failureStreakOf: (objective, limit = limits.counted) =>
      look(() => streak(rows, subjectOf({ taskId: null, objective: objectiveOf(objective) }), limit)),
    stream: (since) =>
      Stream.unfoldChunkEffect(beginning, (position: Position) => pull(position, since, () => Effect.succeedNone)),
    changes: following(now, Number.NEGATIVE_INFINITY),
    follow: (since) => following(Effect.succeed(beginning), since),
    refresh,
    heldBack: Effect.succeed(null),
    prune: Effect.fn("OutcomeLog.prune")(function* ({ maxAge, slack = 0 }) {
      const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
      const isDue = ({ time }: Row): boolean => time < before - Duration.toMillis(slack)
      if (!(yield* look(() => rows.slice(0, -1).some(isDue)))) return 0
      return yield* Effect.zipLeft(
        records.drop((all) => goneBefore(all, before)),
        refresh
      )
    }),
    unreadable: Effect.map(records.check(), ({ invalidCount }) => invalidCount),
    verify: Effect.fn("OutcomeLog.verify")(function* (options) {
      const { records: all, ...lines } = yield* records.check(options)
      const outcomes = new Set(all.map(({ id }) => id)).size
      return { outcomes, repeated: all.length - outcomes, ...lines }
    })
  }
  return service
})

/** `retention` has to be longer than the window of a cycle over the log. */
export type LiveOptions = Records.LiveOptions

const live = (options: LiveOptions) =>
  Effect.flatMap(
    make((fold) => Records.onDisk(options.path, { read, problemIn }, fold)),
    (log) => Records.lasting(log, options)
  )

const held = Effect.orDie(make((fold) => Records.inMemory(fold, limits.held)))

/**
 * What a test reads of the log that it runs with.
 *
 * @category testing
 */
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

/**
 * Where outcomes are kept.
 *
 * @example
 * ```ts
 * import { OutcomeLog } from "@reflexion/core/OutcomeLog"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { append, failureStreak, outcomesSince } = yield* OutcomeLog
 *   for (const [id, status] of [["a1", "completed"], ["a2", "failed"], ["a3", "failed"]] as const) {
 *     yield* append({
 *       id,
 *       taskId: "prices",
 *       sessionId: id,
 *       objective: "Refresh the shop's price list.",
 *       status,
 *       durationMs: 1_500,
 *       tools: ["read"],
 *       loaded: [{ kind: "skill", name: "skills/prices.md" }],
 *       resultLength: 0,
 *       backend: "script",
 *       at: `2026-03-01T09:0${id.slice(1)}:00.000Z`
 *     })
 *   }
 *   console.log(yield* failureStreak("prices")) // => 2
 *   const since = yield* outcomesSince(Date.parse("2026-03-01T09:02:00.000Z"))
 *   console.log(since.map(({ id }) => id).join(" ")) // => a2 a3
 * })
 *
 * await Effect.runPromise(Effect.provide(program, OutcomeLog.Memory))
 * ```
 *
 * @category services
 */
export class OutcomeLog extends Context.Tag("@reflexion/core/OutcomeLog")<OutcomeLog, Service>() {
  /** One JSON line for each, in a file that several processes may share. */
  static readonly Live = (options: LiveOptions): Layer.Layer<OutcomeLog, StorageError, Platform> =>
    Layer.scoped(OutcomeLog, live(options))

  /** The newest 50,000, as long as the process lasts: a reader who is further behind goes on with the oldest of them. */
  static readonly Memory: Layer.Layer<OutcomeLog> = Layer.scoped(OutcomeLog, held)

  /** Over whatever keeps records for many machines, such as a database. */
  static readonly Over = (open: Records.Open<AttemptOutcome>): Layer.Layer<OutcomeLog, StorageError> =>
    Layer.scoped(OutcomeLog, make(open))

  /** `Memory`, and what was added to it, through `OutcomeRecord`. */
  static readonly Test: Layer.Layer<OutcomeLog | OutcomeRecord> = Layer.scopedContext(recording)
}
