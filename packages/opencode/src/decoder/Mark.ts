/** Marks our own texts and sessions with metadata, which the host stores. */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as Json from "@reflexion/core/internal/base/json/Json"

export interface FeedbackMark {
  readonly attempt: number
  readonly maxAttempts: number
  readonly reviewId: string
}

export interface Command {
  readonly name: string
  readonly arguments: string
}

const key = "reflexion"

export const feedback = (mark: FeedbackMark): Record<string, unknown> => ({ [key]: { feedback: mark } })

/** Marks a judging session. After `until` (ms since the epoch), the session's process no longer needs it. */
export const judge = (until: number): Record<string, unknown> => ({ [key]: { judge: true, until } })

/** Marks a text from a command's file, because it is not the user's own text. */
export const command = (typed: Command): Record<string, unknown> => ({ [key]: { command: typed } })

const of = (metadata: unknown): Json.Json => Json.object(Json.object(metadata)[key])

const feedbackOf = (metadata: unknown): Json.Json => Json.object(of(metadata)["feedback"])

/** If the user took the message back and sent it again, the mark is lost. Then the text decides. */
export const isFeedbackPart = (part: Json.Json): boolean =>
  Json.isObject(of(part["metadata"])["feedback"]) ||
  (part["type"] === "text" && Feedback.isWhole(Json.text(part["text"])))

export const reviewOf = (metadata: unknown): string | null => Json.string(feedbackOf(metadata)["reviewId"])

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0 && Number(value) < 100

export const nudgeOf = (metadata: unknown): Pick<FeedbackMark, "attempt" | "maxAttempts"> | null => {
  const { attempt, maxAttempts } = feedbackOf(metadata)
  return isCount(attempt) && isCount(maxAttempts) ? { attempt, maxAttempts } : null
}

/** Null if the user wrote the part. For a subagent's command, the name comes from the host. */
export const commandOf = (part: Json.Json): Command | null => {
  const typed = Json.object(of(part["metadata"])["command"])
  const marked = Json.string(typed["name"])
  if (marked !== null) return { name: marked, arguments: Json.text(typed["arguments"]) }
  const name = part["type"] === "subtask" ? Json.string(part["command"]) : null
  return name === null ? null : { name, arguments: "" }
}

export const isJudge = (metadata: unknown): boolean => of(metadata)["judge"] === true

/** In ms since the epoch. 0 if unknown. */
export const judgesUntil = (metadata: unknown): number => Json.number(of(metadata)["until"]) ?? 0
