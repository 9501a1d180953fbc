/**
 * The session to judge when none is named: the newest of the current directory among the installed hosts.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import { SessionError } from "./CliError.ts"
import * as Hosts from "./Hosts.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Found {
  readonly file: string
  readonly host: string
  readonly directory: string
}

interface Candidate {
  readonly file: string
  readonly host: string
  readonly written: number
}

const candidate = Effect.fnUntraced(function* (host: Hosts.Host, directory: string) {
  if (host.newest === null) return []
  const found = yield* Effect.orElseSucceed(host.newest(directory), () => Option.none())
  if (Option.isNone(found)) return []
  const fs = yield* FileSystem.FileSystem
  const written = yield* fs.stat(found.value).pipe(
    Effect.map(({ mtime }) => Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })),
    Effect.orElseSucceed(() => 0)
  )
  return [{ file: found.value, host: host.decoder.host, written } satisfies Candidate]
})

/**
 * @since 0.1.0
 * @category programs
 */
export const find = Effect.fn("NewestSession.find")(function* (cwdOption: string | null) {
  const { cwd, env } = yield* CliProcess
  const directory = resolve(cwd, cwdOption ?? ".")
  const known = new Map(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))
  const candidates = yield* Effect.forEach(Hosts.all, (host) => candidate(host, directory)).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(known)),
    Effect.map((lists) => lists.flat())
  )
  const [first, ...rest] = candidates
  if (first === undefined) {
    const asked = Hosts.all.filter(({ newest }) => newest !== null).map(({ decoder }) => decoder.host)
    const problem = `has no session of ${asked.join(", ")}; name a session's file`
    return yield* new SessionError({ file: directory, reason: "missing", problem })
  }
  const { file, host } = rest.reduce((one, other) => (other.written > one.written ? other : one), first)
  return { file, host, directory } satisfies Found
})
