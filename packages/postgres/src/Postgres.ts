/** Connects to a database, and provides all services of this package at once. */
import type { FindingLog } from "@reflexion/core/FindingLog"
import type { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import type { ReflexionStore } from "@reflexion/core/ReflexionStore"
import type { StorageError } from "@reflexion/core/StorageError"
import * as PgClient from "@effect/sql-pg/PgClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import { readFileSync } from "node:fs"
import * as Address from "./Address.ts"
import * as FindingLogPostgres from "./FindingLogPostgres.ts"
import * as Migrations from "./Migrations.ts"
import * as OutcomeLogPostgres from "./OutcomeLogPostgres.ts"
import * as ReflexionStorePostgres from "./ReflexionStorePostgres.ts"

/** Creates the tables if needed. */
export const layer: Layer.Layer<
  ReflexionStore | OutcomeLog | FindingLog,
  ReflectionError | StorageError,
  PgClient.PgClient
> = Layer.mergeAll(ReflexionStorePostgres.layer, OutcomeLogPostgres.layer, FindingLogPostgres.layer).pipe(
  Layer.provide(Migrations.layer)
)

/** The URL names every part, because the driver would take a missing part from the environment. */
const urlOf = ({ host, name, options, password, port, user }: Address.Address): string => {
  const parts = Object.entries({ host, port, user, password, options }).filter(([, text]) => text !== "")
  return `postgres:///${encodeURIComponent(name)}?${parts.map(([key, text]) => `${key}=${encodeURIComponent(text)}`).join("&")}`
}

const secured = ({ tls }: Address.Address) =>
  tls !== null && {
    rejectUnauthorized: true,
    ...(tls.authorities !== "" && { ca: readFileSync(tls.authorities, "utf8") })
  }

/** Throws if the file with the certificate authorities cannot be read. */
export const clientAt = (
  address: Address.Address,
  options: Partial<PgClient.PgClientConfig> = {}
): Layer.Layer<PgClient.PgClient | SqlClient, SqlError> =>
  PgClient.layer({
    url: Redacted.make(urlOf(address)),
    ssl: secured(address),
    applicationName: "reflexion",
    connectTimeout: "5 seconds",
    ...options
  })

const names = [
  "DATABASE_URL",
  ...["HOST", "PORT", "DATABASE", "USER", "PASSWORD", "OPTIONS", "SSLMODE", "SSLROOTCERT"].map((name) => `PG${name}`)
]

const settings = Config.all(Object.fromEntries(names.map((name) => [name, Config.option(Config.string(name))])))

/**
 * From `DATABASE_URL`, or `PGHOST`, `PGPORT`, `PGDATABASE`, `PGUSER`, `PGPASSWORD`, `PGOPTIONS`, `PGSSLMODE` and
 * `PGSSLROOTCERT`. A server on another machine must use TLS with a valid certificate for its name.
 */
export const clientFromEnv: Layer.Layer<PgClient.PgClient | SqlClient, ConfigError.ConfigError | SqlError> =
  Layer.unwrapEffect(
    Effect.flatMap(settings, (given) =>
      Effect.try({
        try: () => clientAt(Address.read("env", Record.map(given, Option.getOrUndefined))),
        catch: (cause) => ConfigError.InvalidData([], cause instanceof Error ? cause.message : String(cause))
      })
    )
  )
