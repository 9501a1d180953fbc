/** The program behind `reflexion judge`. */
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { ConfigurationError } from "../process/CliError.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Settings from "../process/Settings.ts"
import * as ExitCode from "../process/ExitCode.ts"
import * as JudgeRequest from "./request.ts"
import * as JudgeSession from "./JudgeSession.ts"
import type { Consult, Folded } from "./SessionFold.ts"
import * as SessionRun from "../session/SessionRun.ts"
import * as VerdictForm from "./form.ts"
import type { Given } from "./model.ts"

const codeOf = ({ verdicts }: Folded): ExitCode.ExitCode => {
  const last = verdicts.at(-1)
  return last === undefined ? 2 : ExitCode.ofVerdict(last)
}

const judge = (request: JudgeRequest.JudgeRequest, consultOf: (file: string) => Consult | null) =>
  SessionRun.run({
    name: "judge",
    words: { doing: "judging", done: "judged" },
    request,
    read: (options) => JudgeSession.judge(options, { ...request, consult: consultOf(options.file) }),
    form: VerdictForm.make({ all: request.turn === "all" }),
    code: codeOf
  })

/** The user names the file, and with it the commands in it. */
const conditionsOf = Effect.fnUntraced(function* (given: string | null) {
  if (given === null) return []
  const { cwd } = yield* CliProcess
  const file = resolve(cwd, given)
  const text = yield* Settings.attempt(file, () => PlainFiles.read(file, { follow: true }))
  const found = DoneWhen.conditions(text ?? "")
  if (text === null || found.length === 0) {
    const problem = text === null ? "is not there" : "has no condition in it"
    return yield* new ConfigurationError({ problem: `--done-when: ${oneLine(given)} ${problem}` })
  }
  return found
})

/**
 * Runs the command: prints the verdicts that were asked for.
 *
 * @category programs
 */
export const run = Effect.fn("Judge.run")(function* (given: Given) {
  const asked = yield* JudgeRequest.make(given)
  const request = { ...asked, conditions: yield* conditionsOf(asked.doneWhen) }
  if (request.model === "off" && !request.checks && !request.crossReview) return yield* judge(request, () => null)
  const JudgeTiers = yield* Effect.promise(() => import("./JudgeTiers.ts"))
  yield* JudgeTiers.run(request, (consultOf) => judge(request, consultOf))
})
