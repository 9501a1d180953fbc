/** Stores lessons from failed attempts, and what came of the lessons, in tables that many machines share. */
import { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import { clean, type MemoryEvent } from "@reflexion/core/internal/memory/store/MemoryLine"
import * as Queries from "@reflexion/core/internal/memory/store/Queries"
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore, type Service, type UseInput } from "@reflexion/core/ReflexionStore"
import { keyOf } from "@reflexion/core/RetryPrompt"
import type { StorageError } from "@reflexion/core/StorageError"
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { client, stored, storedStream } from "./internal/database.ts"
import { hashOf } from "./internal/hash.ts"
import { lessonIn, type Line, whatOf } from "./internal/rows.ts"
import { candidates } from "./internal/search.ts"
import { fromText, toJson, toText, toTime } from "./internal/text.ts"

/** If several lessons have the same id, the last is used, at its own position. */
const rowsOf = (lessons: ReadonlyArray<Reflection>) => {
  const last = new Map(lessons.map((one) => [one.id, one]))
  return lessons
    .filter((one) => last.get(one.id) === one)
    .map((record) => {
      const terms = Queries.termsIn(record)
      return {
        id: record.id,
        task_id: record.taskId,
        subtask_id: record.subtaskId,
        attempt_number: record.attemptNumber,
        category: record.category,
        source: record.source,
        created_at: toTime(Date.parse(record.createdAt)),
        said: hashOf(keyOf(record)),
        length: terms.length,
        terms: [...new Set(terms)],
        record
      }
    })
}

interface Counted {
  readonly id: string
  readonly what: keyof Queries.Results
  readonly count: number
}

const effectsOf = (rows: ReadonlyArray<Counted>): Map<string, Queries.Results> => {
  const effects = new Map<string, Queries.Results>()
  for (const { count, id, what } of rows)
    effects.set(fromText(id), { ...(effects.get(fromText(id)) ?? Queries.none), [what]: count })
  return effects
}

interface Tallied extends Queries.Results {
  readonly category: string
  readonly source: string | null
  readonly of: number
}

const tallyOf = (rows: ReadonlyArray<Tallied>): Queries.Tally => {
  const sum = (key: keyof Queries.Results | "of") => rows.reduce((total, row) => total + row[key], 0)
  const counts = { injected: sum("injected"), used: sum("used"), succeeded: sum("succeeded"), failed: sum("failed") }
  return { of: sum("of"), ...counts, rate: Queries.rateOf(counts) }
}

const tallies = (rows: ReadonlyArray<Tallied>, nameOf: (row: Tallied) => string) =>
  Object.fromEntries(
    [...new Set(rows.map(nameOf))].map((name) => [name, tallyOf(rows.filter((row) => nameOf(row) === name))])
  )

const refused = ({ detail }: StorageError) => new ReflectionError({ reason: "storage_error", detail })

const kept =
  (operation: string) =>
  <A, R>(work: Effect.Effect<A, SqlError, R>): Effect.Effect<A, ReflectionError, R> =>
    Effect.mapError(stored(operation)(work), refused)

const notFound = (id: string) => new ReflectionError({ reason: "not_found", detail: `there is no lesson ${id}` })

const make = (sql: SqlClient): Service => {
  const note = Effect.fnUntraced(function* (
    { attemptNumber, reflectionIds, subtaskId, taskId }: UseInput,
    outcome:
      | { readonly event: "use"; readonly kind: "injected" | "used" }
      | { readonly event: "outcome"; readonly success: boolean }
  ) {
    const ids = [...new Set(reflectionIds)]
    if (outcome.event === "use" && ids.length === 0) return
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    const of = { taskId: taskId ?? null, subtaskId: subtaskId ?? null, attemptNumber: attemptNumber ?? null }
    const event: MemoryEvent = { ...outcome, at, reflectionIds: ids, ...of }
    const keys = ids.map(toText)
    const [row] = yield* sql<{ readonly id: string }>`
      with unknown as (
        select asked.id from unnest(${keys}::text[]) with ordinality as asked(id, at)
        where not exists (select from reflexion_lessons where id = asked.id) order by at limit 1
      ), added as (
        insert into reflexion_lesson_events (what, at, reflection_ids, record)
        select ${whatOf(event)}, ${at}, ${keys}, ${toJson(event)}::jsonb where not exists (select from unknown)
      )
      select id from unknown`.pipe(kept("append an event"))
    if (row !== undefined) return yield* notFound(fromText(row.id))
  })

  const search = Effect.fnUntraced(function* (query: string, filters: Queries.Filters, limit: number, all: boolean) {
    const { corpus, isPart, lines } = yield* candidates(sql, query, filters, all)
    const lessons = new Map(lines.flatMap((line) => lessonIn({ line })).map((one) => [one.id, one]))
    const ids = [...lessons.keys()].map(toText)
    const counts = yield* sql<Counted>`
      select id, what, count(*)::int as count from reflexion_lesson_events, unnest(reflection_ids) as of(id)
      where reflection_ids && ${ids}::text[] and id = any(${ids}::text[]) group by id, what`
    const content = { lessons, effects: effectsOf(counts), without: Queries.none }
    return { isPart, found: Queries.similar(content, query, { ...filters, limit }, corpus) }
  })

  const all = storedStream("read lessons")(
    sql<Line>`select record::text as line from reflexion_lessons order by seq`.stream
  ).pipe(Stream.mapError(refused))

  const stream = Stream.mapConcat(all, lessonIn)

  return {
    append: (input) =>
      Effect.suspend(() => {
        const lessons = ("id" in input ? [input] : input).map(clean)
        if (lessons.length === 0) return Effect.succeed(lessons)
        const rows = rowsOf(lessons)
        const columns = sql.literal(
          "id, task_id, subtask_id, attempt_number, category, source, created_at, said, length, terms, record"
        )
        const one = sql.literal(
          `one(id text, task_id text, subtask_id text, attempt_number int, category text, source text,
            created_at timestamptz, said uuid, length int, terms text[], record jsonb)`
        )
        const replace = sql.literal(
          `on conflict (id) do update set
            seq = excluded.seq, task_id = excluded.task_id, subtask_id = excluded.subtask_id,
            attempt_number = excluded.attempt_number, category = excluded.category, source = excluded.source,
            created_at = excluded.created_at, added_at = default, added_by = default, machine = default,
            project = coalesce(excluded.project, reflexion_lessons.project), said = excluded.said,
            length = excluded.length, terms = excluded.terms, record = excluded.record`
        )
        // Most appends have one lesson, and this statement needs much less planning in the database. Several rows are
        // locked in the order of their ids, so that two writers never wait for each other.
        const statement =
          rows.length === 1
            ? sql`insert into reflexion_lessons (${columns}) select ${columns}
              from jsonb_to_record(${toJson(rows[0])}::jsonb) as ${one} ${replace}`
            : sql`
              with given as materialized (
                select nextval(pg_get_serial_sequence('reflexion_lessons', 'seq')) as seq, one.*
                from (
                  select value from jsonb_array_elements(${toJson(rows)}::jsonb) with ordinality as rows(value, at) order by at
                ) ordered,
                jsonb_to_record(value) as ${one}
              )
              insert into reflexion_lessons (seq, ${columns}) select seq, ${columns} from given order by id collate "C" ${replace}`
        return statement.pipe(kept("append lessons"), Effect.as(lessons))
      }),
    get: Effect.fn("ReflexionStore.get")(function* (id) {
      const rows = yield* kept("read lessons")(
        sql<Line>`select record::text as line from reflexion_lessons where id = ${toText(id)}`
      )
      return rows.flatMap(lessonIn)[0] ?? (yield* notFound(id))
    }),
    getRecent: (subtaskId, limit = 3) =>
      sql<Line>`select record::text as line from reflexion_lessons where subtask_id = ${toText(subtaskId)}
        order by attempt_number desc, seq desc limit ${Number.isFinite(limit) ? Math.max(0, Math.ceil(limit)) : null}`.pipe(
        kept("read lessons"),
        Effect.map((rows) => rows.flatMap(lessonIn))
      ),
    getForTask: (taskId) =>
      sql<Line>`select record::text as line from reflexion_lessons where task_id = ${toText(taskId)} order by seq`.pipe(
        kept("read lessons"),
        Effect.map((rows) => rows.flatMap(lessonIn))
      ),
    similar: Effect.fn("ReflexionStore.similar")(function* (query, filters = {}, limit = 5) {
      const { found, isPart } = yield* kept("search")(search(query, filters, limit, false))
      return isPart && found.length < limit ? (yield* kept("search")(search(query, filters, limit, true))).found : found
    }),
    recordUse: Effect.fn("ReflexionStore.recordUse")((input) =>
      note(input, { event: "use", kind: input.kind ?? "injected" })
    ),
    recordOutcome: Effect.fn("ReflexionStore.recordOutcome")((input) =>
      note(input, { event: "outcome", success: input.success })
    ),
    stats: Effect.gen(function* () {
      const rows = yield* sql<Tallied>`
        select category, source, count(*)::int as of,
          coalesce(sum(injected), 0)::int as injected, coalesce(sum(used), 0)::int as used,
          coalesce(sum(succeeded), 0)::int as succeeded, coalesce(sum(failed), 0)::int as failed
        from reflexion_lessons left join (
          select id, count(*) filter (where what = 'injected') as injected, count(*) filter (where what = 'used') as used,
            count(*) filter (where what = 'succeeded') as succeeded, count(*) filter (where what = 'failed') as failed
          from reflexion_lesson_events, unnest(reflection_ids) as of(id) group by id
        ) counts using (id) group by category, source`
      const [of] = yield* sql<{
        readonly tasks: number
        readonly subtasks: number
        readonly succeeded: number
        readonly failed: number
      }>`
        select (select count(distinct task_id)::int from reflexion_lessons) as tasks,
          (select count(distinct subtask_id)::int from reflexion_lessons) as subtasks,
          count(*) filter (where what = 'succeeded')::int as succeeded, count(*) filter (where what = 'failed')::int as failed
        from reflexion_lesson_events where reflection_ids = '{}'`
      const { failed = 0, subtasks = 0, succeeded = 0, tasks = 0 } = of ?? {}
      const all = tallyOf(rows)
      return {
        reflections: all.of,
        tasks,
        subtasks,
        categories: tallies(rows, ({ category }) => category),
        sources: tallies(rows, ({ source }) => source ?? "unknown"),
        all,
        without: { succeeded, failed, rate: Queries.rateOf({ succeeded, failed }) }
      }
    }).pipe(kept("read lessons"), Effect.withSpan("ReflexionStore.stats")),
    effectiveness: sql<Counted>`
      select id, what, count(*)::int as count from reflexion_lesson_events, unnest(reflection_ids) as of(id) group by id, what`.pipe(
      kept("read lessons"),
      Effect.map(effectsOf)
    ),
    heldBack: Effect.succeed(null),
    // `maxAge` deletes only lessons of the program's own project. Another project may keep its lessons longer.
    prune: Effect.fn("ReflexionStore.prune")(function* (input) {
      const before =
        "where" in input ? null : toTime((yield* Clock.currentTimeMillis) - Duration.toMillis(input.maxAge))
      const doomed = "where" in input ? yield* Stream.runCollect(Stream.filter(stream, input.where)) : []
      const ids = Array.from(doomed, ({ id }) => toText(id))
      const [row] = yield* kept("prune lessons")(sql<{ readonly count: number }>`
        with own as (
          select nullif(current_setting('reflexion.project', true), '') as project
        ), gone as (
          delete from reflexion_lessons using own
          where created_at < ${before} and reflexion_lessons.project is not distinct from own.project or id = any(${ids}::text[])
          returning id
        ), spent as (
          delete from reflexion_lesson_events using own
          where at < ${before} and reflexion_lesson_events.project is not distinct from own.project
            or reflection_ids <> '{}' and reflection_ids <@ (select coalesce(array_agg(id), '{}') from gone)
        )
        select count(*)::int as count from gone`)
      return row?.count ?? 0
    }),
    unreadable: Stream.runFold(all, 0, (count, row) => count + (lessonIn(row).length === 0 ? 1 : 0)),
    stream
  }
}

export const layer: Layer.Layer<ReflexionStore, ReflectionError, PgClient> = Layer.effect(
  ReflexionStore,
  Effect.gen(function* () {
    const sql = yield* client
    yield* kept("open")(sql`select 1 from reflexion_lessons, reflexion_lesson_events limit 1`)
    return make(sql)
  })
)
