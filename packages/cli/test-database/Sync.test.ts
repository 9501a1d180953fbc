/** Two machines share a memory: each has a home, a project and its files, and both know one database. */
import { assert, describe } from "@effect/vitest"
import { projectOf } from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Net from "node:net"
import * as Tls from "node:tls"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { bare } from "../../core/test/support/bare.ts"
import { outcome } from "../../core/test/support/outcomes.ts"
import { live } from "../../core/test/support/works.ts"
import { clientOf, emptySchema, schema } from "../../postgres/test-database/support/places.ts"
import { folder, runCli } from "../test/runCli.ts"

const program = fileURLToPath(new URL("../dist/bin.js", import.meta.url))

const hook = fileURLToPath(new URL("../dist/hooks/claude-code/hook.cjs", import.meta.url))

const now = new Date().toISOString()

const linesOf = (records: ReadonlyArray<object>): Uint8Array =>
  Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join(""))

const machine = Effect.fnUntraced(function* (url: string) {
  const root = yield* folder({
    "home/.keep": "",
    "shop/.git/HEAD": "ref: refs/heads/main\n",
    "shop/.git/objects/.keep": "",
    "shop/.git/refs/.keep": "",
    "shop/.git/config": '[remote "origin"]\n\turl = https://ada:k@y@git.example.org/shop/cart.git\n'
  })
  const env = { HOME: `${root}/home`, PATH: process.env["PATH"] ?? "" }
  const cwd = `${root}/shop`
  const run = (words: string, stdin: ReadonlyArray<object> = []) =>
    runCli(words.split(" "), { cwd, env, stdin: [linesOf(stdin)] })
  const file = `${cwd}/.reflection/reflections.jsonl`
  return {
    cwd,
    env,
    file,
    run,
    states: `${root}/home/.local/state/reflexion/sync`,
    said: (words: string, stdin?: ReadonlyArray<object>) =>
      Effect.map(run(words, stdin), ({ code, err, out }) => `${code} ${out}${err === "" ? "" : ` ! ${err}`}`),
    sync: (at = url) => Effect.map(run(`memory sync --store ${at}`), ({ code, err, out }) => `${code} ${err}${out}`),
    /** What a hook tells the agent at a session's start. */
    atStart: (session: string): string => {
      const event = {
        hook_event_name: "SessionStart",
        session_id: session,
        source: "startup",
        transcript_path: "",
        cwd
      }
      return execFileSync("node", [hook], { cwd, env, input: JSON.stringify(event), encoding: "utf8" })
    },
    rows: () =>
      (existsSync(file) ? readFileSync(file, "utf8").trim() : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
})

const lesson = (cwd: string, id: string, more = {}) =>
  bare({ id, taskId: projectOf(cwd), subtaskId: "task-1", createdAt: now, analysis: `The ${id} was empty.`, ...more })

const counts = (url: string) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql<{
      readonly lessons: number
      readonly events: number
      readonly outcomes: number
      readonly all: string
    }>`
      select (select count(*)::int from reflexion_lessons) as lessons,
        (select count(*)::int from reflexion_lesson_events) as events,
        (select count(*)::int from reflexion_outcomes) as outcomes,
        (select string_agg(record::text, ' ') from (select record from reflexion_lessons union all
          select record from reflexion_lesson_events union all select record from reflexion_outcomes) records) as all`
  ).pipe(
    Effect.provide(clientOf(url)),
    Effect.map(([row]) => row ?? { lessons: 0, events: 0, outcomes: 0, all: "" })
  )

const results = (count: number) =>
  Array.from({ length: count }, (_, at) => outcome({ id: `run-${at}`, status: "completed", at: now }))

describe("two machines", () => {
  live("share lessons, use each only after its user trusts it, and move nothing twice", function* () {
    const url = yield* emptySchema
    const [one, other] = [yield* machine(url), yield* machine(url)]
    yield* one.run("memory add", [lesson(one.cwd, "cart")])
    yield* one.run("cycle add --lessons cart", results(3))
    const named = /git\.example\.org\/shop\/cart with postgres:\/\/\/\S+\/postgres: /u
    assert.match(yield* one.sync(), named)
    assert.include(yield* one.sync(), "sent 0 lessons, 0 events and 0 outcomes; received 0 lessons and 0 events")
    const { all, ...moved } = yield* counts(url)
    assert.deepStrictEqual(moved, { lessons: 1, events: 3, outcomes: 3 })

    assert.include(yield* other.sync(), "received 1 lesson and 3 events\n1 lesson was not learned here")
    const before = yield* other.run("memory recall")
    assert.strictEqual(before.out, "")
    assert.include(before.err, "left out 1 lesson that was not learned here")
    const inDatabase = yield* other.run(`memory recall --store ${url}`)
    assert.strictEqual(inDatabase.out, "")
    assert.include(inDatabase.err, "left out 1 lesson that was not learned here: reflexion memory sync fetches")
    const shown = (yield* other.run("memory show cart")).out
    assert.include(shown, "not learned here")
    assert.match(shown, /in the database by the role reflexion, from the machine \S/u)
    assert.include(shown, "3 succeeded and 0 failed")
    assert.notInclude(other.atStart("s1"), "The cart was empty.")
    assert.strictEqual((yield* other.run("allow workspace --yes")).code, 0)
    assert.include(other.atStart("s2"), "The cart was empty.")
    assert.include((yield* other.run("memory recall")).out, "The cart was empty.")
    assert.include((yield* other.run(`memory recall --store ${url}`)).out, "The cart was empty.")
    assert.include(yield* other.sync(), "sent 0 lessons, 1 event and 0 outcomes; received 0 lessons and 0 events")
    assert.include(yield* one.sync(), "sent 0 lessons, 0 events and 0 outcomes; received 0 lessons and 1 event")
    assert.strictEqual(other.rows()[0]?.["taskId"], projectOf(other.cwd))
    assert.notInclude(all, projectOf(one.cwd))
  })

  live("see each other's changes, and keep deleted lessons deleted", function* () {
    const url = yield* emptySchema
    const [one, other] = [yield* machine(url), yield* machine(url)]
    yield* one.run("memory add", [lesson(one.cwd, "cart"), lesson(one.cwd, "lamp")])
    yield* one.sync()
    yield* other.sync()
    yield* other.run("memory rm lamp")
    yield* one.run("memory resolve cart")
    assert.include(yield* one.sync(), "sent 1 lesson,")
    assert.include(yield* other.sync(), "sent 0 lessons, 0 events and 0 outcomes; received 1 lesson and")
    assert.include((yield* other.run("memory show")).out, "1 lesson of 1 task")
    assert.match((yield* other.run("memory show cart")).out, /^cart {2}resolved/u)
    assert.strictEqual((yield* counts(url)).lessons, 2)
    // Both change the same lesson: the first change that arrives counts, unless only the later one resolves it.
    yield* one.run("memory edit lamp --suggestion First.")
    yield* one.run(`memory edit lamp --suggestion Second. --store ${url}`)
    assert.include(yield* one.sync(), "sent 0 lessons, 0 events and 0 outcomes; received 1 lesson")
    assert.include((yield* one.run("memory show lamp")).out, "Second.")
    yield* one.run(`memory edit lamp --suggestion Third. --store ${url}`)
    yield* one.run("memory resolve lamp")
    assert.include(yield* one.sync(), "sent 1 lesson,")
  })

  live("get a project's newest 200 lessons, and later changes of those that they have", function* () {
    const url = yield* emptySchema
    const [one, other] = [yield* machine(url), yield* machine(url)]
    const old = new Date(Date.parse(now) - 86_400_000).toISOString()
    const many = Array.from({ length: 200 }, (_, at) => lesson(one.cwd, `l${at}`))
    yield* one.run("memory add", [lesson(one.cwd, "old", { createdAt: old }), ...many])
    assert.include(yield* one.sync(), "sent 201 lessons,")
    assert.include(yield* other.sync(), "received 200 lessons and")
    assert.notInclude((yield* other.run("memory export")).out, '"id":"old"')
    yield* one.run("memory edit old --suggestion First.")
    yield* one.run(`memory edit old --suggestion Second. --store ${url}`)
    assert.include(yield* one.sync(), "received 1 lesson and")
    assert.include((yield* one.run("memory show old")).out, "Second.")
    yield* one.run(`memory edit old --suggestion Third. --store ${url}`)
    assert.include(yield* one.sync(), "received 1 lesson and")
    assert.include((yield* one.run("memory show old")).out, "Third.")
    for (const who of [one, other])
      assert.include(yield* who.sync(), "sent 0 lessons, 0 events and 0 outcomes; received 0 lessons and")
  })

  live("compare everything again after the state or the database was lost, and count nothing twice", function* () {
    const url = yield* emptySchema
    const one = yield* machine(url)
    yield* one.run("memory add", [lesson(one.cwd, "cart"), lesson(one.cwd, "lamp")])
    yield* one.run("cycle add --lessons cart", results(3))
    yield* one.sync()
    const whole = { lessons: 2, events: 3, outcomes: 3 }
    assert.deepInclude(yield* counts(url), whole)
    rmSync(one.states, { recursive: true })
    assert.include(yield* one.sync(), "sent 0 lessons, 0 events and")
    assert.deepInclude(yield* counts(url), whole)

    const name = /search_path%3D(\w+)/.exec(url)?.[1] ?? assert.fail(url)
    const again = Effect.flatMap(PgClient.PgClient, (sql) =>
      sql.unsafe(`drop schema ${name} cascade; create schema ${name}`)
    )
    yield* Effect.provide(again, clientOf(url))
    assert.include(yield* one.sync(), "sent 2 lessons, 3 events and 3 outcomes")
    assert.deepInclude(yield* counts(url), whole)

    const files = readdirSync(one.states, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".json")
    )
    for (const file of files) writeFileSync(`${one.states}/${file}`, "{")
    for (const words of [`memory sync --store ${url}`, "memory show cart"])
      assert.match(yield* one.said(words), /^2 .*\.json: this is not what the last sync wrote\. Delete the file/su)
  })

  live("keep a lesson deleted, even if another project's name or database id was used meanwhile", function* () {
    const url = yield* emptySchema
    const [one, other] = [yield* machine(url), yield* machine(url)]
    yield* one.run("memory add", [lesson(one.cwd, "cart"), lesson(one.cwd, "lamp")])
    yield* one.sync()
    yield* one.run("cycle add --lessons cart", results(2))
    yield* one.sync()
    yield* one.run("memory rm lamp")
    const [before, known] = [one.rows(), yield* counts(url)]
    yield* one.run(`memory sync --store ${url} --project other`)
    yield* other.run(`memory sync --store ${url} --project other`)
    const renewed = Effect.flatMap(
      PgClient.PgClient,
      (sql) => sql`update reflexion_database set id = gen_random_uuid()`
    )
    yield* Effect.provide(renewed, clientOf(url))
    assert.include(yield* one.sync(), "sent 0 lessons, 0 events and 2 outcomes; received 0 lessons and 0 events")
    assert.deepStrictEqual([one.rows(), yield* counts(url)], [before, known])
    assert.lengthOf(other.rows(), 0)
  })

  live("name no role for a lesson edited by hand, and send it once trusted", function* () {
    const url = yield* emptySchema
    const one = yield* machine(url)
    yield* one.run("memory add", [lesson(one.cwd, "cart")])
    yield* one.sync()
    assert.include((yield* one.run("memory show cart")).out, "in the database by the role")
    writeFileSync(one.file, readFileSync(one.file, "utf8").replace("was empty", "was full"))
    for (const sent of [0, 0]) {
      assert.notInclude((yield* one.run("memory show cart")).out, "by the role")
      assert.include(yield* one.sync(), `sent ${sent} lessons, 0 events`)
    }
    yield* one.run("allow workspace --yes")
    assert.include(yield* one.sync(), "sent 1 lesson, 0 events")
    assert.include((yield* counts(url)).all, "was full")
    assert.include((yield* one.run("memory show cart")).out, "in the database by the role")
  })

  live("send an edit that was made while a run waited for the database", function* () {
    const url = yield* schema
    const one = yield* machine(url)
    yield* one.run("memory add", [lesson(one.cwd, "cart")])
    const [isLocked, mayGoOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const sql = Context.get(yield* Layer.build(clientOf(url)), PgClient.PgClient)
    // With this lock on the table, a run can read, but waits to add lessons.
    const locking = sql`lock table reflexion_lessons in exclusive mode`.pipe(
      Effect.zipRight(Deferred.succeed(isLocked, undefined)),
      Effect.zipRight(Deferred.await(mayGoOn))
    )
    yield* Effect.fork(sql.withTransaction(locking))
    yield* Deferred.await(isLocked)
    const running = yield* Effect.fork(one.sync())
    const waits = sql`select from pg_locks where relation = 'reflexion_lessons'::regclass and not granted`
    yield* Effect.repeat(Effect.delay(waits, "20 millis"), { until: (rows) => rows.length > 0 })
    yield* one.run("memory edit cart --suggestion Later.")
    yield* Deferred.succeed(mayGoOn, undefined)
    for (const said of [yield* Fiber.join(running), yield* one.sync()]) assert.include(said, "sent 1 lesson,")
    assert.include((yield* counts(url)).all, "Later.")
  })

  live("send no secret that was written into a file by hand", function* () {
    const url = yield* emptySchema
    const one = yield* machine(url)
    const secret = `ghp_${"aB3".repeat(12)}`
    yield* one.run("memory add", [lesson(one.cwd, "cart")])
    const event = { event: "use", kind: "used", at: now, reflectionIds: ["cart"], taskId: null, attemptNumber: 1 }
    const records = [
      lesson(one.cwd, "lamp", { analysis: `The key ${secret} was refused.`, tags: [secret] }),
      lesson(one.cwd, "door", { sessionId: secret }),
      { ...event, subtaskId: "s", note: secret },
      { ...event, subtaskId: secret }
    ]
    appendFileSync(one.file, linesOf(records))
    appendFileSync(
      `${one.cwd}/.reflection/outcomes.jsonl`,
      linesOf([outcome({ id: "a", objective: `Use ${secret}.` }), outcome({ id: "b", sessionId: secret })])
    )
    assert.include(yield* one.sync(), "sent 1 lesson, 1 event and 1 outcome")
    yield* one.run("allow workspace --yes")
    assert.include(yield* one.sync(), "sent 1 lesson, 0 events and 0 outcomes")
    const found = yield* counts(url)
    assert.deepInclude(found, { lessons: 2, events: 1, outcomes: 1 })
    assert.notInclude(found.all, secret)
  })
})

/** Passes bytes on to the server. After `limit` bytes of a client it calls `first`, then cuts the connection. */
const proxy = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const socket = `${new URL(url.replace("@/", "@localhost/")).searchParams.get("host")}/.s.PGSQL.5432`
      const state = { limit: Number.POSITIVE_INFINITY, first: (): unknown => undefined }
      const server = Net.createServer((client) => {
        const upstream = Net.connect(socket)
        let passed = 0
        const end = () => [client, upstream].forEach((one) => one.destroy())
        for (const one of [client, upstream]) one.on("error", end).on("close", end)
        client.on("data", (bytes) => {
          passed += bytes.length
          if (passed > state.limit) {
            state.first()
            return end()
          }
          upstream.write(bytes)
        })
        upstream.pipe(client)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as Net.AddressInfo
      const options = new URL(url.replace("@/", "@localhost/")).searchParams.get("options") ?? ""
      const through = `postgres://reflexion@127.0.0.1:${port}/postgres?options=${encodeURIComponent(options)}`
      return { server, state, through }
    }),
    ({ server }) => Effect.sync(() => server.close())
  )

/** In bytes. A killed run is a process of its own and takes longer, so there are fewer. */
const limits = {
  "cut off": [0, 300, 1500, 4000, 8000, 12_000, 16_000, 20_000, 24_000, 28_000, 32_000, 40_000],
  killed: [1500, 8000, 16_000, 24_000, 40_000]
}

for (const how of ["cut off", "killed"] as const)
  live(`a run that is ${how} anywhere → the next runs complete it without duplicates`, function* () {
    const url = yield* emptySchema
    const { state, through } = yield* proxy(url)
    const [one, other] = [yield* machine(url), yield* machine(url)]
    yield* one.run(
      "memory add",
      Array.from({ length: 12 }, (_, at) => lesson(one.cwd, `l${at}`))
    )
    yield* one.run("cycle add --lessons l1,l2", results(40))
    const interrupted = (who: typeof one) =>
      Effect.gen(function* () {
        if (how === "cut off") return (yield* who.run(`memory sync --store ${through}`)).code
        const running = promisify(execFile)("node", [program, "memory", "sync", "--store", through], who)
        state.first = () => running.child.kill("SIGKILL")
        return yield* Effect.promise(() =>
          running.then(
            () => 0,
            ({ code, signal }) => signal ?? code
          )
        )
      })
    const ends = new Set<unknown>()
    for (const who of [one, other])
      for (const limit of limits[how]) {
        state.limit = limit
        ends.add(yield* interrupted(who))
        if (who === one && limit === 8000) yield* one.run("memory resolve l3")
      }
    assert.includeMembers([...ends], how === "killed" ? ["SIGKILL", 0] : [2, 0])
    state.limit = Number.POSITIVE_INFINITY
    for (const who of [one, other, one, other]) yield* who.sync(through)
    for (const who of [one, other])
      assert.include(
        yield* who.sync(through),
        "sent 0 lessons, 0 events and 0 outcomes; received 0 lessons and 0 events"
      )
    const { all: _, ...moved } = yield* counts(url)
    assert.deepStrictEqual(moved, { lessons: 12, events: 40, outcomes: 40 })
    const rows = other.rows()
    assert.strictEqual(rows.filter((row) => "event" in row).length, 40)
    assert.strictEqual(new Set(rows.flatMap((row) => ("event" in row ? [] : [row["id"]]))).size, 12)
  })

describe("a database as the store", () => {
  live("import and export lose nothing, both ways", function* () {
    const url = yield* emptySchema
    const [one, other] = [yield* machine(url), yield* machine(url)]
    const odd = { analysis: "A NUL \u0000, a substitute \u001a, half \ud800 a pair and ✓", tags: ["'; drop table x"] }
    yield* one.run("memory add", [lesson(one.cwd, "b", odd), lesson(one.cwd, "a", { source: null, model: null })])
    const exported = (yield* one.run("memory export")).out
    const through = { cwd: other.cwd, env: other.env, stdin: [Buffer.from(exported)] }
    assert.include((yield* runCli(["memory", "import", "--store", url], through)).out, "2 lessons added to postgres://")
    const again = (yield* other.run(`memory export --store ${url}`)).out
    assert.strictEqual(again, exported)
    yield* runCli(["memory", "import"], { ...through, stdin: [Buffer.from(again)] })
    assert.strictEqual((yield* other.run("memory export")).out, exported)
  })

  live("cycle and report read and write it", function* () {
    const url = yield* emptySchema
    const one = yield* machine(url)
    const missing = /^2 .*does not exist: run `reflexion memory sync/su
    for (const words of ["cycle", "memory recall"]) assert.match(yield* one.said(`${words} --store ${url}`), missing)
    yield* one.run(`memory add --store ${url}`, [lesson(one.cwd, "cart")])
    const other = yield* machine(url)
    assert.include(yield* other.sync(), "received 1 lesson and")
    const failed = [1, 2, 3].map((at) => outcome({ id: `run-${at}`, status: "failed", at: now }))
    assert.match(yield* one.said(`cycle add --store ${url}`, failed), /^0 3 outcomes added to postgres:\/\//u)
    const first = yield* one.run(`cycle --store ${url} --format json`)
    assert.strictEqual(first.code, 1, first.err)
    assert.include(first.out, '"isNew": true')
    assert.match(yield* one.said(`cycle --analyse --store ${url}`), /^2 .*every role of the database can write/su)
    assert.notInclude((yield* one.run(`cycle --store ${url} --format json`)).out, '"isNew": true')
    const report = yield* one.run(`report --store ${url} --format json`)
    assert.include(report.out, "The cart was empty.", report.out + report.err)
    assert.include(report.out, "consecutive_failures")
    assert.match(yield* one.said("memory sync --store lessons.jsonl"), /^2 .*sync needs --store with a database/su)
    assert.match(yield* one.said("cycle list --store lessons.jsonl"), /^2 .*--store names a database/su)
  })
})

/** A server that only accepts or refuses TLS. It keeps what the client sends next, such as its user. */
const beginning = (folder: string, isSecure: boolean) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const [key, cert] = [`${folder}/key.pem`, `${folder}/cert.pem`]
      const words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
      const names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert]
      execFileSync("openssl", [...words.split(" "), ...names], { stdio: "pipe" })
      const heard: Array<string> = []
      const context = Tls.createSecureContext({ key: readFileSync(key), cert: readFileSync(cert) })
      const server = Net.createServer((socket) => {
        socket.on("error", () => socket.destroy())
        socket.once("data", () => {
          socket.write(isSecure ? "S" : "N")
          const open = isSecure ? new Tls.TLSSocket(socket, { isServer: true, secureContext: context }) : socket
          open.on("error", () => open.destroy())
          open.on("data", (bytes) => {
            heard.push(bytes.toString("latin1"))
            open.destroy()
          })
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
      const { port } = server.address() as Net.AddressInfo
      return { server, cert, heard, port }
    }),
    ({ server }) => Effect.sync(() => server.close())
  )

live("a server without a valid certificate for its name → the client sends nothing", function* () {
  const one = yield* machine("")
  const [plain, secure] = [yield* beginning(one.cwd, false), yield* beginning(one.cwd, true)]
  const at = (host: string, port: number, more = "") =>
    one.sync(`postgres://ada@${host}:${port}/fleet?sslmode=require${more}`)
  assert.match(yield* at("localhost", plain.port), /^2 .*does not support SSL/su)
  assert.match(yield* at("localhost", secure.port), /^2 .*self-signed certificate/su)
  const own = `&sslrootcert=${secure.cert}`
  assert.match(yield* at("127.0.0.1", secure.port, own), /^2 .*does not match certificate/su)
  assert.deepStrictEqual([...plain.heard, ...secure.heard], [])
  assert.match(yield* at("localhost", secure.port, own), /^2 /u)
  assert.include(secure.heard.join(""), "ada")
  assert.match(yield* at("localhost", secure.port, "&sslrootcert=/nowhere.pem"), /^2 .*\/nowhere\.pem/su)
})
