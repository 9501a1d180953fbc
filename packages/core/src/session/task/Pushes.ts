/** What a transcript itself shows of reflexion's own feedback in the running turn. */
import { attemptOf } from "../../judge/verdict/Feedback.ts"
import { isGenuine } from "./TaskContext.ts"
import type { TranscriptEvent } from "../transcript/Transcript.ts"
import type { Pushes } from "./pushesSchema.ts"

export const initial: Pushes = { count: 0, mark: null }

export const isFeedback = (event: TranscriptEvent): boolean =>
  event.type === "user_message" && event.synthetic && attemptOf(event.text) !== null

/** A word of the user's, even in the middle of a turn, begins the count anew. `mark` is asked only where it is needed. */
export const step = (state: Pushes, event: TranscriptEvent, mark: () => string): Pushes => {
  if (event.type !== "user_message") return state
  if (!event.synthetic) return isGenuine(event) ? initial : state
  const attempt = attemptOf(event.text)
  return attempt === null || attempt <= state.count ? state : { count: attempt, mark: mark() }
}
