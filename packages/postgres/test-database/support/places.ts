/** An empty schema for each test, and layers that connect to it, as another process or machine does. */
import type { Place } from "../../../core/test/support/stores.ts"
import { Migrations } from "@reflexion/postgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    readonly database: string
  }
}

/** The address of a schema of the server. */
export const urlOf = (schema: string): string =>
  `${inject("database")}&options=${encodeURIComponent(`-c search_path=${schema}`)}`

export const clientOf = (url: string) =>
  Layer.orDie(PgClient.layer({ url: Redacted.make(url), maxConnections: 2, applicationName: "reflexion tests" }))

export const emptySchema = Effect.gen(function* () {
  const name = `t${randomUUID().replaceAll("-", "")}`
  const url = urlOf(name)
  const made = Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(`create schema ${name}`))
  yield* made.pipe(Effect.provide(clientOf(url)), Effect.orDie)
  return url
})

/** A new schema with the tables. */
export const schema = Effect.tap(emptySchema, (url) => Effect.orDie(Effect.provide(Migrations.run, clientOf(url))))

export const inDatabase = <I, E>(layer: Layer.Layer<I, E, PgClient.PgClient>): Place<I, E> =>
  Effect.map(schema, (url) => Layer.provide(layer, clientOf(url)))
