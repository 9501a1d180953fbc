/** Finds the session to judge if none was named: the newest of the current directory, from all known hosts. */
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

/** `file` is the session's record. */
export interface NewestSession extends Hosts.SessionFile {
  readonly host: string
  readonly directory: string
}

const missing = (file: string, hosts: ReadonlyArray<Hosts.Host>, problem: string | null): SessionError => {
  const names = hosts.map(({ name }) => name)
  const none =
    names.length === 0
      ? "name a session's file"
      : `there is no session of ${Hosts.listed(names, "or")} for this folder. Name a session's file, or start in the folder in which the agent was started (--cwd).`
  return new SessionError({ file, reason: "missing", problem: problem === null ? none : `${none}\n${problem}` })
}

/** Problems are printed on standard error. */
export const find = Effect.fn("NewestSession.find")(function* (given: {
  readonly cwd: string
  readonly host: string | null
}) {
  const { env } = yield* CliProcess
  const directory = resolve(given.cwd)
  const known = new Map(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))
  const hosts = Hosts.all.filter(({ name }) => given.host === null || name === given.host)
  const problems: Array<string> = []
  let newest: NewestSession | null = null
  for (const { name, sessions, title } of hosts) {
    const place: Hosts.Place = { cwd: directory, env, after: newest?.written ?? -1, unpack: Input.unpacked }
    // If a host's program fails, this is reported. If a host's file cannot be read, it counts as no session.
    const found = yield* sessions.newest(place).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(known)),
      Effect.catchTag("HostError", (error) => {
        problems.push(`${title}'s sessions were not searched: ${error.problem}`)
        return Effect.succeedNone
      }),
      Effect.orElseSucceed(() => Option.none())
    )
    if (Option.isSome(found)) newest = { ...found.value, host: name, directory }
  }
  const [problem = null] = problems
  if (newest === null) return yield* missing(directory, hosts, problem)
  if (problem !== null) yield* Console.error(`reflexion: ${oneLine(problem)}`)
  return newest
})
