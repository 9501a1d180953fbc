/**
 * Past sessions of the installed hosts in a directory, judged for a report. What cannot be read is said and passed over.
 */
import * as Array from "effect/Array"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { CliProcess } from "../process/CliProcess.ts"
import * as Hosts from "../host/Hosts.ts"
import * as Input from "../process/Input.ts"
import * as JudgeSession from "../judge/JudgeSession.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as Settings from "../process/Settings.ts"
import { limits, type Stop } from "./model.ts"
import { stopOfVerdict } from "./record.ts"

/**
 * Where to look, and since when sessions are wanted, in epoch ms.
 *
 * @category models
 */
export interface Options {
  readonly directory: string
  readonly since: number | null
}

export interface Past {
  readonly stops: ReadonlyArray<Stop>
  readonly problems: ReadonlyArray<string>
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const saying = (problem: string): Past => ({ stops: [], problems: [oneLine(problem)] })

const judged = ({ file, name }: Hosts.SessionFile, config: Effect.Effect.Success<typeof Settings.user>) =>
  JudgeSession.read(
    {
      file: name,
      source: file,
      request: { cwd: null, host: null, profile: null },
      config,
      done: "judged"
    },
    JudgeSession.verdicts,
    { now: null, task: null, turn: "all" }
  ).pipe(
    Effect.map(({ value }): Past => ({ stops: value.shown.map((one) => stopOfVerdict(one, name)), problems: [] })),
    Effect.catchIf(
      (error) => error._tag === "SessionError" && error.reason === "unwritten",
      () => Effect.succeed<Past>({ stops: [], problems: [] })
    ),
    Effect.catchAll((error) => Effect.succeed(saying(`the session ${name}: ${messageOf(error)}`))),
    Effect.catchAllDefect((defect) => Effect.succeed(saying(`the session ${name}: ${messageOf(defect)}`)))
  )

/**
 * The turns of the newest sessions of each host, as they are judged from evidence alone.
 *
 * @category programs
 */
export const read = Effect.fn("ReportSessions.read")(function* (options: Options) {
  const { env } = yield* CliProcess
  const known = new Map(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))
  const config = yield* Settings.user
  const found: Array<Past> = []
  const place = { cwd: options.directory, env, after: (options.since ?? 0) - 1, unpack: Input.unpacked }
  for (const { sessions, title } of Hosts.all) {
    const listed = yield* sessions.recent(place, limits.pastSessions).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(known)),
      Effect.catchAll((error) => {
        found.push(saying(`the sessions of ${title}: ${messageOf(error)}`))
        return Effect.succeed([])
      })
    )
    const [unread, all] = Array.separate(listed)
    found.push(...unread.map(saying))
    const fresh = all.filter(({ written }) => written > place.after)
    if (fresh.length > 0)
      yield* Console.error(`reflexion: judging ${counted(fresh.length, "past session")} of ${title} …`)
    found.push(...(yield* Effect.forEach(fresh, (source) => judged(source, config))))
  }
  const past: Past = { stops: found.flatMap(({ stops }) => stops), problems: found.flatMap(({ problems }) => problems) }
  return past
}, Effect.scoped)
