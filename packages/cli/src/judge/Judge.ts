/** The program for `reflexion judge`. */
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { ConfigurationError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import * as SessionRun from "../session/SessionRun.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Compaction from "./compaction.ts"
import * as JudgeSession from "./JudgeSession.ts"
import * as Score from "./score.ts"
import { type JudgeArguments, type JudgeRequest, requestOf } from "./request.ts"
import type { Consult } from "./SessionFold.ts"
import * as Stuck from "./stuck.ts"
import * as Verdict from "./verdict.ts"
import { formOf, type SessionView } from "./views.ts"

/** Reads the user's conditions. The user chose the file, so the commands in it may be run. */
const conditionsOf = Effect.fnUntraced(function* (given: string | null) {
  if (given === null) return []
  const { cwd } = yield* CliProcess
  const file = resolve(cwd, given)
  const text = yield* Settings.attempt(file, () => PlainFiles.read(file, { follow: true }))
  const found = DoneWhen.conditions(text ?? "")
  if (text !== null && found.length > 0) return found
  const problem = text === null ? "does not exist" : "has no condition"
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

/** Runs the command and prints the requested view of each session. */
export const run = Effect.fn("Judge.run")(function* (given: JudgeArguments) {
  const asked = yield* requestOf(given)
  const request = { ...asked, conditions: yield* conditionsOf(asked.doneWhen) }
  if (request.model === "off" && !request.checks && !request.crossReview) return yield* show(request, () => null)
  const JudgeTiers = yield* Effect.promise(() => import("./JudgeTiers.ts"))
  yield* JudgeTiers.run(request, (consultOf) => show(request, consultOf))
})
