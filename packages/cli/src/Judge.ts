/**
 * The program behind `reflexion judge`: reads the sessions, prints the verdicts, answers with the exit status.
 *
 * @since 0.1.0
 */
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { CliProcess } from "./CliProcess.ts"
import type { ConfigurationError, SessionError } from "./CliError.ts"
import * as ExitCode from "./ExitCode.ts"
import { ExitStatus } from "./ExitStatus.ts"
import type { Given } from "./JudgeCommand.ts"
import * as JudgeRequest from "./JudgeRequest.ts"
import * as JudgeSession from "./JudgeSession.ts"
import { oneLine } from "./Layout.ts"
import * as NewestSession from "./NewestSession.ts"
import * as Report from "./Report.ts"
import * as Settings from "./Settings.ts"
import * as TerminalStyle from "./TerminalStyle.ts"

const decoders = [ClaudeCodeTranscript.decoder, NeutralTranscript.decoder]

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

const warn = (file: string, { warningCount, warnings }: JudgeSession.Judged): Effect.Effect<void> => {
  const shown = warnings.slice(0, shownWarnings)
  const more = warningCount - shown.length
  const lines = shown.map(
    ({ line, message }) => `reflexion: ${oneLine(named(file))}: line ${line}: ${oneLine(message)}`
  )
  if (more > 0) lines.push(`reflexion: ${oneLine(named(file))}: ${more} more such warning${more === 1 ? "" : "s"}`)
  return lines.length === 0 ? Effect.void : Console.error(lines.join("\n"))
}

const judgeFile = Effect.fnUntraced(function* (report: Report.Report, options: Omit<JudgeSession.Options, "decoders">) {
  const judged = yield* JudgeSession.judge({ ...options, decoders })
  yield* warn(options.file, judged)
  yield* print(report.add({ file: options.file, verdicts: judged.verdicts, turns: judged.turns }))
  const last = judged.verdicts.at(-1)
  return last === undefined ? 2 : ExitCode.ofVerdict(last)
})

const judgeFiles = Effect.fnUntraced(function* (
  request: JudgeRequest.JudgeRequest,
  files: ReadonlyArray<string>,
  config: ReflexionConfig
) {
  const { env, stdout } = yield* CliProcess
  const style = TerminalStyle.detect({ env, isTerminal: stdout.isTerminal, columns: stdout.columns })
  const report = Report.make(style, { format: request.format, files: files.length, all: request.turn === "all" })
  const codes = yield* Effect.forEach(files, (file) =>
    judgeFile(report, { file, request, config }).pipe(
      Effect.catchTags({
        ConfigurationError: (error) => Effect.as(complain(error), 2 as const),
        SessionError: (error) => Effect.as(complain(error), 2 as const)
      }),
      Effect.tap((code) => (code === 2 ? Effect.sync(report.fail) : Effect.void))
    )
  )
  yield* print(report.end())
  return ExitCode.combine(codes)
})

const findFiles = (request: JudgeRequest.JudgeRequest) =>
  request.files.length > 0
    ? Effect.succeed(request.files)
    : NewestSession.find(request).pipe(
        Effect.tap(({ directory, file, host }) =>
          Console.error(`reflexion: judging the newest ${host} session of ${oneLine(directory)}: ${oneLine(file)}`)
        ),
        Effect.map(({ file }) => [file])
      )

/**
 * Runs the command. Whatever happens is printed; only a wrong command line fails.
 *
 * @since 0.1.0
 * @category programs
 */
export const run = Effect.fn("Judge.run")(
  function* (given: Given) {
    const request = yield* JudgeRequest.make(given)
    const status = yield* ExitStatus
    const config = yield* Settings.user
    const files = yield* findFiles(request)
    yield* Ref.set(status, yield* judgeFiles(request, files, config))
  },
  Effect.catchTag("ConfigurationError", (error) =>
    Effect.zipRight(complain(error), Effect.flatMap(ExitStatus, Ref.set<ExitCode.ExitCode>(2)))
  )
)
