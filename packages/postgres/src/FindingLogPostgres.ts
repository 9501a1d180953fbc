/** The findings of the reflection cycle in a table. */
import { FindingLog, type Service } from "@reflexion/core/FindingLog"
import { clean, decode, type ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import type { StorageError } from "@reflexion/core/StorageError"
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { client, first, stored } from "./internal/database.ts"
import type { Line } from "./internal/rows.ts"
import { fromJson, fromText, toJson, toText, toTime } from "./internal/text.ts"

const decoded = (rows: ReadonlyArray<Line>): ReadonlyArray<ReflectionFinding> =>
  rows.flatMap(({ line }) => decode(fromJson(line)) ?? [])

/** If several findings have the same id, the last is used, at the position of the first. */
const rowsOf = (findings: ReadonlyArray<ReflectionFinding>): string =>
  toJson(
    [...new Map(findings.map(clean).map((one) => [one.id, one])).values()].map((record) => ({
      id: record.id,
      found_at: toTime(Date.parse(record.at)),
      rule: record.rule,
      severity: record.severity,
      subject_type: record.subjectType,
      subject_id: record.subjectId,
      record
    }))
  )

/** Locks rows in the order of their ids, so that two writers never wait for each other. */
const inserted = (sql: SqlClient, rows: string) => sql`
  given as materialized (
    select nextval(pg_get_serial_sequence('reflexion_findings', 'seq')) as seq, one.*
    from (
      select value from jsonb_array_elements(${rows}::jsonb) with ordinality as rows(value, at) order by at
    ) ordered,
    jsonb_to_record(value)
      as one(id text, found_at timestamptz, rule text, severity text, subject_type text, subject_id text, record jsonb)
  ), added as (
    insert into reflexion_findings (seq, id, found_at, rule, severity, subject_type, subject_id, record)
    select seq, id, found_at, rule, severity, subject_type, subject_id, record from given order by id collate "C"`

/**
 * `checkpoint` is the snapshot of the outcomes that the rules have looked at. One statement stores it together with the
 * new findings. So a process that takes over neither misses nor repeats a finding.
 */
export const make = (sql: SqlClient, checkpoint?: () => string | null): Service => ({
  append: (findings) =>
    Effect.suspend(() => {
      const all = "id" in findings ? [findings] : findings
      return all.length === 0
        ? Effect.void
        : sql`with ${inserted(sql, rowsOf(all))}
            on conflict (id) do update set
              found_at = excluded.found_at, rule = excluded.rule, severity = excluded.severity,
              subject_type = excluded.subject_type, subject_id = excluded.subject_id, record = excluded.record
          ) select 1`
    }).pipe(stored("append findings"), Effect.asVoid),
  appendNew: (findings) =>
    Effect.suspend(() =>
      findings.length === 0 && checkpoint === undefined
        ? Effect.succeed([])
        : sql<{ readonly id: string }>`with looked as (
            update reflexion_cycle set looked_at = now(), checkpoint = coalesce(${checkpoint?.() ?? null}, checkpoint)
            where ${checkpoint !== undefined}
          ), ${inserted(sql, rowsOf(findings))} on conflict (id) do nothing returning id
          ) select id from added`
    ).pipe(
      stored("append findings"),
      Effect.map((rows) => new Set(rows.map(({ id }) => fromText(id))))
    ),
  get: (id) =>
    sql<Line>`select record::text as line from reflexion_findings where id = ${toText(id)}`.pipe(
      stored("read findings"),
      Effect.map((rows) => decoded(rows)[0] ?? null)
    ),
  findings: () =>
    Effect.map(
      stored("read findings")(sql<Line>`select record::text as line from reflexion_findings order by seq`),
      decoded
    ),
  heldBack: Effect.succeed(null),
  prune: Effect.fn("FindingLog.prune")(function* ({ maxAge }) {
    const before = toTime((yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge))
    const rows = yield* stored("prune findings")(sql<{ readonly count: number }>`
      with gone as (delete from reflexion_findings where found_at < ${before} returning 1)
      select count(*)::int as count from gone`)
    return first(rows).count
  }),
  unreadable: Effect.map(
    stored("read findings")(sql<Line>`select record::text as line from reflexion_findings`),
    (rows) => rows.length - decoded(rows).length
  )
})

export const layer: Layer.Layer<FindingLog, StorageError, PgClient> = Layer.effect(
  FindingLog,
  Effect.gen(function* () {
    const sql = yield* client
    yield* stored("open")(sql`select 1 from reflexion_findings limit 1`)
    return make(sql)
  })
)
