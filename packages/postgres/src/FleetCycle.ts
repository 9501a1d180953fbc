/**
 * One reflection cycle for many processes. The leader holds an advisory lock and writes on the connection of this lock.
 * So a process that has lost the lock can no longer write. If the leader is silent for two seconds, another process
 * takes over.
 */
import type { FindingLog as FindingLogTag } from "@reflexion/core/FindingLog"
import { FindingLog } from "@reflexion/core/FindingLog"
import { type CycleEvent, eventsOf, type Report, type Service } from "@reflexion/core/internal/memory/cycle/model"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import { StorageError } from "@reflexion/core/StorageError"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Os from "node:os"
import * as FindingLogPostgres from "./FindingLogPostgres.ts"
import { client, first, identity, stored } from "./internal/database.ts"
import * as OutcomeLogPostgres from "./OutcomeLogPostgres.ts"

/** After `silence`, the server ends the connection of the leader. `answer` is how long the leader waits. */
const times = { heartbeat: "500 millis", silence: "2s", answer: "2 seconds", attempt: "500 millis" } as const

const limits = { told: 1024, history: 200 } as const

/** The first half of the key of the lock. The second half is the identity of the tables. */
const lockOf = 0x7265666c

export interface Options {
  /** Named in the table `reflexion_cycle`. The default is the host's name and the process id. */
  readonly name?: string
}

/** The process that leads, or led last. */
export interface Status {
  readonly leader: string
  readonly ledSince: Date
  readonly heartbeat: Date
  readonly epoch: number
  readonly lookedAt: Date | null
}

const warn = ({ message }: { readonly message: string }) =>
  Effect.logWarning(`the fleet's reflection cycle: ${message}`)

/** All statements run on one connection, one after the other. */
const onConnection = Effect.fnUntraced(function* (connection: Connection) {
  const { withPermits } = yield* Effect.makeSemaphore(1)
  const alone = withPermits(1)
  return yield* SqlClient.make({
    acquirer: Effect.succeed<Connection>({
      execute: (sql, params, transform) => alone(connection.execute(sql, params, transform)),
      executeRaw: (sql, params) => alone(connection.executeRaw(sql, params)),
      executeValues: (sql, params) => alone(connection.executeValues(sql, params)),
      executeUnprepared: (sql, params, transform) => alone(connection.executeUnprepared(sql, params, transform)),
      executeStream: (sql, params, transform) => connection.executeStream(sql, params, transform)
    }),
    compiler: PgClient.makeCompiler(),
    spanAttributes: []
  }).pipe(Effect.provide(Reactivity.layer))
})

/** The error removes the connection from `pg`'s pool. Otherwise the pool could keep a connection with the lock. */
const closed = (connection: Connection) =>
  Effect.sync(() => {
    const { pg } = connection as Connection & { readonly pg?: NodeJS.EventEmitter }
    pg?.emit("error", new Error("this process no longer leads"))
  })

/** Returns the checkpoint. Null if there is no checkpoint, or if it comes from another server. */
const begin = (sql: SqlClient.SqlClient, name: string) =>
  sql<{ readonly checkpoint: string | null }>`
    insert into reflexion_cycle (leader, led_since, heartbeat) values (${name}, now(), now())
    on conflict (only_one) do update set
      leader = excluded.leader, led_since = now(), heartbeat = now(), epoch = reflexion_cycle.epoch + 1
    returning case when pg_snapshot_xmax(checkpoint) <= pg_snapshot_xmax(pg_current_snapshot()) then checkpoint::text end as checkpoint`.pipe(
    Effect.map((rows) => first(rows).checkpoint),
    stored("lead")
  )

const beat = (sql: SqlClient.SqlClient) =>
  stored("heartbeat")(sql`update reflexion_cycle set heartbeat = now()`).pipe(
    Effect.timeoutFail({
      duration: times.answer,
      onTimeout: () => new StorageError({ reason: "failed", detail: "PostgreSQL: heartbeat: no answer" })
    })
  )

const nothing: Report = { outcomes: 0, findings: [], analysis: null, mutations: [] }

const make = <E extends { readonly message: string }>(
  cycle: Layer.Layer<ReflectionCycle, E, OutcomeLog | FindingLogTag>,
  { name = `${Os.hostname()}:${process.pid}` }: Options
) =>
  Effect.gen(function* () {
    const sql = yield* client
    const { followFrom, service: log } = yield* OutcomeLogPostgres.open
    const findings = FindingLogPostgres.make(sql)
    const key = yield* identity(sql)
    const bus = yield* Effect.acquireRelease(PubSub.sliding<CycleEvent>(limits.told), PubSub.shutdown)
    const leading = yield* Ref.make<Service | null>(null)
    const isDecided = yield* Deferred.make<void>()

    /** The logs read on any connection, and write on the connection of the lock. */
    const logs = Effect.fnUntraced(function* (bound: SqlClient.SqlClient) {
      const since = yield* begin(bound, name)
      let looked = since
      const { append, appendNew } = FindingLogPostgres.make(bound, () => looked)
      const outcomes = OutcomeLog.of({
        ...log,
        follow: followFrom(since ?? OutcomeLogPostgres.nothing),
        // Takes the snapshot before it reads all outcomes. So outcomes after the snapshot are read again later.
        outcomesSince: (time, wanted) =>
          time === Number.NEGATIVE_INFINITY
            ? sql<{ readonly now: string }>`select pg_current_snapshot()::text as now`.pipe(
                stored("read outcomes"),
                Effect.tap((rows) => Effect.sync(() => (looked = first(rows).now))),
                Effect.zipRight(log.outcomesSince(time, wanted))
              )
            : log.outcomesSince(time, wanted)
      })
      return Context.make(OutcomeLog, outcomes).pipe(Context.add(FindingLog, { ...findings, append, appendNew }))
    })

    /** Leads until the connection is lost. Ends at once if another process leads. */
    const attempt = Effect.gen(function* () {
      const connection = yield* stored("lead")(sql.reserve)
      const bound = yield* onConnection(connection)
      // One statement sets the lock and the timeout, so no connection can have the lock without the timeout.
      const [row] = yield* bound<{ readonly silence: string | null }>`
        select case when pg_try_advisory_lock(${lockOf}, ${key}) then set_config('idle_session_timeout', ${times.silence}, false) end as silence`.pipe(
        stored("lead"),
        Effect.onError(() => closed(connection))
      )
      if (typeof row?.silence !== "string") return
      yield* Effect.addFinalizer(() => closed(connection))
      const given = yield* logs(bound)
      // The heartbeat begins before the cycle starts, because the start may take longer than the server waits.
      const beating = yield* Effect.forkScoped(Effect.repeat(beat(bound), Schedule.spaced(times.heartbeat)))
      const lost = Effect.zipRight(Fiber.join(beating), Effect.never)
      const built = yield* Effect.raceFirst(lost, Layer.build(Layer.provide(cycle, Layer.succeedContext(given))))
      const inner = Context.get(built, ReflectionCycle)
      const told = yield* inner.subscribe
      yield* Effect.forkScoped(Stream.runForEach(Stream.fromQueue(told), (event) => PubSub.publish(bus, event)))
      yield* Effect.acquireRelease(Ref.set(leading, inner), () => Ref.set(leading, null))
      yield* Effect.logInfo(`${name} runs the fleet's reflection cycle`)
      yield* Deferred.succeed(isDecided, undefined)
      yield* lost
    }).pipe(
      Effect.scoped,
      Effect.catchAll(warn),
      Effect.catchAllDefect((defect) => Effect.logWarning(defect))
    )

    yield* attempt.pipe(
      Effect.zipRight(Deferred.succeed(isDecided, undefined)),
      Effect.repeat(Schedule.jittered(Schedule.spaced(times.attempt))),
      Effect.forkScoped
    )
    yield* Deferred.await(isDecided)
    return ReflectionCycle.of({
      run: (options) => Effect.flatMap(Ref.get(leading), (inner) => inner?.run(options) ?? Effect.succeed(nothing)),
      events: Stream.fromPubSub(bus),
      subscribe: PubSub.subscribe(bus),
      history: () =>
        Effect.map(findings.findings(), (all) => all.flatMap(eventsOf).slice(-limits.history)).pipe(
          Effect.catchAll((error) => Effect.as(warn(error), []))
        )
    })
  })

/**
 * Many processes share the tables, and one of them runs the cycle: `FleetCycle.layer(ReflectionCycle.Live())`. In the
 * leader, `run` runs the rules and `events` has the events. Elsewhere `run` returns an empty report.
 *
 * Remember the ids of findings, and act once on each id. A leader may end before it has recorded what it did. The pool
 * needs at least two connections.
 */
export const layer = <E extends { readonly message: string }, R = never>(
  cycle: Layer.Layer<ReflectionCycle, E, OutcomeLog | FindingLogTag | R>,
  options: Options = {}
): Layer.Layer<ReflectionCycle, StorageError, PgClient.PgClient | Exclude<R, OutcomeLog | FindingLogTag>> =>
  Layer.scoped(
    ReflectionCycle,
    Effect.flatMap(Effect.context<Exclude<R, OutcomeLog | FindingLogTag>>(), (context) =>
      make(
        Layer.provide(cycle, Layer.succeedContext(context)) as Layer.Layer<
          ReflectionCycle,
          E,
          OutcomeLog | FindingLogTag
        >,
        options
      )
    )
  )

/** Null if no process has led so far. If the heartbeat is older than five seconds, nobody leads. */
export const status: Effect.Effect<Status | null, StorageError, PgClient.PgClient> = Effect.gen(function* () {
  const sql = yield* client
  const [row] = yield* stored("read the cycle")(sql<Status>`
    select leader, led_since as "ledSince", heartbeat, epoch::int as epoch, looked_at as "lookedAt" from reflexion_cycle`)
  return row ?? null
})
