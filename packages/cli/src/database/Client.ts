/** Connects to a database. This module is loaded only if `--store` names a database, because the driver is large. */
import type { FindingLog } from "@reflexion/core/FindingLog"
import type { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { ReflexionStore } from "@reflexion/core/ReflexionStore"
import {
  FindingLogPostgres,
  Migrations,
  OutcomeLogPostgres,
  Postgres,
  ReflexionStorePostgres
} from "@reflexion/postgres"
import type { Address } from "@reflexion/postgres/Address"
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CliFailure } from "../process/CliError.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"

export * as MemorySync from "@reflexion/postgres/MemorySync"

const failed = (address: Address) => (error: { readonly message: string; readonly cause?: unknown }) => {
  const { cause = error } = error
  const why = (cause instanceof Error ? cause.message : "") || error.message
  return Layer.fail(new CliFailure({ problem: `${oneLine(address.shown)}: ${oneLine(why)}` }))
}

const clientOf = (address: Address) =>
  Layer.unwrapEffect(
    Effect.try({
      try: () => Postgres.clientAt(address, { maxConnections: 4 }),
      catch: (cause) => explain(cause, address.tls?.authorities ?? "")
    })
  ).pipe(Layer.catchAll((error) => (error instanceof CliFailure ? Layer.fail(error) : failed(address)(error))))

/** With `writes`, the tables are created if needed. */
export const layer = (
  address: Address,
  writes: boolean
): Layer.Layer<ReflexionStore | OutcomeLog | FindingLog | PgClient.PgClient, CliFailure> =>
  Layer.mergeAll(ReflexionStorePostgres.layer, OutcomeLogPostgres.layer, FindingLogPostgres.layer).pipe(
    Layer.provide(writes ? Migrations.layer : Layer.empty),
    Layer.catchAll((error) => failed(address)(error)),
    Layer.provideMerge(clientOf(address))
  )
