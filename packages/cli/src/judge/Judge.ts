/** The program behind `reflexion judge`. */
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { Profile } from "@reflexion/core/ReflexionConfig"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { resolve } from "node:path"
import { ConfigurationError, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import * as SessionRun from "../session/SessionRun.ts"
import { clean, oneLine } from "../terminal/Layout.ts"
import * as Compaction from "./compaction.ts"
import type { JudgeArguments } from "./JudgeCommand.ts"
import * as JudgeSession from "./JudgeSession.ts"
import * as Score from "./score.ts"
import type { Consult, Turn } from "./SessionFold.ts"
import * as Stuck from "./stuck.ts"
import * as Verdict from "./verdict.ts"
import { formOf, type SessionView } from "./views.ts"

/** What was asked, made of what was typed. `now` is null for the session's last event, in the view `stuck` for the present. */
export interface JudgeRequest extends SessionRun.SessionRequest {
  readonly show: "verdict" | "stuck" | "compaction" | "score"
  readonly task: string | null
  readonly turn: Turn
  readonly now: string | null
  /** `off`, `auto` or the name of a model. */
  readonly model: string
  readonly checks: boolean
  readonly crossReview: boolean
  /** The file that says when the task is done; null where none was given. */
  readonly doneWhen: string | null
}

const Choices = Schema.Struct({
  show: Schema.Literal("verdict", "stuck", "compaction", "score"),
  format: Schema.Literal("text", "json", "jsonl"),
  profile: Schema.NullOr(Profile),
  attended: Schema.NullOr(Schema.Literal("auto", "true", "false"))
})

/** Options that say nothing to some views. */
const viewsOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  turn: ["verdict"],
  attended: ["verdict"],
  now: ["verdict", "stuck"],
  model: ["verdict", "score"],
  checks: ["verdict"],
  "done-when": ["verdict"],
  "cross-review": ["verdict"]
}

const quote = (value: string): string => `"${clean(value.slice(0, 100)).replaceAll("\n", " ")}"`

const iso = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u

/** Null for what is no time, such as the 30th of February. */
const timeOf = (value: string): string | null => {
  const [, day = ""] = iso.exec(value) ?? []
  const [date, time] = [Date.parse(day), Date.parse(value)]
  if (Number.isNaN(date) || Number.isNaN(time) || new Date(date).toISOString().slice(0, 10) !== day) return null
  return new Date(time).toISOString()
}

const turnOf = (value: string): Turn | null => {
  if (value === "last" || value === "all") return value
  return /^\d{1,9}$/u.test(value) ? Number(value) : null
}

const isModel = (value: string): boolean =>
  value === "off" || value === "auto" || (ModelRouting.parse(value) !== null && !/\s/u.test(value))

const refuse = (problem: string) => Either.left(new UsageError({ command: "reflexion judge", problem }))

/** What is made of an option's value; null for `found` refuses it. */
const valued = <A>(name: string, value: string, found: A | null, what: string): Either.Either<A, UsageError> =>
  found === null ? refuse(`--${name}: ${quote(value)} is not ${what}`) : Either.right(found)

/** Reads what was typed; what is wrong with it names the option and the value. */
export const requestOf = (given: JudgeArguments): Either.Either<JudgeRequest, UsageError> =>
  Either.gen(function* () {
    const { cwd, files, model = null, now, task, turn } = given
    const choices = yield* Either.mapLeft(
      Schema.decodeUnknownEither(Choices)({ ...given, show: given.show ?? "verdict", format: given.format ?? "text" }),
      ({ message }) => new UsageError({ command: "reflexion judge", problem: message })
    )
    const stray = Object.keys(viewsOf).find(
      (name) => given[name as keyof typeof given] !== null && viewsOf[name]?.includes(choices.show) === false
    )
    if (stray !== undefined) yield* refuse(`--show ${choices.show} takes no --${stray}`)
    if (files.filter((file) => file === "-").length > 1) yield* refuse("-: standard input can be read only once")
    if (files.includes("")) yield* refuse('"" is not a file')
    if (task?.trim() === "") yield* refuse("--task needs a text")
    if (cwd === "") yield* refuse("--cwd needs a directory")
    if (given["done-when"] === "") yield* refuse("--done-when needs a file")
    return {
      ...choices,
      attended:
        choices.attended === null || choices.attended === "auto" ? choices.attended : choices.attended === "true",
      files,
      host: given.host === "auto" ? null : given.host,
      cwd,
      task,
      turn: turn === null ? "last" : yield* valued("turn", turn, turnOf(turn), "last, all or the number of a turn"),
      now:
        now === null
          ? null
          : yield* valued("now", now, timeOf(now), "an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z"),
      model:
        model === null
          ? "off"
          : yield* valued("model", model, isModel(model) ? model : null, "off, auto or a name such as openai/gpt-5"),
      checks: given.checks !== null,
      crossReview: given["cross-review"] !== null,
      doneWhen: given["done-when"]
    }
  })

/** The user names the file, and with it the commands in it. */
const conditionsOf = Effect.fnUntraced(function* (given: string | null) {
  if (given === null) return []
  const { cwd } = yield* CliProcess
  const file = resolve(cwd, given)
  const text = yield* Settings.attempt(file, () => PlainFiles.read(file, { follow: true }))
  const found = DoneWhen.conditions(text ?? "")
  if (text !== null && found.length > 0) return found
  const problem = text === null ? "is not there" : "has no condition in it"
  return yield* new ConfigurationError({ problem: `--done-when: ${oneLine(given)} ${problem}` })
})

type ConsultOf = (file: string) => Consult | null

const runView = <S, A, Name extends string>(
  view: SessionView<S, A, Name>,
  request: JudgeRequest,
  consultOf: ConsultOf
) =>
  SessionRun.run(request, {
    doing: view.doing,
    done: view.done,
    read: (options) =>
      JudgeSession.read(options, view.turns, {
        ...request,
        isLive: request.show === "stuck",
        consult: consultOf(options.file)
      }),
    form: formOf(view, request.turn === "all"),
    code: ({ shown }) => {
      const last = shown.at(-1)
      return last === undefined ? 2 : view.code(last)
    }
  })

const show = (request: JudgeRequest, consultOf: ConsultOf) => {
  if (request.show === "stuck") return runView(Stuck.view, request, consultOf)
  if (request.show === "compaction") return runView(Compaction.view, request, consultOf)
  if (request.show === "score") return runView(Score.view, request, consultOf)
  return runView(Verdict.view, request, consultOf)
}

/** Runs the command: prints what was asked for of each session. */
export const run = Effect.fn("Judge.run")(function* (given: JudgeArguments) {
  const asked = yield* requestOf(given)
  const request = { ...asked, conditions: yield* conditionsOf(asked.doneWhen) }
  if (request.model === "off" && !request.checks && !request.crossReview) return yield* show(request, () => null)
  const JudgeTiers = yield* Effect.promise(() => import("./JudgeTiers.ts"))
  yield* JudgeTiers.run(request, (consultOf) => show(request, consultOf))
})
