/** The client that the services use, and their errors. */
import { StorageError } from "@reflexion/core/StorageError"
import * as PgClient from "@effect/sql-pg/PgClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Keeps the names of columns, even if the program's client changes names. */
export const client: Effect.Effect<PgClient.PgClient, never, PgClient.PgClient> = Effect.map(PgClient.PgClient, (sql) =>
  sql.withoutTransforms()
)

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? text(cause.code) : ""

/** The code is PostgreSQL's SQLSTATE. */
const reasonOf = (code: string): StorageError["reason"] => {
  if (["40001", "40P01", "53300", "55P03", "57014"].includes(code)) return "busy"
  if (code === "53100") return "full"
  return code.startsWith("28") || code === "42501" || code === "25006" ? "denied" : "failed"
}

const missing = "run `reflexion memory sync --store …` or Migrations.run first"

/** Keeps only the message, because the error's other fields may have parts of records. */
const refused =
  (operation: string) =>
  (error: unknown): StorageError => {
    const cause = typeof error === "object" && error !== null && "cause" in error ? error.cause : error
    const code = codeOf(cause)
    const said = (cause instanceof Error ? cause.message : "") || code || "the connection failed"
    const message = code === "42P01" ? `${said}: ${missing}` : said
    return new StorageError({ reason: reasonOf(code), detail: `PostgreSQL: ${operation}: ${message}` })
  }

export const stored =
  (operation: string) =>
  <A, R>(work: Effect.Effect<A, SqlError, R>): Effect.Effect<A, StorageError, R> =>
    Effect.mapError(work, refused(operation))

/** For work that can also fail with other errors or defects, such as migrations and transactions. */
export const storedAll =
  (operation: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, StorageError, R> =>
    Effect.catchAllCause(work, (cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.fail(refused(operation)(Cause.squash(cause)))
    )

export const storedStream =
  (operation: string) =>
  <A, R>(all: Stream.Stream<A, SqlError, R>): Stream.Stream<A, StorageError, R> =>
    Stream.mapError(all, refused(operation))

export const first = <A>(rows: ReadonlyArray<A>): A => {
  const [row] = rows
  if (row === undefined) throw new Error("the statement returned no row")
  return row
}

/** The object id of a table. It differs between schemas, so two fleets in one database share no lock and no channel. */
export const identity = (sql: SqlClient): Effect.Effect<number, StorageError> =>
  sql<{ readonly oid: number }>`select 'reflexion_outcomes'::regclass::oid::int4 as oid`.pipe(
    Effect.map((rows) => first(rows).oid),
    stored("open")
  )
