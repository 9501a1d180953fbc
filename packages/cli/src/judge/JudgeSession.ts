/** Reads one session's record and folds it for a view. */
import * as Effect from "effect/Effect"
import { SessionError } from "../process/CliError.ts"
import * as SessionFold from "./SessionFold.ts"
import type { JudgeRequest } from "./request.ts"
import * as SessionReading from "../session/SessionReading.ts"

const noSuchTurn = (turn: number, { last, turns }: SessionFold.FoldedSession<unknown>): string => {
  const gaps = turns === last + 1 ? "" : ", with gaps where a prompt was merged into the turn before"
  const there = last === 0 ? "has 1 turn, number 0" : `has ${turns} turns, 0 to ${last}${gaps}`
  return `--turn ${turn}: the session ${there}`
}

export const read = Effect.fn("JudgeSession.read")(function* <S, A>(
  options: SessionReading.Options,
  view: SessionFold.TurnView<S, A>,
  {
    consult,
    now,
    show,
    task,
    turn
  }: Pick<JudgeRequest, "now" | "show" | "task" | "turn"> & Pick<SessionFold.Options, "consult">
) {
  const { file } = options
  const clock = yield* Effect.clock
  const millis = () => clock.unsafeCurrentTimeMillis()
  const present = () => now ?? (show === "stuck" ? new Date(millis()).toISOString() : null)
  const found = yield* SessionReading.read(options, (context) =>
    SessionFold.make(view, { context, turn, task, now: present, millis, consult })
  )
  const { lastAt } = found.value
  const shown = found.value.shown.filter((one) => one !== null)
  if (shown.length < found.value.shown.length) {
    const problem = "has no message of a user, so there is no task to score; give the task with --task"
    return yield* new SessionError({ file, reason: "no_task", problem })
  }
  if (shown.length === 0 && typeof turn === "number")
    return yield* new SessionError({ file, reason: "no_such_turn", problem: noSuchTurn(turn, found.value) })
  // If `now` is before the last event, a silence has no length.
  if (now === null || lastAt === null || !(Date.parse(now) < Date.parse(lastAt)))
    return { ...found, value: { ...found.value, shown } }
  const problem = `--now: ${now} is before the session's last event, at ${lastAt}: give a later time, or omit --now`
  return yield* new SessionError({ file, reason: "too_early", problem })
})
