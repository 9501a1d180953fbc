/** The program behind `reflexion stuck`. */
import * as Effect from "effect/Effect"
import * as ExitCode from "../process/ExitCode.ts"
import * as SessionReading from "../session/SessionReading.ts"
import * as SessionRequest from "../session/SessionRequest.ts"
import * as SessionRun from "../session/SessionRun.ts"
import * as StuckFold from "./fold.ts"
import * as StuckForm from "./form.ts"
import type { Given } from "./model.ts"

const parser = SessionRequest.parser("stuck")

/** The present moment is that of the end of the record, which may be a stream. */
const clock = Effect.map(Effect.clock, (clock) => (): string => new Date(clock.unsafeCurrentTimeMillis()).toISOString())

/**
 * Runs the command: prints what the sessions are doing.
 *
 * @category programs
 */
export const run = Effect.fn("Stuck.run")(function* (given: Given) {
  const request = yield* parser.request(given)
  const now = yield* SessionRequest.optional(given.now, null, parser.now)
  const present = yield* clock
  yield* SessionRun.run({
    name: "stuck",
    words: { doing: "assessing", done: "assessed" },
    request,
    read: (options) =>
      SessionReading.read(options, (context) =>
        StuckFold.make({ context, task: request.task, now: () => now ?? present() })
      ).pipe(Effect.tap(({ value: { lastAt } }) => SessionReading.ensureAfter({ file: options.file, lastAt, now }))),
    form: StuckForm.form,
    code: ({ assessment }) => ExitCode.ofAssessment(assessment)
  })
})
