/** Makes the layers. Without a database, connecting fails with an error and does not end the program. */
import { OutcomeLog } from "@reflexion/core"
import { Postgres } from "@reflexion/postgres"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as assert from "node:assert/strict"

const program = Effect.flatMap(OutcomeLog.OutcomeLog, ({ outcomesSince }) => outcomesSince(0))

const environment = ConfigProvider.fromMap(new Map([["DATABASE_URL", "postgres://nobody@127.0.0.1:1/nothing"]]))

const failed = await Postgres.layer.pipe(
  Layer.provide(Postgres.clientFromEnv),
  (layer) => Effect.provide(program, layer),
  Effect.withConfigProvider(environment),
  Effect.flip,
  Effect.runPromise
)
assert.equal(failed._tag, "SqlError")
