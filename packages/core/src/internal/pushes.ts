/** What a transcript itself shows of reflexion's own feedback in the running turn. */
import type { Evidence } from "../Evidence.ts"
import { attemptOf } from "../Feedback.ts"
import { isGenuine } from "../TaskContext.ts"
import type { TranscriptEvent } from "../Transcript.ts"
import type { Pushes } from "./pushesSchema.ts"

export const initial: Pushes = { count: 0, mark: null }

const workKinds = ["source", "test", "docs", "wording", "conflict", "script", "config", "unknown"] as const

export const mark = (evidence: Evidence): string => {
  const edited = Math.max(0, ...workKinds.map((kind) => evidence.lastEdits[kind] ?? 0))
  const ran = evidence.runs.at(-1)
  const pushed = evidence.pushes.at(-1)
  return [evidence.turn, edited, ran?.order ?? 0, ran?.result ?? "", pushed?.order ?? 0].join(":")
}

/** A word of the user's, even in the middle of a turn, begins the count anew. */
export const step = (state: Pushes, evidence: Evidence, event: TranscriptEvent): Pushes => {
  if (event.type !== "user_message") return state
  if (!event.synthetic) return isGenuine(event) ? initial : state
  const attempt = attemptOf(event.text)
  return attempt === null || attempt <= state.count ? state : { count: attempt, mark: mark(evidence) }
}
