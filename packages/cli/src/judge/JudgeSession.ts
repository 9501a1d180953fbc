/** One session's record, judged as it is read. */
import * as Effect from "effect/Effect"
import { SessionError } from "../process/CliError.ts"
import type { JudgeRequest } from "./request.ts"
import * as SessionFold from "./SessionFold.ts"
import * as SessionReading from "../session/SessionReading.ts"

const noSuchTurn = (file: string, turn: number, { last, turns }: SessionFold.Folded): SessionError => {
  const gaps = turns === last + 1 ? "" : ", with gaps where a prompt was merged into the turn before it"
  const there = last === 0 ? "has 1 turn, number 0" : `has ${turns} turns, 0 to ${last}${gaps}`
  return new SessionError({ file, reason: "no_such_turn", problem: `--turn ${turn}: the session ${there}` })
}

/**
 * Reads a record to its end and judges the turns that were asked for.
 *
 * @category programs
 */
export const judge = Effect.fn("JudgeSession.judge")(function* (
  options: SessionReading.Options,
  { consult, now, task, turn }: Pick<JudgeRequest, "now" | "task" | "turn"> & Pick<SessionFold.Options, "consult">
) {
  const clock = yield* Effect.clock
  const millis = () => clock.unsafeCurrentTimeMillis()
  const judged = yield* SessionReading.read(options, (context) =>
    SessionFold.make({ context, turn, task, now, millis, consult: consult ?? null })
  )
  if (judged.value.verdicts.length === 0 && typeof turn === "number")
    return yield* noSuchTurn(options.file, turn, judged.value)
  const lastAt = judged.value.verdicts.at(-1)?.turn.stoppedAt ?? null
  yield* SessionReading.ensureAfter({ file: options.file, lastAt, now })
  return judged
})
