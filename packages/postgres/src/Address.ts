/** Where a database is: from `--store`, the environment and libpq's service file. This module loads no driver. */
import { readFileSync } from "node:fs"
import { homedir, userInfo } from "node:os"
import { join } from "node:path"

type Env = Readonly<Record<string, string | undefined>>

/** If `password` is empty, the driver looks into `~/.pgpass`. */
export interface Address {
  readonly host: string
  readonly port: string
  readonly name: string
  readonly user: string
  readonly password: string
  readonly options: string
  /** `authorities` is a file with certificates. If it is empty, Node's own are used. Always verified. Null: no TLS. */
  readonly tls: { readonly authorities: string } | null
  /** For messages, without user and password. */
  readonly shown: string
}

/** `postgres://…`, `service=NAME` or `env`. Every other text names a file. */
export const isAddress = (said: string): boolean => said === "env" || /^(?:service=|postgres(?:ql)?:\/\/)/iu.test(said)

const keys = ["host", "port", "dbname", "user", "password", "options", "sslmode", "sslrootcert"] as const

type Settings = Readonly<Partial<Record<(typeof keys)[number], string>>>

const known = (entries: Iterable<readonly [string, string | undefined]>): Settings => {
  const given = new Map(entries)
  return Object.fromEntries(keys.flatMap((key) => (given.get(key) ? [[key, given.get(key) ?? ""]] : [])))
}

/** The error does not contain the address, which may contain a password. */
const ofUrl = (url: string): Settings => {
  const parsed = /^[a-z]+:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/iu.exec(url)
  const [, login = "", place = "", dbname = "", query = ""] = parsed ?? []
  const [found, host = "", port = ""] = /^(\[[^\]]+\]|[^:,]*)(?::(\d{1,5}))?$/u.exec(place) ?? []
  if (parsed === null || found === undefined)
    throw new Error("the address is not postgres://USER@HOST:PORT/DATABASE with one host")
  const [user = "", ...password] = login.split(":")
  const parts = { host: host.replace(/^\[(.*)\]$/u, "$1"), port, dbname, user, password: password.join(":") }
  const decoded = Object.entries(parts).map(([key, text]) => [key, decodeURIComponent(text)] as const)
  return { ...known(decoded), ...known(new URLSearchParams(query.replaceAll("+", "%2B"))) }
}

const ofEnv = (env: Env): Settings => {
  const { PGDATABASE, PGHOST, PGOPTIONS, PGPASSWORD, PGPORT, PGSSLMODE, PGSSLROOTCERT, PGUSER } = env
  return known([
    ["host", PGHOST],
    ["port", PGPORT],
    ["dbname", PGDATABASE],
    ["user", PGUSER],
    ["password", PGPASSWORD],
    ["options", PGOPTIONS],
    ["sslmode", PGSSLMODE],
    ["sslrootcert", PGSSLROOTCERT]
  ])
}

/** https://www.postgresql.org/docs/current/libpq-pgservice.html */
const ofService = (name: string, env: Env): Settings => {
  const file = env["PGSERVICEFILE"] ?? join(env["HOME"] ?? env["USERPROFILE"] ?? homedir(), ".pg_service.conf")
  const lines = readFileSync(file, "utf8").split(/\r?\n/u)
  const begin = lines.findIndex((line) => line.trim() === `[${name}]`)
  if (begin < 0) throw new Error(`${file} has no section [${name}]`)
  const rest = lines.slice(begin + 1)
  const end = rest.findIndex((line) => line.startsWith("["))
  return known(
    rest.slice(0, end < 0 ? rest.length : end).flatMap((line) => {
      const [, key = "", value = ""] = /^\s*(\w+)\s*=\s*(.*?)\s*$/u.exec(line) ?? []
      return key === "" ? [] : [[key, value] as const]
    })
  )
}

const isLocal = (host: string): boolean =>
  host.startsWith("/") || host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/u.test(host)

const verified = new Set(["", "allow", "prefer", "require", "verify-ca", "verify-full"])

/** A server on this machine uses TLS only if `sslmode` asks for it. Every other server must prove its name. */
const tlsOf = (host: string, { sslmode = "", sslrootcert = "" }: Settings): Address["tls"] => {
  if (isLocal(host) && !["require", "verify-ca", "verify-full"].includes(sslmode)) return null
  if (!verified.has(sslmode))
    throw new Error(
      `sslmode=${sslmode} is for a server on this machine only: ${host} must use TLS with a certificate for its name. Name the certificate authority with sslrootcert, or use a tunnel`
    )
  return { authorities: sslrootcert === "system" ? "" : sslrootcert }
}

const inSight =
  "a password on the command line can be read by all users of this machine. Put it into PGPASSWORD, ~/.pgpass or ~/.pg_service.conf, or the whole address into DATABASE_URL and give env"

/** Throws if an address cannot be used. The error contains no password. */
export const read = (said: string, env: Env): Address => {
  const isUrl = said !== "env" && !said.toLowerCase().startsWith("service=")
  const typed = isUrl ? ofUrl(said) : {}
  if (typed.password !== undefined) throw new Error(inSight)
  const named = isUrl
    ? typed
    : said === "env"
      ? ofUrl(env["DATABASE_URL"] ?? "postgres://")
      : ofService(said.slice(8), env)
  const settings = { ...ofEnv(env), ...named }
  const { host = "localhost", options = "", password = "", port = "5432", user = userInfo().username } = settings
  const { dbname = user } = settings
  const shown = `postgres://${host}${port === "5432" ? "" : `:${port}`}/${dbname}`
  return { host, port, name: dbname, user, password, options, tls: tlsOf(host, settings), shown }
}

/** Adds the settings to the address. The address's own options override them. */
export const withSettings = (address: Address, settings: Readonly<Record<"project" | "machine", string>>): Address => {
  const own = Object.entries(settings)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `-c reflexion.${key}=${value.replaceAll(/[\s\\]/gu, "\\$&")}`)
  return { ...address, options: [...own, address.options].join(" ").trim() }
}
