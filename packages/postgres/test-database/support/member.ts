/**
 * A process of a fleet. It says which findings it tells. Its tasks are paused in a table of the test. Bundled by the
 * test, for Node 20 runs no TypeScript.
 */
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import { TaskControl, TaskControlError } from "@reflexion/core/TaskControl"
import { FleetCycle } from "@reflexion/postgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { say } from "../../../core/test/support/say.ts"

const [url = "", name = ""] = process.argv.slice(2)

const refused = (taskId: string) => (cause: unknown) => new TaskControlError({ operation: "pause", taskId, cause })

const tasks = Layer.effect(
  TaskControl,
  Effect.map(PgClient.PgClient, (sql) =>
    TaskControl.of({
      pause: (task) => sql`insert into paused values (${task})`.pipe(Effect.as(true), Effect.mapError(refused(task))),
      isPaused: (task) =>
        sql`select from paused where task = ${task}`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.mapError(refused(task))
        ),
      active: Effect.succeed([])
    })
  )
)

const cycle = ReflectionCycle.Live({ settings: { consecutive_failure_limit: 3 }, debounce: "50 millis" })

const program = Effect.gen(function* () {
  const told = yield* (yield* ReflectionCycle).subscribe
  yield* say("ready")
  while (true) {
    const event = yield* Queue.take(told)
    if (event.type === "reflection.finding") yield* say(`${event.subject_id} ${event.severity}`)
  }
}).pipe(
  Effect.scoped,
  Effect.provide(Layer.provide(FleetCycle.layer(cycle, { name }), tasks)),
  Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 4 })),
  Effect.provide(Logger.remove(Logger.defaultLogger))
)

void Effect.runPromise(Effect.orDie(program))
