/** The program behind `reflexion compaction`. */
import * as Effect from "effect/Effect"
import * as CompactionFold from "./fold.ts"
import * as CompactionForm from "./form.ts"
import * as SessionReading from "../session/SessionReading.ts"
import * as SessionRequest from "../session/SessionRequest.ts"
import * as SessionRun from "../session/SessionRun.ts"
import type { Given } from "./model.ts"

const parser = SessionRequest.parser("compaction")

/**
 * Runs the command: prints what the sessions go on with.
 *
 * @category programs
 */
export const run = Effect.fn("Compaction.run")(function* (given: Given) {
  const request = yield* parser.request(given)
  yield* SessionRun.run({
    name: "compaction",
    words: { doing: "assessing", done: "assessed" },
    request,
    read: (options) => SessionReading.read(options, (context) => CompactionFold.make({ context, task: request.task })),
    form: CompactionForm.form,
    code: () => 0
  })
})
