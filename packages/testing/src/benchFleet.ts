/**
 * Compares the processor time of a fleet that appends to PostgreSQL with plain inserts into the same tables. The number
 * in `npm run bench:fleet -- 100000` is how many records each side appends to each table.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { type AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { Migrations, Postgres } from "@reflexion/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { spawn } from "node:child_process"
import * as FS from "node:fs"
import * as Process from "node:process"
import { fileURLToPath } from "node:url"
import * as PostgresServer from "./servers/PostgresServer.ts"
import * as SampleFailure from "./samples/SampleFailure.ts"

const processes = 10
const rounds = 4
/** After this many appended records, a process recalls once. */
const recallEvery = 10

const clientOf = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

const idOf = (worker: number, index: number): string => `w${worker}-${index}`

const taskOf = (index: number): string => `task-${index % 500}`

const outcomeOf = (worker: number, index: number): AttemptOutcome => ({
  id: idOf(worker, index),
  taskId: taskOf(index),
  sessionId: `session-${worker}-${index}`,
  objective: SampleFailure.task,
  status: index % 3 === 0 ? "completed" : "failed",
  durationMs: 90_000,
  tools: ["Read", "Edit", "Bash"],
  loaded: [],
  resultLength: 1200,
  backend: "codex",
  at: new Date(1_800_000_000_000 + index).toISOString()
})

const lessonOf = (worker: number, index: number): Reflection =>
  Reflection.make({
    id: idOf(worker, index),
    sessionId: `session-${worker}-${index}`,
    taskId: taskOf(index),
    subtaskId: `${taskOf(index)}/rounding`,
    attemptNumber: 1 + (Math.abs(index) % 3),
    category: "test_gap",
    analysis: `The total of order ${index} is rounded before the discount of customer ${index % 97} is taken off. ${SampleFailure.output(`rounds total ${index}`, String(index), String(index + 1))}`,
    suggestion: `Round once, after the discount, in the function for currency ${index % 41}.`,
    actionItems: ["Move the call of `round` to the end of `total`.", "Run the tests of src/total.ts."],
    confidence: 0.6,
    createdAt: new Date(1_800_000_000_000 + index).toISOString(),
    source: "heuristic"
  })

const ours = {
  outcomes: (worker: number, index: number) =>
    Effect.flatMap(OutcomeLog, (log) =>
      Effect.zipRight(
        log.append(outcomeOf(worker, index)),
        index % recallEvery === 0 ? log.failureStreak(taskOf(index)) : Effect.void
      )
    ),
  lessons: (worker: number, index: number) =>
    Effect.flatMap(ReflexionStore, (store) =>
      Effect.zipRight(
        store.append(lessonOf(worker, index)),
        index % recallEvery === 0 ? store.getRecent(`${taskOf(index)}/rounding`) : Effect.void
      )
    )
}

type Table = keyof typeof ours

const hash = "00000000-0000-0000-0000-000000000000"

const plain = {
  outcomes: (worker: number, index: number) =>
    Effect.flatMap(PgClient.PgClient, (sql) => {
      const record = outcomeOf(worker, index)
      const { at, id, status, taskId } = record
      return sql`insert into reflexion_outcomes (id, task_id, subject, status, ended_at, record)
        values (${id}, ${taskId}, md5(${taskId ?? ""})::uuid, ${status}, ${at}, ${JSON.stringify(record)}::jsonb)`
    }),
  lessons: (worker: number, index: number) =>
    Effect.flatMap(PgClient.PgClient, (sql) => {
      const record = lessonOf(worker, index)
      const { attemptNumber, category, createdAt, id, source, subtaskId, taskId } = record
      const terms = [...new Set(`${record.analysis} ${record.suggestion}`.split(/\W+/))]
      return sql`insert into reflexion_lessons (id, task_id, subtask_id, attempt_number, category, source, created_at, said,
          length, terms, record)
        values (${id}, ${taskId}, ${subtaskId}, ${attemptNumber}, ${category}, ${source ?? null}, ${createdAt}, ${hash}::uuid,
          ${terms.length}, ${terms}, ${JSON.stringify(record)}::jsonb)`
    })
}

type Side = "ours" | "plain"

type Append = (
  worker: number,
  index: number
) => Effect.Effect<unknown, unknown, OutcomeLog | ReflexionStore | PgClient.PgClient>

const sides: Readonly<Record<Side, Readonly<Record<Table, Append>>>> = { ours, plain }

/** Runs in a separate process, and prints the processor time of its appends in microseconds. */
const work = (url: string, side: Side, table: Table, worker: number, count: number) =>
  Effect.gen(function* () {
    const one = sides[side][table]
    // This warm-up compiles the code and opens the connection.
    yield* Effect.forEach(Array.from({ length: 20 }), (_, index) => one(worker, -1 - index), { discard: true })
    const before = Process.cpuUsage()
    for (let index = 0; index < count; index += 1) yield* one(worker, index)
    const { system, user } = Process.cpuUsage(before)
    Process.stdout.write(`${system + user}\n`)
  }).pipe(Effect.provide(Layer.provideMerge(Postgres.layer, clientOf(url))))

const ran = (words: ReadonlyArray<string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(Process.execPath, [fileURLToPath(import.meta.url), ...words], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let said = ""
    child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()))
    child.on("close", (code) =>
      code === 0 ? resolve(Number(said)) : reject(new Error(`a process ended with ${code}`))
    )
  })

/** The fields of /proc/PID/stat after the program's name: state, parent, and so on. */
const statOf = (pid: string | number): ReadonlyArray<string> => {
  try {
    const text = FS.readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return []
  }
}

const ticks = (fields: ReadonlyArray<string>, ...at: ReadonlyArray<number>): number =>
  at.reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)

/** Includes all processes of the server. In microseconds; Linux counts in 1/100 s. */
const serverTime = (postmaster: string): number => {
  const children = FS.readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && statOf(pid)[1] === postmaster)
  const living = children.reduce((sum, pid) => sum + ticks(statOf(pid), 11, 12), 0)
  return (living + ticks(statOf(postmaster), 11, 12, 13, 14)) * 10_000
}

/** In microseconds per record. */
const measured = (url: string, side: Side, table: Table, count: number) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const schema = `bench_${side}_${table}`
    yield* sql.unsafe(`drop schema if exists ${schema} cascade; create schema ${schema}`)
    const own = `${url}&options=${encodeURIComponent(`-c search_path=${schema}`)}`
    yield* Effect.provide(Migrations.run, clientOf(own))
    const [backend] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
    const postmaster = statOf(backend?.pid ?? 0)[1] ?? ""
    const before = serverTime(postmaster)
    const each = Math.ceil(count / processes)
    const words = Array.from({ length: processes }, (_, worker) => [own, side, table, String(worker), String(each)])
    const times = yield* Effect.promise(() => Promise.all(words.map(ran)))
    // The server counts a process's time when the process has ended.
    yield* Effect.sleep("500 millis")
    const server = serverTime(postmaster) - before
    yield* sql.unsafe(`drop schema ${schema} cascade`)
    return { node: times.reduce((sum, time) => sum + time, 0) / count, server: server / count }
  })

const mean = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

const bench = (url: string, count: number) =>
  Effect.gen(function* () {
    for (const table of ["outcomes", "lessons"] as const) {
      const costs: Record<Side, Array<{ readonly node: number; readonly server: number }>> = { ours: [], plain: [] }
      for (let round = 0; round < rounds; round += 1)
        for (const side of round % 2 === 0 ? (["plain", "ours"] as const) : (["ours", "plain"] as const))
          costs[side].push(yield* measured(url, side, table, count / rounds))
      const total = (side: Side) => mean(costs[side].map(({ node, server }) => node + server))
      const shown = (side: Side) => {
        const [node, server] = [mean(costs[side].map((one) => one.node)), mean(costs[side].map((one) => one.server))]
        return `${node.toFixed(0)} µs in Node + ${server.toFixed(0)} µs in PostgreSQL`
      }
      Process.stdout.write(
        `${table}: ${(total("ours") / total("plain")).toFixed(2)} times plain inserts, per record ${shown("ours")} against ${shown("plain")}\n`
      )
    }
  }).pipe(Effect.provide(clientOf(url)))

const [first = "100000", side, table, worker, count] = Process.argv.slice(2)
if ((side === "ours" || side === "plain") && (table === "outcomes" || table === "lessons"))
  await Effect.runPromise(work(first, side, table, Number(worker), Number(count)))
else {
  const server = await PostgresServer.start()
  Process.stdout.write(`${processes} processes append ${first} records to each table, ${Process.version}\n`)
  await Effect.runPromise(bench(server.url, Number(first))).finally(server.stop)
}
