/** The program behind `reflexion log`. */
import * as AskLog from "@reflexion/core/internal/model/calls/AskLog"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { CliProcess } from "../process/CliProcess.ts"
import { LogError, UsageError } from "../process/CliError.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine, wrap } from "../terminal/Layout.ts"
import * as Hosts from "../host/Hosts.ts"
import * as InstallRecord from "../install/InstallRecord.ts"
import * as Asked from "../models/Asked.ts"
import * as AskedFor from "./asked.ts"
import * as LogFile from "./LogFile.ts"
import * as LogReport from "./LogReport.ts"
import { escaped } from "../session/Report.ts"
import * as Settings from "../process/Settings.ts"
import * as StateFolder from "../process/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { Given } from "./model.ts"

const shownDecisions = 50

const read = Effect.flatMap(CliProcess, ({ env }) =>
  Effect.try({
    try: () => LogFile.read(UserDirectories.make(env)),
    catch: (cause) => new LogError({ problem: `the log cannot be read: ${explain(cause).problem}` })
  })
)

const limitOf = ({ format, limit }: Given): Effect.Effect<number, UsageError> => {
  if (limit === null) return Effect.succeed(format === "json" ? Number.POSITIVE_INFINITY : shownDecisions)
  return /^[1-9]\d{0,8}$/u.test(limit)
    ? Effect.succeed(Number(limit))
    : Effect.fail(new UsageError({ command: "reflexion log", problem: `--limit: "${oneLine(limit)}" is no count` }))
}

const maxNamed = 5

const fail = (problem: string) => Effect.fail(new LogError({ problem }))

/** The one session that an id, or the beginning of one, stands for. */
const sessionOf = (decisions: ReadonlyArray<Decision>, id: string): Effect.Effect<string, LogError> => {
  const known = [...new Set(decisions.flatMap(({ sessionId }) => sessionId ?? []))]
  const found = known.includes(id) ? [id] : known.filter((one) => one.startsWith(id))
  const [only, ...more] = found
  if (only === undefined)
    return fail(`no session "${oneLine(id)}" is in the log; \`reflexion log\` lists those that are`)
  if (more.length === 0) return Effect.succeed(only)
  const named = found.slice(-maxNamed).map((one) => oneLine(one))
  return fail(`"${oneLine(id)}" begins the ids of ${found.length} sessions, as of ${named.join(", ")}`)
}

const warn = (damaged: number): Effect.Effect<void> =>
  damaged === 0
    ? Effect.void
    : Console.error(
        `reflexion: ${damaged} line${damaged === 1 ? " of the log is no decision and was" : "s of the log are no decisions and were"} left out`
      )

const warnUnwritable = Effect.flatMap(CliProcess, ({ env }) => {
  const problem = StateFolder.problemOf(UserDirectories.make(env).state)
  return problem === null
    ? Effect.void
    : Console.error(`reflexion: no stop is logged and no agent is pushed, for the state cannot be written: ${problem}`)
})

/** Where the user's word on a model cannot be read, none is asked, which no stop has a line for. */
const warnUnread = Effect.flatMap(CliProcess, ({ env }) => {
  const directories = UserDirectories.make(env)
  return Effect.catchAll(
    Settings.attempt(OwnModels.fileOf(directories), () => OwnModels.read(directories)),
    ({ problem }) => Console.error(`reflexion: ${oneLine(problem)}`)
  )
})

const nowhere =
  `Nothing is logged yet. Every stop of an agent is logged once reflexion is installed: ${Hosts.installing}. ` +
  "`reflexion doctor` says whether it runs."

/** What was asked is a part of the log that the rest does not wait for. */
const questions = Asked.lines.pipe(
  Effect.catchAll(({ message }) => Effect.as(Console.error(`reflexion: ${oneLine(message)}`), []))
)

/** Today's questions to models, of all sessions; nothing where there were none. */
const todaysSum = Effect.fnUntraced(function* (lines: ReadonlyArray<AskLog.AskLine>) {
  const today = AskLog.today(lines, yield* Clock.currentTimeMillis)
  const { width } = yield* Terminal.style
  return today.length === 0 ? [] : wrap(`Models today: ${Asked.summed(today)}.`, width)
})

/** The hosts that an installation of ours is on record for. */
const installedFor = Effect.map(CliProcess, ({ env }) => {
  const directories = UserDirectories.make(env)
  return Hosts.all.filter(({ name }) =>
    Either.getOrElse(
      Either.try(() => InstallRecord.all(directories, name).length > 0),
      () => false
    )
  )
})

/** What there is to do depends on whether anything is installed. */
const nothingYet = Effect.map(installedFor, (hosts) => {
  if (hosts.length === 0) return nowhere
  const named = Hosts.listed(
    hosts.map(({ title }) => title),
    "and"
  )
  const approve = hosts.flatMap(({ installation: { words } }) => (words.waiting === null ? [] : [` ${words.waiting}`]))
  return (
    `Nothing is logged yet: reflexion is installed for ${named}, and no agent has stopped since. Sessions that were open ` +
    `before have to be started again.${approve.join("")} \`reflexion doctor\` says whether it runs.`
  )
})

const textOf = Effect.fnUntraced(function* (
  all: ReadonlyArray<Decision>,
  limit: number,
  ids: ReadonlyMap<string, string>
) {
  const style = yield* Terminal.style
  if (all.length === 0) return wrap(yield* nothingYet, style.width).join("\n")
  const { env, stdout } = yield* CliProcess
  const shown = all.slice(-limit)
  const asked = yield* questions
  const left = all.length - shown.length
  const text = LogReport.text(style, shown, {
    isTerminal: stdout.isTerminal,
    ids,
    questions: AskedFor.byDecision(all, asked),
    tilde: (path) => Terminal.tilde(env, path)
  })
  const earlier = left === 0 ? [] : [`${left} earlier; see them with --limit ${all.length}`]
  const sum = yield* todaysSum(asked)
  return [...earlier, text, ...(sum.length === 0 ? [] : [sum.join("\n")])].join("\n\n")
})

const jsonOf = (shown: ReadonlyArray<Decision>, of: ReadonlyMap<Decision, ReadonlyArray<AskLog.AskLine>>) =>
  shown.map((decision) => {
    const questions = of.get(decision)
    return questions === undefined ? decision : { ...decision, asked: questions.map(withoutPlace) }
  })

/** Where it was asked the decision says already. */
const withoutPlace = ({ at, attended, end, inputTokens, model, ms, outputTokens }: AskLog.AskLine) => ({
  at,
  model,
  ms,
  end,
  inputTokens,
  outputTokens,
  attended
})

/**
 * Runs the command: prints the decisions that were asked for.
 *
 * @category programs
 */
export const run = Effect.fn("Log.run")(function* (given: Given) {
  const limit = yield* limitOf(given)
  const { damaged, decisions } = yield* read
  yield* warn(damaged)
  yield* warnUnwritable
  yield* warnUnread
  const session = given.session === null ? null : yield* sessionOf(decisions, given.session)
  const asked = session === null ? decisions : decisions.filter(({ sessionId }) => sessionId === session)
  const text =
    given.format === "json"
      ? escaped(JSON.stringify(jsonOf(asked.slice(-limit), AskedFor.byDecision(asked, yield* questions)), null, 2))
      : yield* textOf(asked, limit, LogReport.shortIds(decisions))
  yield* Console.log(text)
})
