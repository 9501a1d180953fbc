/**
 * The program behind `reflexion score`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { SessionError } from "./CliError.ts"
import type { Given } from "./ScoreCommand.ts"
import * as ScoreFold from "./ScoreFold.ts"
import * as ScoreForm from "./ScoreForm.ts"
import * as SessionReading from "./SessionReading.ts"
import * as SessionRequest from "./SessionRequest.ts"
import * as SessionRun from "./SessionRun.ts"

const parser = SessionRequest.parser("score")

const taskless = (file: string): SessionError =>
  new SessionError({
    file,
    reason: "no_task",
    problem: "has no message of a user, and so no task to score; give what was asked as --task"
  })

/**
 * Runs the command: prints the scores of the sessions.
 *
 * @since 0.1.0
 * @category programs
 */
export const run = Effect.fn("Score.run")(function* (given: Given) {
  const request = yield* parser.request(given)
  yield* SessionRun.run({
    name: "score",
    words: { doing: "scoring", done: "scored" },
    request,
    read: (options) =>
      Effect.flatMap(
        SessionReading.read(options, (context) => ScoreFold.make({ context, task: request.task })),
        ({ value, ...read }) =>
          value === null ? Effect.fail(taskless(options.file)) : Effect.succeed({ ...read, value })
      ),
    form: ScoreForm.form,
    code: () => 0
  })
})
