/** Stores how attempts ended, in a table that many machines share. */
import {
  type AttemptOutcome,
  clean,
  decode,
  idOf,
  isFailure,
  objectiveOf,
  type Status,
  subjectOf
} from "@reflexion/core/AttemptOutcome"
import { others } from "@reflexion/core/internal/memory/log/Records"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import type { StorageError } from "@reflexion/core/StorageError"
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { client, first, identity, stored, storedStream } from "./internal/database.ts"
import { hashOf } from "./internal/hash.ts"
import type { Line } from "./internal/rows.ts"
import { fromJson, toJson, toTime } from "./internal/text.ts"

const decoded = (rows: ReadonlyArray<{ readonly line: string | null }>): ReadonlyArray<AttemptOutcome> =>
  rows.flatMap(({ line }) => (line === null ? [] : (decode(fromJson(line)) ?? [])))

const limits = { given: 1000, counted: 100, page: 500 } as const

/** Null means that there is no limit. */
const wholeOf = (limit: number): number | null =>
  limit === Number.POSITIVE_INFINITY ? null : limit > 0 ? Math.floor(limit) : 0

/** If several outcomes have the same id, the first is used. */
const rowsOf = (outcomes: ReadonlyArray<AttemptOutcome>) =>
  [
    ...new Map(
      outcomes
        .map(clean)
        .map((one) => [one.id, one] as const)
        .toReversed()
    ).values()
  ]
    .toReversed()
    .map((record) => {
      const subject = subjectOf(record)
      return {
        id: record.id,
        task_id: record.taskId,
        subject: subject === null ? null : hashOf(subject),
        status: record.status,
        ended_at: toTime(Date.parse(record.at)),
        record
      }
    })

/**
 * A reader has read all outcomes in the snapshot `before`. Of the outcomes in `until`, it has read those up to (`xid`,
 * `seq`). With `seq` alone, outcomes would be lost, because transactions may commit in another order than they began.
 */
interface Position {
  readonly before: string
  readonly until: string | null
  readonly xid: string
  readonly seq: string
}

/** A snapshot without any transaction. */
export const nothing = "1:1:"

const from = (before: string): Position => ({ before, until: null, xid: "0", seq: "0" })

interface Found {
  readonly now: string
  readonly xid: string | null
  readonly seq: string | null
  readonly line: string | null
}

/** The shortest time between two messages of one process, in ms. Readers look twice a second anyway. */
const mostOften = 200

export const make = (sql: PgClient, channel: string) =>
  Effect.gen(function* () {
    const added = yield* PubSub.sliding<void>(1)
    let told = Number.NEGATIVE_INFINITY

    const page = (since: number, { before, seq, until, xid }: Position) =>
      stored("read outcomes")(sql<Found>`
        select snapshot.now::text as now, xid::text as xid, seq::text as seq, record::text as line
        from (select coalesce(${until}::pg_snapshot, pg_current_snapshot()) as now) snapshot
        left join lateral (
          select xid, seq, record from reflexion_outcomes
          where xid >= pg_snapshot_xmin(${before}::pg_snapshot)
            and not pg_visible_in_snapshot(xid, ${before}::pg_snapshot)
            and pg_visible_in_snapshot(xid, snapshot.now)
            and (xid, seq) > (${xid}::xid8, ${seq}::bigint)
            and ended_at >= ${toTime(since)}::timestamptz
          order by xid, seq limit ${limits.page}
        ) found on true`)

    /** Like `follow`, but begins with the outcomes that are not in a snapshot. */
    const followFrom =
      (snapshot: string) =>
      (since: number): Stream.Stream<AttemptOutcome, StorageError> =>
        Stream.unwrapScoped(
          Effect.gen(function* () {
            const heard = yield* PubSub.subscribe(added)
            // These messages are only a hint, because their connection may be lost without notice.
            yield* Stream.runForEach(sql.listen(channel), () => PubSub.publish(added, undefined)).pipe(
              Effect.retry(Schedule.spaced("5 seconds")),
              Effect.forkScoped
            )
            const waiting = Effect.race(Queue.take(heard), others)
            let position = from(snapshot)
            const more = Effect.map(
              Effect.suspend(() => page(since, position)),
              (rows) => {
                const last = rows.at(-1)
                if (last === undefined) return []
                position =
                  last.xid === null || last.seq === null || rows.length < limits.page
                    ? from(last.now)
                    : { ...position, until: last.now, xid: last.xid, seq: last.seq }
                return rows
              }
            )
            const next = Effect.tap(more, (rows) => Effect.when(waiting, () => rows.every(({ line }) => line === null)))
            return Stream.repeatEffectChunk(Effect.map(next, (rows) => Chunk.fromIterable(decoded(rows))))
          })
        )

    const streak = (subject: string | null, limit: number = limits.counted) =>
      subject === null
        ? Effect.succeed(0)
        : sql<{ readonly status: Status }>`
            select status from reflexion_outcomes where subject = ${hashOf(subject)}::uuid
            order by seq desc limit ${wholeOf(limit)}`.pipe(
            stored("read outcomes"),
            Effect.map((rows) => {
              const passed = rows.findIndex((row) => !isFailure(row))
              return passed < 0 ? rows.length : passed
            })
          )

    const service: Service = {
      append: Effect.fnUntraced(function* (input) {
        const outcomes = "id" in input ? [input] : input
        if (outcomes.length === 0) return
        const now = yield* Clock.currentTimeMillis
        const isTelling = now - told >= mostOften
        if (isTelling) told = now
        const rows = rowsOf(outcomes)
        yield* stored("append outcomes")(
          // Most appends have one outcome, and this statement needs much less planning in the database.
          rows.length === 1 && !isTelling
            ? sql`
              insert into reflexion_outcomes (id, task_id, subject, status, ended_at, record)
              select id, task_id, subject, status, ended_at, record
              from jsonb_to_record(${toJson(rows[0])}::jsonb)
                as one(id text, task_id text, subject uuid, status text, ended_at timestamptz, record jsonb)
              on conflict (id) do nothing`
            : sql`
              with given as materialized (
                select nextval(pg_get_serial_sequence('reflexion_outcomes', 'seq')) as seq, one.*
                from (
                  select value from jsonb_array_elements(${toJson(rows)}::jsonb) with ordinality as rows(value, at) order by at
                ) ordered,
                jsonb_to_record(value) as one(id text, task_id text, subject uuid, status text, ended_at timestamptz, record jsonb)
              ), added as (
                insert into reflexion_outcomes (seq, id, task_id, subject, status, ended_at, record)
                select seq, id, task_id, subject, status, ended_at, record from given order by id collate "C"
                on conflict (id) do nothing returning 1
              )
              select pg_notify(${channel}, '1') from (select from added limit 1) one where ${isTelling}`
        )
        yield* PubSub.publish(added, undefined)
      }),
      outcomesSince: Effect.fn("OutcomeLog.outcomesSince")((since, { limit = limits.given, status } = {}) =>
        sql<Line>`
          select record::text as line from reflexion_outcomes
          where ended_at >= ${toTime(since)}::timestamptz and status = any(${
            status === undefined ? ["completed", "failed", "timeout"] : [status].flat()
          })
          order by xid desc, seq desc limit ${wholeOf(limit)}`.pipe(
          stored("read outcomes"),
          Effect.map((rows) => decoded(rows).toReversed())
        )
      ),
      failureStreak: (taskId, limit) => streak(subjectOf({ taskId: idOf(taskId), objective: "" }), limit),
      failureStreakOf: (objective, limit) =>
        streak(subjectOf({ taskId: null, objective: objectiveOf(objective) }), limit),
      follow: followFrom(nothing),
      heldBack: Effect.succeed(null),
      prune: Effect.fn("OutcomeLog.prune")(function* ({ maxAge }) {
        const before = toTime((yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge))
        const rows = yield* stored("prune outcomes")(sql<{ readonly count: number }>`
          with gone as (
            delete from reflexion_outcomes where ended_at < ${before}
              and (xid, seq) <> (select xid, seq from reflexion_outcomes order by xid desc, seq desc limit 1)
            returning 1
          )
          select count(*)::int as count from gone`)
        return first(rows).count
      }),
      unreadable: sql<Line>`select record::text as line from reflexion_outcomes`.stream.pipe(
        storedStream("read outcomes"),
        Stream.filter(({ line }) => decode(fromJson(line)) === null),
        Stream.runCount
      )
    }
    return { service, followFrom }
  })

export const open = Effect.gen(function* () {
  const sql = yield* client
  return yield* make(sql, `reflexion_${yield* identity(sql)}`)
})

export const layer: Layer.Layer<OutcomeLog, StorageError, PgClient> = Layer.effect(
  OutcomeLog,
  Effect.map(open, ({ service }) => service)
)
