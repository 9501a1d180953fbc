/** Which database `--store` names, and what is refused before anything is sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Address, isAddress, read } from "@reflexion/postgres/Address"

const folder = mkdtempSync(join(tmpdir(), "reflexion-service-"))
const file = join(folder, ".pg_service.conf")
writeFileSync(
  file,
  "# ours\n[other]\nhost=wrong\n\n[fleet]\nhost = db.example.org\nuser=bob\npassword=from the file\nsslrootcert=/ca.pem\n[last]\nhost=x\n"
)
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

const verified = { authorities: "" }

type Row = readonly [said: string, env: Readonly<Record<string, string>>, address: Partial<Address>]

const readable: ReadonlyArray<Row> = [
  ["postgres://ada@db.example.org/fleet", {}, { host: "db.example.org", port: "5432", user: "ada", tls: verified }],
  ["postgresql://ada@[2001:db8::1]:6000/f%20t", {}, { host: "2001:db8::1", port: "6000", name: "f t", tls: verified }],
  ["postgres://db.example.org/fleet?sslmode=prefer", {}, { tls: verified }],
  ["postgres://db.example.org/fleet?sslrootcert=/ca.pem", {}, { tls: { authorities: "/ca.pem" } }],
  ["postgres://ada@/fleet?host=/run/pg&options=-c%20a%3Db", {}, { host: "/run/pg", options: "-c a=b", tls: null }],
  ["postgres://db.example.org/fleet?host=localhost", {}, { host: "localhost", tls: null }],
  ["postgres://localhost/fleet?host=db.example.org", {}, { host: "db.example.org", tls: verified }],
  ["postgres://ada@localhost", {}, { name: "ada", tls: null, shown: "postgres://localhost/ada" }],
  ["postgres://127.0.0.1/fleet?sslmode=require", {}, { tls: verified }],
  ["postgres://ada@/fleet", { PGHOST: "db.example.org", PGPASSWORD: "k" }, { tls: verified, password: "k" }],
  ["service=fleet", { HOME: folder }, { user: "bob", password: "from the file", tls: { authorities: "/ca.pem" } }],
  ["service=last", { PGSERVICEFILE: file, PGUSER: "eve" }, { host: "x", user: "eve", password: "" }],
  ["env", { PGHOST: "db", PGDATABASE: "fleet" }, { name: "fleet", shown: "postgres://db/fleet", tls: verified }],
  [
    "env",
    { DATABASE_URL: "postgres://a:p%40s@h:1/d", PGHOST: "x" },
    { host: "h", password: "p@s", shown: "postgres://h:1/d" }
  ]
]

const refused: ReadonlyArray<readonly [said: string, env: Readonly<Record<string, string>>, why: string]> = [
  ["postgres://ada:key@db.example.org/fleet", {}, "a password on the command line can be read by all users"],
  ["postgres://db.example.org/fleet?password=key", {}, "a password on the command line"],
  ["postgres://db.example.org/fleet?sslmode=disable", {}, "sslmode=disable is for a server on this machine only"],
  ["postgres://db.example.org/fleet?sslmode=no-verify", {}, "must use TLS with a certificate for its name"],
  ["postgres://127.0.0.1.example.org/fleet", { PGSSLMODE: "disable" }, "for a server on this machine only"],
  ["env", { DATABASE_URL: "postgres://a:key@h/d?sslmode=disable" }, "for a server on this machine only"],
  ["env", { DATABASE_URL: "mysql:key@h" }, "the address is not postgres://"],
  ["postgres://a,b/fleet", {}, "one host"],
  ["postgres://a:key@b@c/fleet", {}, "one host"],
  ["service=flee", { HOME: folder }, "has no section [flee]"],
  ["service=fleet", { HOME: join(folder, "nobody") }, "no such file"]
]

describe("--store", () => {
  it.each(readable)("%s → the database", (said, env, address) => {
    assert.isTrue(isAddress(said))
    assert.deepInclude(read(said, env), address)
  })

  it.each(refused)("%s → refused, without the password", (said, env, why) => {
    const message = Effect.runSync(Effect.flip(Effect.try({ try: () => read(said, env), catch: String })))
    assert.include(message, why)
    assert.notMatch(message, /key@|=key/u)
  })

  it("a file's name → no database", () => {
    assert.deepStrictEqual(["lessons.jsonl", "./env", "postgres", "a/service=x"].filter(isAddress), [])
  })
})
