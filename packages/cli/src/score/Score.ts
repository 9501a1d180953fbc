/** The program behind `reflexion score`. */
import * as Effect from "effect/Effect"
import { SessionError } from "../process/CliError.ts"
import * as ScoreFold from "./fold.ts"
import * as ScoreForm from "./form.ts"
import type { Consult } from "../judge/SessionFold.ts"
import * as SessionReading from "../session/SessionReading.ts"
import * as SessionRequest from "../session/SessionRequest.ts"
import * as SessionRun from "../session/SessionRun.ts"
import type { Given } from "./model.ts"

const parser = SessionRequest.parser("score")

const taskless = (file: string): SessionError =>
  new SessionError({
    file,
    reason: "no_task",
    problem: "has no message of a user, and so no task to score; give what was asked as --task"
  })

interface Asked {
  readonly request: SessionRequest.SessionRequest
  readonly consultOf: (file: string) => Consult | null
}

const scoreOf = Effect.fnUntraced(function* (options: SessionReading.Options, { consultOf, request: { task } }: Asked) {
  const consult = consultOf(options.file)
  const { value, ...read } = yield* SessionReading.read(options, (context) =>
    ScoreFold.make({ consult, context, task })
  )
  return value === null ? yield* taskless(options.file) : { ...read, value: yield* value }
})

const score = (asked: Asked) =>
  SessionRun.run({
    name: "score",
    words: { doing: "scoring", done: "scored" },
    request: asked.request,
    read: (options) => scoreOf(options, asked),
    form: ScoreForm.form,
    code: () => 0
  })

/**
 * Runs the command: prints the scores of the sessions.
 *
 * @category programs
 */
export const run = Effect.fn("Score.run")(function* (given: Given) {
  const request = yield* parser.request(given)
  const model = yield* SessionRequest.optional(given.model, "off", parser.model)
  if (model === "off") return yield* score({ request, consultOf: () => null })
  const JudgeTiers = yield* Effect.promise(() => import("../judge/JudgeTiers.ts"))
  const asked = { cwd: request.cwd, model, turn: "last", checks: false, crossReview: false } as const
  yield* JudgeTiers.run(asked, (consultOf) => score({ request, consultOf }))
})
