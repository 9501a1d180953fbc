/** The session to judge when none is named: the newest of the current directory among the installed hosts. */
import * as Input from "../process/Input.ts"
import * as Console from "effect/Console"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { SessionError } from "../process/CliError.ts"
import * as Hosts from "../host/Hosts.ts"
import { oneLine } from "../terminal/Layout.ts"

/**
 * `name` is what the session is called, `file` has its record.
 *
 * @category models
 */
export interface Found extends Hosts.SessionFile {
  readonly host: string
  readonly directory: string
}

/**
 * Where to look: null is the current directory, and all hosts.
 *
 * @category models
 */
export interface Options {
  readonly cwd: string | null
  readonly host: string | null
}

/** A host's own program can fail to answer; where a host keeps files, what cannot be read is none. */
interface Looked {
  readonly found: Found | null
  readonly problem: string | null
}

const look = Effect.fnUntraced(function* (host: Hosts.Host, place: Hosts.Place, before: Looked) {
  const newest = yield* host.sessions.newest(place).pipe(
    Effect.map((found) => ({ found, problem: before.problem })),
    Effect.catchTag("HostError", ({ problem }) =>
      Effect.succeed({ found: Option.none(), problem: `${host.title}'s sessions were not looked through: ${problem}` })
    ),
    Effect.orElseSucceed(() => ({ found: Option.none(), problem: before.problem }))
  )
  const { found, problem } = newest
  if (Option.isNone(found)) return { found: before.found, problem }
  return { found: { ...found.value, host: host.name, directory: place.cwd }, problem }
})

const missing = (directory: string, hosts: ReadonlyArray<Hosts.Host>, problem: string | null): SessionError => {
  const names = hosts.map(({ name }) => name)
  const none =
    names.length === 0
      ? "name a session's file"
      : `has no session of ${Hosts.listed(names, "or")}; name a session's file, or with --cwd the folder that the agent was started in`
  return new SessionError({
    file: directory,
    reason: "missing",
    problem: problem === null ? none : `${none}\n${problem}`
  })
}

/**
 * Finds the session; what could not be looked through is said on standard error.
 *
 * @category programs
 */
export const find = Effect.fn("NewestSession.find")(function* (options: Options) {
  const { cwd, env } = yield* CliProcess
  const directory = resolve(cwd, options.cwd ?? ".")
  const known = new Map(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))
  const hosts = Hosts.all.filter(({ name }) => options.host === null || name === options.host)
  let looked: Looked = { found: null, problem: null }
  for (const host of hosts) {
    const place = { cwd: directory, env, after: looked.found?.written ?? -1, unpack: Input.unpacked }
    looked = yield* look(host, place, looked).pipe(Effect.withConfigProvider(ConfigProvider.fromMap(known)))
  }
  const { found, problem } = looked
  if (found === null) return yield* missing(directory, hosts, problem)
  if (problem !== null) yield* Console.error(`reflexion: ${oneLine(problem)}`)
  return found
})
