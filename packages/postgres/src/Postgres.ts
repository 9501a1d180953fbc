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
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FindingLogPostgres from "./FindingLogPostgres.ts"
import * as Migrations from "./Migrations.ts"
import * as OutcomeLogPostgres from "./OutcomeLogPostgres.ts"
import * as ReflexionStorePostgres from "./ReflexionStorePostgres.ts"

/** Creates the tables if needed, and provides the store of lessons and both logs. */
export const layer: Layer.Layer<
  ReflexionStore | OutcomeLog | FindingLog,
  ReflectionError | StorageError,
  PgClient.PgClient
> = Layer.mergeAll(ReflexionStorePostgres.layer, OutcomeLogPostgres.layer, FindingLogPostgres.layer).pipe(
  Layer.provide(Migrations.layer)
)

const settings = Config.all({
  url: Config.option(Config.redacted("DATABASE_URL")),
  host: Config.option(Config.string("PGHOST")),
  port: Config.option(Config.port("PGPORT")),
  database: Config.option(Config.string("PGDATABASE")),
  username: Config.option(Config.string("PGUSER")),
  password: Config.option(Config.redacted("PGPASSWORD")),
  mode: Config.withDefault(Config.string("PGSSLMODE"), "prefer")
})

/**
 * Connects as the environment says: `DATABASE_URL`, or `PGHOST`, `PGPORT`, `PGDATABASE`, `PGUSER`, `PGPASSWORD` and
 * `PGSSLMODE`. With the modes `require`, `verify-ca` and `verify-full`, the server's certificate is verified.
 */
export const clientFromEnv: Layer.Layer<PgClient.PgClient | SqlClient, ConfigError | SqlError> = Layer.unwrapEffect(
  Effect.map(settings, ({ mode, ...given }) => {
    const { database, host, password, port, url, username } = given
    const isVerified = ["require", "verify-ca", "verify-full"].includes(mode)
    return PgClient.layer({
      ...Option.match(url, {
        onSome: (url) => ({ url }),
        onNone: () => ({
          host: Option.getOrUndefined(host),
          port: Option.getOrUndefined(port),
          database: Option.getOrUndefined(database),
          username: Option.getOrUndefined(username),
          password: Option.getOrUndefined(password)
        })
      }),
      ...(isVerified && { ssl: true }),
      applicationName: "reflexion",
      connectTimeout: "5 seconds"
    })
  })
)
