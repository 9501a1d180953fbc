/** Creates and updates the tables, in the first schema of the search path. */
import type { StorageError as StorageFailure } from "@reflexion/core/StorageError"
import { StorageError } from "@reflexion/core/StorageError"
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Migrator from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { client, first, stored, storedAll } from "./internal/database.ts"
import { tables } from "./internal/tables.ts"

const table = "reflexion_migrations"

const migrations = {
  "0001_tables": Effect.flatMap(SqlClient, (sql) => Effect.asVoid(sql.unsafe(tables)))
}

const newest = Object.keys(migrations).length

const least = 140_000

/** The version of the tables. 0 if there are no tables. */
const version = (sql: SqlClient) =>
  Effect.gen(function* () {
    const [there] = yield* sql<{ readonly is: boolean }>`select to_regclass(${table}) is not null as is`
    if (there?.is !== true) return 0
    const rows = yield* sql<{
      readonly id: number
    }>`select coalesce(max(migration_id), 0) as id from reflexion_migrations`
    return first(rows).id
  })

/** Corrects the transaction numbers after a restore into another server, because they come from the old server. */
const restored = (sql: SqlClient) => {
  const isLater = sql.literal("xid >= pg_snapshot_xmax(pg_current_snapshot())")
  // Looks for such rows first: with a read-only role or on a standby, even an update of no rows fails.
  return Effect.flatMap(sql`select 1 from reflexion_outcomes where ${isLater} limit 1`, (rows) =>
    Effect.when(
      // The new id makes machines offer again what they added after the backup.
      sql`with now as (update reflexion_database set id = gen_random_uuid()) update reflexion_outcomes set xid = '3' where ${isLater}`,
      () => rows.length > 0
    )
  )
}

/** Takes no lock if the tables are up to date. */
export const run: Effect.Effect<void, StorageFailure, PgClient> = Effect.gen(function* () {
  const sql = yield* client
  const server = first(
    yield* stored("open")(
      sql<{ readonly version: number }>`select current_setting('server_version_num')::int as version`
    )
  )
  if (server.version < least)
    return yield* new StorageError({ reason: "failed", detail: "PostgreSQL 14 or newer is needed" })
  const found = yield* stored("open")(version(sql))
  if (found > newest)
    return yield* new StorageError({
      reason: "failed",
      detail: "PostgreSQL: the tables were made by a newer version of @reflexion/postgres"
    })
  if (found < newest)
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table }).pipe(
      Effect.provideService(SqlClient, sql),
      storedAll("create tables"),
      // Several processes may create the migrator's own table at the same time.
      Effect.retry(Schedule.intersect(Schedule.recurs(3), Schedule.spaced("100 millis")))
    )
  yield* stored("open")(restored(sql))
})

export const layer: Layer.Layer<never, StorageFailure, PgClient> = Layer.effectDiscard(run)
