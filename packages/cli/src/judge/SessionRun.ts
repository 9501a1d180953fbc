/** Finds the requested sessions, reads each, prints the results and sets the exit status. */
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
import * as JudgeSession from "./JudgeSession.ts"
import type { JudgeRequest } from "./request.ts"
import type { Consult } from "./SessionFold.ts"
import type { SessionView } from "./views.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as NewestSession from "../session/NewestSession.ts"
import * as Report from "./Report.ts"
import type * as SessionReading from "../session/SessionReading.ts"
import * as Settings from "../process/Settings.ts"
import * as Terminal from "../terminal/Terminal.ts"

const shownWarnings = 5

const print = (text: string | null): Effect.Effect<void> =>
  text === null || text === "" ? Effect.void : Console.log(text)

const couldNot = (error: ConfigurationError | SessionError): Effect.Effect<ExitCode.ExitCode> => {
  const lines = error.message.split("\n").map((line) => `reflexion: ${oneLine(line)}`)
  return Effect.as(Console.error(lines.join("\n")), 2)
}

/** Turns a program fault in one session into an error, so that the other sessions are still read. */
const fault = (file: string, done: string, defect: unknown): Effect.Effect<never, SessionError> => {
  const text = defect instanceof Error ? defect.message : String(defect)
  const problem = `could not be ${done}, because of an internal error of reflexion: ${text}`
  return Effect.fail(new SessionError({ file, reason: "fault", problem }))
}

const warn = (file: string, { warningCount, warnings }: SessionReading.Reading<unknown>): Effect.Effect<void> => {
  const name = `reflexion: ${oneLine(file === "-" ? "standard input" : file)}`
  const shown = warnings
    .slice(0, shownWarnings)
    .map(({ line, message }) => `${name}: line ${line}: ${oneLine(message)}`)
  const more = warningCount - shown.length
  const lines = more > 0 ? [...shown, `${name}: ${more} more such warning${more === 1 ? "" : "s"}`] : shown
  return lines.length === 0 ? Effect.void : Console.error(lines.join("\n"))
}

type Source = Pick<SessionReading.Options, "file" | "source"> & Pick<JudgeRequest, "host">

const sourcesOf = Effect.fnUntraced(function* ({ cwd, files, host }: JudgeRequest, doing: string) {
  if (files.length > 0) return files.map((file): Source => ({ file, source: file, host }))
  const here = (yield* CliProcess).cwd
  const found = yield* NewestSession.find({ cwd: resolve(here, cwd ?? "."), host })
  yield* Console.error(`reflexion: ${doing} the newest ${found.host} session of ${oneLine(found.directory)}`)
  return [{ file: found.name, source: found.file, host: found.host } satisfies Source]
})

const attempt = Effect.fnUntraced(function* <S, A, Name extends string>(
  request: JudgeRequest,
  view: SessionView<S, A, Name>,
  consultOf: (file: string) => Consult | null
) {
  const here = (yield* CliProcess).cwd
  if (request.cwd !== null && !(yield* isDirectory(resolve(here, request.cwd)))) {
    const problem = `--cwd: "${oneLine(request.cwd)}" is not a directory`
    return yield* new UsageError({ command: "reflexion judge", problem })
  }
  const config: ReflexionConfig = yield* Settings.user
  const sources = yield* sourcesOf(request, view.doing)
  const report = Report.make(view, {
    style: yield* Terminal.style,
    format: request.format,
    files: sources.length,
    all: request.turn === "all"
  })
  const readOne = Effect.fnUntraced(function* ({ host, ...source }: Source) {
    const options = { ...source, request: { ...request, host }, config, done: view.done }
    const found = yield* JudgeSession.read(options, view.turns, { ...request, consult: consultOf(source.file) })
    yield* warn(source.file, found)
    yield* print(report.add({ file: source.file, value: found.value }))
    const last = found.value.shown.at(-1)
    return last === undefined ? 2 : view.code(last)
  })
  const codes = yield* Effect.forEach(sources, (source) =>
    readOne(source).pipe(
      Effect.catchAllDefect((defect) => fault(source.file, view.done, defect)),
      Effect.catchTags({ ConfigurationError: couldNot, SessionError: couldNot })
    )
  )
  yield* print(report.end(codes.filter((code) => code === 2).length))
  return ExitCode.combine(codes)
}, Effect.scoped)

/** Prints errors. Fails only if the command line is wrong. */
export const run = Effect.fn("SessionRun.run")(function* <S, A, Name extends string>(
  request: JudgeRequest,
  view: SessionView<S, A, Name>,
  consultOf: (file: string) => Consult | null
) {
  const status = yield* ExitStatus
  const attempted = attempt(request, view, consultOf)
  const code = yield* Effect.catchTags(attempted, { ConfigurationError: couldNot, SessionError: couldNot })
  yield* Ref.set(status, code)
})
