/** Finds reflexion's own feedback in a transcript, for the current turn. */
import * as Schema from "effect/Schema"
import type { TranscriptEvent } from "../transcript/Transcript.ts"
import { isGenuine } from "./TaskContext.ts"

export const Nudges = Schema.Struct({
  /** The number of nudges since the user's last message. */
  count: Schema.Number,
  /** The state of the evidence at the last nudge. Null if there was no nudge. */
  mark: Schema.NullOr(Schema.String),
  /** What the agent's last words asked the user at the last nudge. */
  asked: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true }),
  /** Set if a model caused a nudge. */
  unsure: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type Nudges = typeof Nudges.Type

/** The start of reflexion's feedback, after any prefix of a host. */
export const marker = /^\[reflexion (\d{1,2})\/\d{1,2}\] (?:The task|Last (?:nudge|reminder))/m

/** The words after the start, if only a model thinks that the task is not done. */
export const unsurely = "The task does not seem to be done yet."

export const attemptOf = (text: string): number | null => {
  const found = marker.exec(text.slice(0, 600))
  return found === null ? null : Number(found[1])
}

export const initial: Nudges = { count: 0, mark: null }

export const isFeedback = (event: TranscriptEvent): boolean =>
  event.type === "user_message" && event.synthetic && attemptOf(event.text) !== null

/** `standing` returns the current state, and is called only if needed. */
export const step = (state: Nudges, event: TranscriptEvent, standing: () => Pick<Nudges, "asked" | "mark">): Nudges => {
  if (event.type !== "user_message") return state
  if (!event.synthetic) return isGenuine(event) ? initial : state
  const attempt = attemptOf(event.text)
  if (attempt === null || attempt <= state.count) return state
  const isUnsure = state.unsure === true || event.text.slice(0, 600).includes(unsurely)
  return { count: attempt, ...standing(), ...(isUnsure && { unsure: true }) }
}
