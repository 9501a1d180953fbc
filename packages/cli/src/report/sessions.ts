/**
 * Past sessions of the installed hosts in a directory, judged for a report. What cannot be read is said and passed over.
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as ClaudeCodeSessions from "@reflexion/claude-code/ClaudeCodeSessions"
import * as CodexSessions from "@reflexion/codex/CodexSessions"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as OpenCodeSessions from "@reflexion/opencode/OpenCodeSessions"
import * as Array from "effect/Array"
import type { ConfigError } from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { statSync } from "node:fs"
import { basename, resolve } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
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

interface Source {
  readonly name: string
  readonly file: string
}

/** A session, or why it could not be had. */
type Listed = Either.Either<Source, string>

const inFiles = (files: ReadonlyArray<string>): ReadonlyArray<Listed> =>
  files.map((file) => Either.right({ name: basename(file).replace(/\.jsonl(?:\.zst)?$/u, ""), file }))

const claudeCode = ({ directory }: Options) =>
  Effect.flatMap(ClaudeCodeSessions.configDirectory, (configDirectory) =>
    ClaudeCodeSessions.recent({ cwd: directory, configDirectory, limit: limits.pastSessions })
  ).pipe(Effect.map(inFiles))

const codex = ({ directory }: Options) =>
  Effect.flatMap(CodexSessions.codexHome, (codexHome) =>
    CodexSessions.recent({ cwd: directory, codexHome, limit: limits.pastSessions, unpack: Input.unpacked })
  ).pipe(Effect.map(inFiles))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const ofSession =
  (name: string) =>
  (error: unknown): string =>
    `the session ${name}: ${messageOf(error)}`

/** Each export takes its program a second. */
const maxExports = 5

const openCode = ({ directory, since }: Options) =>
  Effect.gen(function* () {
    const { env } = yield* CliProcess
    const written = yield* OpenCodeSessions.writtenAt(env)
    if (Option.isNone(written) || written.value < (since ?? 0)) return []
    const fs = yield* FileSystem.FileSystem
    const options = { cwd: directory, env, folder: yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-" }) }
    const names = yield* RecordFiles.namesOf(directory)
    const listed = yield* OpenCodeSessions.list(options)
    const wanted = listed.filter((one) => names.includes(resolve(one.directory)) && one.updated >= (since ?? 0))
    return yield* Effect.forEach(wanted.slice(0, maxExports), ({ id }) =>
      Effect.either(OpenCodeSessions.download(options, id)).pipe(
        Effect.map(Either.mapBoth({ onLeft: ofSession(id), onRight: (file) => ({ name: id, file }) }))
      )
    )
  })

const isFresh =
  (since: number | null) =>
  ({ file }: Source): boolean =>
    since === null || (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since

const saying = (problem: string): Past => ({ stops: [], problems: [oneLine(problem)] })

const judged = ({ file, name }: Source, config: Effect.Effect.Success<typeof Settings.user>) =>
  JudgeSession.judge(
    {
      file: name,
      source: file,
      request: { cwd: null, host: null, profile: null },
      config,
      done: "judged"
    },
    { now: null, task: null, turn: "all" }
  ).pipe(
    Effect.map(({ value }): Past => ({ stops: value.verdicts.map((one) => stopOfVerdict(one, name)), problems: [] })),
    Effect.catchIf(
      (error) => error._tag === "SessionError" && error.reason === "unwritten",
      () => Effect.succeed<Past>({ stops: [], problems: [] })
    ),
    Effect.catchAll((error) => Effect.succeed(saying(ofSession(name)(error)))),
    Effect.catchAllDefect((defect) => Effect.succeed(saying(ofSession(name)(defect))))
  )

type Listing = Effect.Effect<
  ReadonlyArray<Listed>,
  PlatformError | ConfigError | OpenCodeSessions.OpenCodeError,
  CliProcess | FileSystem.FileSystem | Path.Path | Scope.Scope
>

const hosts: ReadonlyArray<readonly [name: string, list: (options: Options) => Listing]> = [
  ["Claude Code", claudeCode],
  ["Codex", codex],
  ["OpenCode", openCode]
]

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
  for (const [name, list] of hosts) {
    const listed = yield* list(options).pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(known)),
      Effect.catchAll((error) => {
        found.push(saying(`the sessions of ${name}: ${messageOf(error)}`))
        return Effect.succeed([])
      })
    )
    const [unread, sources] = Array.separate(listed)
    found.push(...unread.map(saying))
    const fresh = sources.filter(isFresh(options.since))
    if (fresh.length > 0)
      yield* Console.error(`reflexion: judging ${counted(fresh.length, "past session")} of ${name} …`)
    found.push(...(yield* Effect.forEach(fresh, (source) => judged(source, config))))
  }
  const past: Past = { stops: found.flatMap(({ stops }) => stops), problems: found.flatMap(({ problems }) => problems) }
  return past
}, Effect.scoped)
