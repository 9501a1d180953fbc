/**
 * The program behind every command that reads sessions: finds them, reads each, prints what came of it and answers with
 * the exit status.
 */
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { resolve } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { type ConfigurationError, SessionError, UsageError } from "../process/CliError.ts"
import * as ExitCode from "../process/ExitCode.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import { isDirectory } from "../process/Input.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as NewestSession from "./NewestSession.ts"
import * as Report from "./Report.ts"
import type * as SessionReading from "./SessionReading.ts"
import type { SessionRequest } from "./SessionRequest.ts"
import * as Settings from "../process/Settings.ts"
import * as Terminal from "../terminal/Terminal.ts"

/**
 * What makes one of these commands: what it is called, how it reads one session, how it shows what came of it, and
 * which exit status that deserves.
 *
 * @category models
 */
export interface Program<A, R> {
  readonly name: string
  /** What is done with a session, as in "judging" and "judged". */
  readonly words: { readonly doing: string; readonly done: string }
  readonly request: SessionRequest
  readonly read: (
    options: SessionReading.Options
  ) => Effect.Effect<SessionReading.Read<A>, ConfigurationError | SessionError, R>
  readonly form: Report.Form<A>
  readonly code: (value: A) => ExitCode.ExitCode
}

const shownWarnings = 5

const named = (file: string): string => (file === "-" ? "standard input" : file)

const print = (text: string | null): Effect.Effect<void> =>
  text === null || text === "" ? Effect.void : Console.log(text)

const complain = (error: ConfigurationError | SessionError): Effect.Effect<void> =>
  Console.error(
    error.message
      .split("\n")
      .map((line) => `reflexion: ${oneLine(line)}`)
      .join("\n")
  )

const couldNot = (error: ConfigurationError | SessionError): Effect.Effect<ExitCode.ExitCode> =>
  Effect.as(complain(error), 2)

/** One session that trips the program must not keep the others from theirs. */
const fault = (file: string, done: string, defect: unknown): Effect.Effect<never, SessionError> => {
  const text = defect instanceof Error ? defect.message : String(defect)
  return Effect.fail(
    new SessionError({
      file,
      reason: "fault",
      problem: `could not be ${done}, by a fault of reflexion itself: ${text}`
    })
  )
}

const warn = (file: string, { warningCount, warnings }: SessionReading.Read<unknown>): Effect.Effect<void> => {
  const shown = warnings.slice(0, shownWarnings)
  const more = warningCount - shown.length
  const lines = shown.map(
    ({ line, message }) => `reflexion: ${oneLine(named(file))}: line ${line}: ${oneLine(message)}`
  )
  if (more > 0) lines.push(`reflexion: ${oneLine(named(file))}: ${more} more such warning${more === 1 ? "" : "s"}`)
  return lines.length === 0 ? Effect.void : Console.error(lines.join("\n"))
}

/** What a session is called, and the file that has its record. */
type Source = Pick<SessionReading.Options, "file" | "source">

interface Run {
  readonly request: SessionRequest
  readonly files: ReadonlyArray<Source>
  readonly config: ReflexionConfig
}

const readFiles = Effect.fnUntraced(function* <A, R>(
  { code, form, read, words }: Program<A, R>,
  { config, files, request }: Run
) {
  const report = Report.make(form, { style: yield* Terminal.style, format: request.format, files: files.length })
  const readOne = Effect.fnUntraced(function* (options: SessionReading.Options) {
    const found = yield* read(options)
    yield* warn(options.file, found)
    yield* print(report.add({ file: options.file, value: found.value }))
    return code(found.value)
  })
  const codes = yield* Effect.forEach(files, ({ file, source }) =>
    readOne({ file, source, request, config, done: words.done }).pipe(
      Effect.catchAllDefect((defect) => fault(file, words.done, defect)),
      Effect.catchTags({ ConfigurationError: couldNot, SessionError: couldNot }),
      Effect.tap((code) => (code === 2 ? Effect.sync(report.fail) : Effect.void))
    )
  )
  yield* print(report.end())
  return ExitCode.combine(codes)
})

const findFiles = <A, R>({ words }: Program<A, R>, request: SessionRequest) =>
  request.files.length > 0
    ? Effect.succeed(request.files.map((file): Source => ({ file, source: file })))
    : NewestSession.find(request).pipe(
        Effect.tap(({ directory, host }) =>
          Console.error(`reflexion: ${words.doing} the newest ${host} session of ${oneLine(directory)}`)
        ),
        Effect.map(({ file, name }): ReadonlyArray<Source> => [{ file: name, source: file }])
      )

const checkDirectory = Effect.fnUntraced(function* (name: string, given: string) {
  const { cwd } = yield* CliProcess
  if (yield* isDirectory(resolve(cwd, given))) return
  const problem = `--cwd: "${oneLine(given)}" is not a directory`
  return yield* new UsageError({ command: `reflexion ${name}`, problem })
})

const attempt = Effect.fnUntraced(function* <A, R>(program: Program<A, R>) {
  const { request } = program
  if (request.cwd !== null) yield* checkDirectory(program.name, request.cwd)
  const config = yield* Settings.user
  const files = yield* findFiles(program, request)
  return yield* readFiles(program, { request, files, config })
}, Effect.scoped)

/**
 * Runs the command. Whatever happens is printed; only a wrong command line fails.
 *
 * @category programs
 */
export const run = Effect.fn("SessionRun.run")(function* <A, R>(program: Program<A, R>) {
  const status = yield* ExitStatus
  const code = yield* Effect.catchTags(attempt(program), { ConfigurationError: couldNot, SessionError: couldNot })
  yield* Ref.set(status, code)
})
