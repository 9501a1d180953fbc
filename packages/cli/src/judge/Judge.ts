/** The program behind `reflexion judge`. */
import * as Effect from "effect/Effect"
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

/**
 * Runs the command: prints the verdicts that were asked for.
 *
 * @category programs
 */
export const run = Effect.fn("Judge.run")(function* (given: Given) {
  const request = yield* JudgeRequest.make(given)
  if (request.model === "off" && !request.verify && !request.crossReview) return yield* judge(request, () => null)
  const JudgeTiers = yield* Effect.promise(() => import("./JudgeTiers.ts"))
  yield* JudgeTiers.run(request, (consultOf) => judge(request, consultOf))
})
