/** Shares lessons and their events between the database and machines that keep them in files. */
import type { MemoryEvent } from "@reflexion/core/internal/memory/store/MemoryLine"
import type { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { isResolved } from "@reflexion/core/RetryPrompt"
import type { StorageError } from "@reflexion/core/StorageError"
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import { client, first, stored } from "./internal/database.ts"
import { eventIn, lessonIn, type Line, whatOf } from "./internal/rows.ts"
import { fromText, toJson, toText, toTime } from "./internal/text.ts"

/** What a writer says about itself. The server itself knows the writer's role. */
export interface Writer {
  readonly project: string
  readonly machine: string
}

/** `version` changes when the lesson is replaced. */
export interface SharedLesson {
  readonly lesson: Reflection
  /** Null if the writer did not say it. */
  readonly project: string | null
  readonly version: string
  /** The role of the writer, as the server checked it. */
  readonly author: string
  readonly machine: string | null
}

/** `id` is a UUID. The same event always has the same id. */
export interface SharedEvent {
  readonly id: string
  readonly event: MemoryEvent
}

interface Row extends Line {
  readonly id: string
  readonly version: string
  readonly author: string
  readonly machine: string | null
  readonly project: string | null
}

const textIn = (stored: string | null): string | null => (stored === null ? null : fromText(stored))

const lessonOf = (row: Row): ReadonlyArray<SharedLesson> => {
  const { author, version } = row
  const from = { version, author, machine: textIn(row.machine), project: textIn(row.project) }
  return lessonIn(row).map((lesson) => ({ lesson, ...from }))
}

/** In characters. No machine fetches a longer record, although a writer can add one to the database. */
const longest = 64 * 1024

/** True if a person resolved or wrote version `one` of a lesson, but not version `other`. */
const isFirm = (one: Reflection, other: Reflection): boolean =>
  (isResolved(one) && !isResolved(other)) || (one.source === "human" && other.source !== "human")

/** `base` is the last version that both sides had. */
export interface Offer {
  readonly lesson: Reflection
  readonly base: string | null
}

/** If both sides changed a lesson, a person's change wins. Otherwise the database's change wins. */
const isDue = ({ base, lesson }: Offer, known: SharedLesson | undefined): boolean => {
  // If the lesson has a base, it was in the database and was deleted there. Then it is not added again.
  if (known === undefined) return base === null
  if (JSON.stringify(known.lesson) === JSON.stringify(lesson)) return false
  return known.version === base || isFirm(lesson, known.lesson)
}

/** A new or restored database has another id. */
export const database = Effect.gen(function* () {
  const sql = yield* client
  return first(yield* stored("open")(sql<{ readonly id: string }>`select id::text as id from reflexion_database`)).id
})

/** Uses one transaction. Returns how many lessons were added or replaced, and the database's lessons by id. */
export const offer = Effect.fn("MemorySync.offer")(function* (
  { machine, project }: Writer,
  offers: ReadonlyArray<Offer>
): Effect.fn.Return<
  { readonly count: number; readonly shared: ReadonlyMap<string, SharedLesson> },
  StorageError | ReflectionError,
  PgClient | ReflexionStore
> {
  const sql = yield* client
  const { append } = yield* ReflexionStore
  const ids = offers.map(({ lesson }) => toText(lesson.id))
  const known = Effect.map(
    stored("read lessons")(sql<Row>`
      select id, seq::text as version, added_by::text as author, machine, project, record::text as line
      from reflexion_lessons where id = any(${ids}::text[]) order by id for update`),
    (rows) => new Map(rows.flatMap(lessonOf).map((one) => [one.lesson.id, one]))
  )
  const work = Effect.gen(function* () {
    const before = yield* known
    const due = offers.filter((one) => isDue(one, before.get(one.lesson.id))).map(({ lesson }) => lesson)
    if (due.length === 0) return { count: 0, shared: before }
    yield* stored("open")(
      sql`select set_config('reflexion.project', ${toText(project)}, true), set_config('reflexion.machine', ${toText(machine)}, true)`
    )
    yield* append(due)
    yield* stored("append lessons")(
      sql`update reflexion_lessons set machine = default, project = default where id = any(${due.map(({ id }) => toText(id))}::text[])`
    )
    return { count: due.length, shared: yield* known }
  })
  return yield* sql.withTransaction(work).pipe(Effect.catchTag("SqlError", (error) => stored("append lessons")(error)))
})

/** `since` is in ms. */
export const lessons = Effect.fn("MemorySync.lessons")(function* (
  project: string,
  { limit, since }: { readonly since: number; readonly limit: number }
) {
  const sql = yield* client
  const rows = yield* stored("read lessons")(sql<Row>`
    select id, seq::text as version, added_by::text as author, machine, project, record::text as line from reflexion_lessons
    where project = ${toText(project)} and created_at >= ${toTime(since)}::timestamptz and length(record::text) <= ${longest}
    order by created_at desc, seq desc limit ${limit}`)
  return rows.toReversed().flatMap(lessonOf)
})

export const changed = Effect.fn("MemorySync.changed")(function* (
  known: ReadonlyArray<{ readonly id: string; readonly version: string }>
) {
  const sql = yield* client
  const rows = yield* stored("read lessons")(sql<Row>`
    select id, seq::text as version, added_by::text as author, machine, project, record::text as line
    from unnest(${known.map(({ id }) => toText(id))}::text[], ${known.map(({ version }) => version)}::bigint[]) as known(id, seen)
    join reflexion_lessons using (id) where seq <> seen and length(record::text) <= ${longest} order by seq`)
  return rows.flatMap(lessonOf)
})

/** Returns how many events were new. */
export const addEvents = Effect.fn("MemorySync.addEvents")(function* (
  { project }: Writer,
  events: ReadonlyArray<SharedEvent>
) {
  const sql = yield* client
  const rows = events.map(({ event, id }) => ({
    id,
    what: whatOf(event),
    at: toTime(Date.parse(event.at)),
    reflection_ids: event.reflectionIds,
    record: event
  }))
  const added = yield* stored("append events")(sql`
    insert into reflexion_lesson_events (event_id, project, what, at, reflection_ids, record)
    select id, ${toText(project)}, what, at, reflection_ids, record
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as one(id uuid, what text, at timestamptz, reflection_ids text[], record jsonb)
    order by id on conflict (event_id) do nothing returning 1`)
  return added.length
})

/** Events about these lessons or their subtasks, oldest first. */
export const events = Effect.fn("MemorySync.events")(function* (
  project: string,
  { limit, of, since }: { readonly of: ReadonlyArray<Reflection>; readonly since: number; readonly limit: number }
) {
  const sql = yield* client
  const ids = of.map(({ id }) => toText(id))
  const subtasks = [...new Set(of.map(({ subtaskId }) => toText(subtaskId)))]
  const rows = yield* stored("read events")(sql<Line & { readonly id: string }>`
    select event_id::text as id, record::text as line from reflexion_lesson_events
    where project = ${toText(project)} and at >= ${toTime(since)}::timestamptz and length(record::text) <= ${longest}
      and (reflection_ids && ${ids}::text[] or record->>'subtaskId' = any(${subtasks}::text[]))
    order by at desc, seq desc limit ${limit}`)
  return rows.toReversed().flatMap((row) => eventIn(row).map((event): SharedEvent => ({ id: row.id, event })))
})

export const writers = Effect.fn("MemorySync.writers")(function* (ids: ReadonlyArray<string>) {
  const sql = yield* client
  const rows = yield* stored("read lessons")(sql<Pick<Row, "id" | "author" | "machine">>`
    select id, added_by::text as author, machine from reflexion_lessons where id = any(${ids.map(toText)}::text[])`)
  return new Map(rows.map(({ author, id, machine }) => [fromText(id), { author, machine: textIn(machine) }]))
})
