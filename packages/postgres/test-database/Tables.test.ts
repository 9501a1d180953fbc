/** What the tables add to what all stores do: transactions that overlap, a restore, migrations, and errors. */
import { assert, describe } from "@effect/vitest"
import { FindingLog } from "@reflexion/core/FindingLog"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { Migrations, OutcomeLogPostgres, Postgres, ReflexionStorePostgres } from "@reflexion/postgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import { ConfigProvider, Context, Deferred, Effect, Fiber, Layer, Redacted, Stream, String } from "effect"
import { readFileSync } from "node:fs"
import { bare } from "../../core/test/support/bare.ts"
import { finding } from "../../core/test/support/findingContract.ts"
import { outcome } from "../../core/test/support/outcomes.ts"
import { live } from "../../core/test/support/works.ts"
import { clientOf, emptySchema, schema } from "./support/places.ts"

const withOption = (url: string, option: string): string => `${url}${encodeURIComponent(` -c ${option}`)}`

/** A log with its own client, as another process has them. */
const opened = (url: string) =>
  Effect.map(Layer.build(Layer.provideMerge(OutcomeLogPostgres.layer, clientOf(url))), (context) => ({
    log: Context.get(context, OutcomeLog),
    sql: Context.get(context, PgClient.PgClient)
  }))

/** Reads until `count` outcomes were told. */
const told = Effect.fnUntraced(function* (log: Context.Tag.Service<OutcomeLog>, count: number) {
  const read: Array<string> = []
  const all = Stream.runForEachWhile(log.follow(0), ({ id }) => Effect.sync(() => read.push(id) < count))
  const reading = yield* Effect.fork(all)
  const has = (few: number) => Effect.repeat(Effect.sleep("10 millis"), { until: () => read.length >= few })
  return { has, all: Effect.as(Fiber.join(reading), read) }
})

describe("the author of a lesson", () => {
  live("is the role of the connection, whatever a writer says", function* () {
    const url = yield* schema
    const store = Layer.provideMerge(ReflexionStorePostgres.layer, clientOf(url))
    const context = yield* Layer.build(store)
    yield* Context.get(context, ReflexionStore).append(bare({ id: "cart" }))
    const sql = Context.get(context, PgClient.PgClient)
    yield* sql`update reflexion_lessons set added_by = 'ada'`
    yield* sql`insert into reflexion_lessons select (jsonb_populate_record(lesson, '{"id": "lamp", "seq": 99, "added_by": "ada"}')).* from reflexion_lessons lesson`
    const rows = yield* sql<{ readonly is: boolean }>`select added_by = session_user as is from reflexion_lessons`
    assert.deepStrictEqual(rows, [{ is: true }, { is: true }])
  })
})

describe("a reader of outcomes", () => {
  live("gets an outcome that is committed late, and does not wait for open transactions", function* () {
    const url = yield* schema
    const [one, other, slow] = [yield* opened(url), yield* opened(url), yield* opened(url)]
    const [isWritten, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    yield* Effect.fork(slow.sql.withTransaction(Effect.zipRight(slow.sql`select pg_current_xact_id()`, Effect.never)))
    const late = one.log
      .append(outcome({ id: "late" }))
      .pipe(Effect.zipRight(Deferred.succeed(isWritten, undefined)), Effect.zipRight(Deferred.await(mayCommit)))
    const writing = yield* Effect.fork(one.sql.withTransaction(late))
    yield* Deferred.await(isWritten)
    const reader = yield* told(other.log, 3)
    yield* other.log.append([outcome({ id: "b" }), outcome({ id: "a" })])
    yield* reader.has(2)
    yield* Deferred.succeed(mayCommit, undefined)
    yield* Fiber.join(writing)
    assert.deepStrictEqual(yield* reader.all, ["b", "a", "late"])
  })

  live("gets outcomes that were restored from a server with more transactions", function* () {
    const url = yield* schema
    const { log, sql } = yield* opened(url)
    yield* log.append(["b", "a"].map((id) => outcome({ id })))
    yield* sql`update reflexion_outcomes set xid = '1000000000000'`
    const id = sql<{ readonly id: string }>`select id from reflexion_database`
    const before = yield* id
    yield* Effect.provide(Migrations.run, clientOf(url))
    assert.notDeepEqual(yield* id, before)
    const reader = yield* told(log, 3)
    yield* reader.has(2)
    yield* log.append(outcome({ id: "c" }))
    assert.deepStrictEqual(yield* reader.all, ["b", "a", "c"])
  })
})

describe("the tables", () => {
  live("are created once by eight clients at once, from the environment, and have comments", function* () {
    const url = yield* emptySchema
    const environment = ConfigProvider.fromMap(new Map([["DATABASE_URL", url]]))
    const open = Layer.build(Layer.provideMerge(Postgres.layer, Postgres.clientFromEnv)).pipe(
      Effect.withConfigProvider(environment)
    )
    const [context] = yield* Effect.all(
      Array.from({ length: 8 }, () => open),
      { concurrency: "unbounded" }
    )
    const sql = Context.get(context as NonNullable<typeof context>, PgClient.PgClient)
    const [row] = yield* sql<{ readonly tables: number; readonly comments: number }>`
      select count(*)::int as tables, count(obj_description(oid))::int as comments from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'reflexion_migrations'`
    assert.deepStrictEqual(row, { tables: 6, comments: 6 })
    yield* sql`insert into reflexion_migrations (migration_id, name) values (99, 'later')`
    assert.include(
      (yield* Effect.flip(Effect.provide(Migrations.run, clientOf(url)))).detail,
      "made by a newer version of @reflexion/postgres"
    )
  })

  live("work for a client that renames columns, and for a read-only role", function* () {
    const url = yield* schema
    const renaming = Layer.orDie(
      PgClient.layer({
        url: Redacted.make(url),
        transformResultNames: String.snakeToCamel,
        transformQueryNames: String.camelToSnake
      })
    )
    const { append, similar, stats } = Context.get(
      yield* Layer.build(Layer.provide(Postgres.layer, renaming)),
      ReflexionStore
    )
    yield* append(bare({ id: "r1" }))
    assert.lengthOf(yield* similar("rounded before the discount"), 1)
    assert.strictEqual((yield* stats).reflections, 1)
    const { log, sql } = yield* opened(url)
    yield* Effect.provide(Migrations.run, clientOf(withOption(url, "default_transaction_read_only=on")))
    yield* sql`set default_transaction_read_only = on`
    assert.deepStrictEqual(yield* log.outcomesSince(0), [])
    const { detail, reason } = yield* Effect.flip(
      sql.withTransaction(log.append(outcome({ id: "o1" }))).pipe(Effect.catchTag("SqlError", Effect.die))
    )
    assert.strictEqual(reason, "denied")
    assert.match(detail, /^PostgreSQL: append outcomes: cannot execute \w+ in a read-only transaction$/)
  })

  live("work for a role with the documented rights", function* () {
    const url = yield* schema
    const { sql } = yield* opened(url)
    const [row] = yield* sql<{ readonly name: string }>`select current_schema() as name`
    const role = `worker_${row?.name}`
    const page = readFileSync(new URL("../../../docs/fleet.md", import.meta.url), "utf8")
    const grants = page.match(/^ {4}grant .*;$/gmu) ?? []
    assert.lengthOf(grants, 3)
    yield* sql.unsafe(`create role ${role}`)
    for (const grant of grants)
      yield* sql.unsafe(grant.replace("schema public", `schema ${row?.name}`).replace("worker", role))
    const worker = Layer.provide(Postgres.layer, clientOf(withOption(url, `role=${role}`)))
    const context = yield* Layer.build(worker)
    const store = Context.get(context, ReflexionStore)
    yield* store.append(bare({ id: "r1" }))
    yield* store.recordUse({ reflectionIds: ["r1"] })
    yield* Context.get(context, OutcomeLog).append(outcome({ id: "o1" }))
    yield* Context.get(context, FindingLog).append(finding({ id: "f1" }))
    assert.strictEqual(yield* store.prune({ maxAge: 0 }), 1)
  })

  live("a replaced lesson keeps its project, and pruning by age deletes only the own project's", function* () {
    const url = yield* schema
    const of = (project: string) =>
      Effect.map(
        Layer.build(
          Layer.provide(ReflexionStorePostgres.layer, clientOf(withOption(url, `reflexion.project=${project}`)))
        ),
        (context) => Context.get(context, ReflexionStore)
      )
    const [nameless, shop, other] = [yield* of(""), yield* of("shop"), yield* of("other")]
    yield* shop.append(bare({ id: "r1" }))
    yield* nameless.append(bare({ id: "r1", suggestion: "Look first." }))
    for (const one of [nameless, other]) assert.strictEqual(yield* one.prune({ maxAge: 0 }), 0)
    assert.strictEqual((yield* other.get("r1")).suggestion, "Look first.")
    assert.strictEqual(yield* shop.prune({ maxAge: 0 }), 1)
  })

  live("are not used on another machine without TLS", function* () {
    const environment = ConfigProvider.fromMap(
      new Map([["DATABASE_URL", "postgres://ada:key@db.example.org/fleet?sslmode=no-verify"]])
    )
    const { message } = yield* Effect.flip(Effect.withConfigProvider(Layer.build(Postgres.clientFromEnv), environment))
    assert.include(message, "db.example.org must use TLS with a certificate for its name")
  })

  live("are named in the error if they are missing", function* () {
    const url = yield* emptySchema
    const { detail, reason } = yield* Effect.flip(opened(url))
    assert.deepStrictEqual(
      [reason, detail],
      [
        "failed",
        'PostgreSQL: open: relation "reflexion_outcomes" does not exist: run `reflexion memory sync --store …` or Migrations.run first'
      ]
    )
  })
})
