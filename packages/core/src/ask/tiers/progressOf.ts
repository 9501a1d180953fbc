/** What a session shows of its last reminder. */
import * as Judgment from "../../judge/verdict/Judgment.ts"
import * as Progress from "./Progress.ts"
import { isFeedback } from "../../session/task/Pushes.ts"
import type { Seen } from "./model.ts"

/** What came of the last reminder of the turn; null where there was none. */
export const progressOf = (
  { options, state, transcript }: Pick<Seen, "options" | "state" | "transcript">,
  now: Pick<Judgment.Judged, "mark" | "verdict">
): Progress.Progress | null => {
  const { count: attempt, mark } = state.pushes
  const at = attempt === 0 ? -1 : transcript.events.findLastIndex(isFeedback)
  const reminder = transcript.events[at]
  if (reminder?.type !== "user_message") return null
  const events = transcript.events.slice(0, at)
  const before = Judgment.replay({ ...transcript, events }, options.context).state
  const verdict = Judgment.verdict(before, { ...options, attempt })
  return Progress.since({ attempt, text: reminder.text, verdict, mark }, now)
}
