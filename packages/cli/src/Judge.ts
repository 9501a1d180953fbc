/**
 * The program behind `reflexion judge`: reads the sessions, prints the verdicts, answers with the exit status.
 *
 * @since 0.1.0
 */
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { resolve } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import { type ConfigurationError, SessionError, UsageError } from "./CliError.ts"
import * as ExitCode from "./ExitCode.ts"
import { ExitStatus } from "./ExitStatus.ts"
import type { Given } from "./JudgeCommand.ts"
import { isDirectory } from "./Input.ts"
import * as JudgeRequest from "./JudgeRequest.ts"
import * as JudgeSession from "./JudgeSession.ts"
import { oneLine } from "./Layout.ts"
import * as NewestSession from "./NewestSession.ts"
import * as Report from "./Report.ts"
import * as Settings from "./Settings.ts"
import * as TerminalStyle from "./TerminalStyle.ts"

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

/** One session that trips the judge must not keep the others from theirs. */
const fault = (file: string, defect: unknown): Effect.Effect<never, SessionError> => {
  const text = defect instanceof Error ? defect.message : String(defect)
  return Effect.fail(
    new SessionError({ file, reason: "fault", problem: `could not be judged, by a fault of reflexion itself: ${text}` })
  )
}

const warn = (file: string, { warningCount, warnings }: JudgeSession.Judged): Effect.Effect<void> => {
  const shown = warnings.slice(0, shownWarnings)
  const more = warningCount - shown.length
  const lines = shown.map(
    ({ line, message }) => `reflexion: ${oneLine(named(file))}: line ${line}: ${oneLine(message)}`
  )
  if (more > 0) lines.push(`reflexion: ${oneLine(named(file))}: ${more} more such warning${more === 1 ? "" : "s"}`)
  return lines.length === 0 ? Effect.void : Console.error(lines.join("\n"))
}

const judgeFile = Effect.fnUntraced(function* (report: Report.Report, options: JudgeSession.Options) {
  const judged = yield* JudgeSession.judge(options)
  yield* warn(options.file, judged)
  yield* print(report.add({ file: options.file, verdicts: judged.verdicts, lastTurn: judged.last }))
  const last = judged.verdicts.at(-1)
  return last === undefined ? 2 : ExitCode.ofVerdict(last)
})

const judgeFiles = Effect.fnUntraced(function* (
  request: JudgeRequest.JudgeRequest,
  files: ReadonlyArray<Input>,
  config: ReflexionConfig
) {
  const { env, stdout } = yield* CliProcess
  const style = TerminalStyle.detect({ env, isTerminal: stdout.isTerminal, columns: stdout.columns })
  const report = Report.make(style, { format: request.format, files: files.length, all: request.turn === "all" })
  const codes = yield* Effect.forEach(files, ({ file, source }) =>
    judgeFile(report, { file, source, request, config }).pipe(
      Effect.catchAllDefect((defect) => fault(file, defect)),
      Effect.catchTags({ ConfigurationError: couldNot, SessionError: couldNot }),
      Effect.tap((code) => (code === 2 ? Effect.sync(report.fail) : Effect.void))
    )
  )
  yield* print(report.end())
  return ExitCode.combine(codes)
})

/** What a session is called, and the file that has its record. */
type Input = Pick<JudgeSession.Options, "file" | "source">

const findFiles = (request: JudgeRequest.JudgeRequest) =>
  request.files.length > 0
    ? Effect.succeed(request.files.map((file): Input => ({ file, source: file })))
    : NewestSession.find(request).pipe(
        Effect.tap(({ directory, host, name }) =>
          Console.error(`reflexion: judging the newest ${host} session of ${oneLine(directory)}: ${oneLine(name)}`)
        ),
        Effect.map(({ file, name }): ReadonlyArray<Input> => [{ file: name, source: file }])
      )

const checkDirectory = Effect.fnUntraced(function* (given: string) {
  const { cwd } = yield* CliProcess
  if (yield* isDirectory(resolve(cwd, given))) return
  const problem = `--cwd: "${oneLine(given)}" is not a directory`
  return yield* new UsageError({ command: "reflexion judge", problem })
})

const judge = Effect.fnUntraced(function* (given: Given) {
  const request = yield* JudgeRequest.make(given)
  if (request.cwd !== null) yield* checkDirectory(request.cwd)
  const config = yield* Settings.user
  const files = yield* findFiles(request)
  return yield* judgeFiles(request, files, config)
}, Effect.scoped)

/**
 * Runs the command. Whatever happens is printed; only a wrong command line fails.
 *
 * @since 0.1.0
 * @category programs
 */
export const run = Effect.fn("Judge.run")(function* (given: Given) {
  const status = yield* ExitStatus
  const code = yield* Effect.catchTags(judge(given), { ConfigurationError: couldNot, SessionError: couldNot })
  yield* Ref.set(status, code)
})
