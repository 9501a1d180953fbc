/** What a transcript itself shows of reflexion's own feedback in the running turn. */
import * as Schema from "effect/Schema"
import type { TranscriptEvent } from "../transcript/Transcript.ts"
import { isGenuine } from "./TaskContext.ts"

export const Nudges = Schema.Struct({
  count: Schema.Number,
  mark: Schema.NullOr(Schema.String),
  /** What the agent's last words put to the user then. */
  asked: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true }),
  /** A model has had the agent sent on. */
  unsure: Schema.optionalWith(Schema.Literal(true), { exact: true })
})

export type Nudges = typeof Nudges.Type

/** How our own feedback begins, whatever a host puts before it. */
export const marker = /^\[reflexion (\d{1,2})\/\d{1,2}\] (?:The task|Last reminder)/m

/** How it goes on where it only seems so, to a model. */
export const unsurely = "The task does not seem to be done yet."

/** The attempt that a text is the feedback of, null for any other text. */
export const attemptOf = (text: string): number | null => {
  const found = marker.exec(text.slice(0, 600))
  return found === null ? null : Number(found[1])
}

export const initial: Nudges = { count: 0, mark: null }

export const isFeedback = (event: TranscriptEvent): boolean =>
  event.type === "user_message" && event.synthetic && attemptOf(event.text) !== null

/** A word of the user's begins the count again. `standing` is where things stood then, asked only where it is needed. */
export const step = (state: Nudges, event: TranscriptEvent, standing: () => Pick<Nudges, "asked" | "mark">): Nudges => {
  if (event.type !== "user_message") return state
  if (!event.synthetic) return isGenuine(event) ? initial : state
  const attempt = attemptOf(event.text)
  if (attempt === null || attempt <= state.count) return state
  const isUnsure = state.unsure === true || event.text.slice(0, 600).includes(unsurely)
  return { count: attempt, ...standing(), ...(isUnsure && { unsure: true }) }
}
