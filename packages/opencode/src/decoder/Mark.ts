/** How what is ours is known again in the host's records: by metadata that the host keeps with a part or a session. */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as Json from "@reflexion/core/internal/base/json/Json"

/** Which nudge of how many a feedback is, and its review. */
export interface FeedbackMark {
  readonly attempt: number
  readonly maxAttempts: number
  readonly reviewId: string
}

/** A command that the user typed: its name, without a slash, and what stood behind it. */
export interface Command {
  readonly name: string
  readonly arguments: string
}

const key = "reflexion"

export const feedback = (mark: FeedbackMark): Record<string, unknown> => ({ [key]: { feedback: mark } })

/** For a session in which a model judges; by `until`, in ms since the epoch, the process that began it has ended it or is gone. */
export const judge = (until: number): Record<string, unknown> => ({ [key]: { judge: true, until } })

/** For a text that a command's file was made into, which is not the user's own. */
export const command = (typed: Command): Record<string, unknown> => ({ [key]: { command: typed } })

const of = (metadata: unknown): Json.Json => Json.object(Json.object(metadata)[key])

const feedbackOf = (metadata: unknown): Json.Json => Json.object(of(metadata)["feedback"])

/** Whether a part is our feedback, by its mark, or by its words where the user took it back and sent it again. */
export const isFeedbackPart = (part: Json.Json): boolean =>
  Json.isObject(of(part["metadata"])["feedback"]) ||
  (part["type"] === "text" && Feedback.isWhole(Json.text(part["text"])))

/** The review whose feedback it is, null for anything else. */
export const reviewOf = (metadata: unknown): string | null => Json.string(feedbackOf(metadata)["reviewId"])

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0 && Number(value) < 100

/** Which nudge of how many the feedback is, null for anything else. */
export const nudgeOf = (metadata: unknown): Pick<FeedbackMark, "attempt" | "maxAttempts"> | null => {
  const { attempt, maxAttempts } = feedbackOf(metadata)
  return isCount(attempt) && isCount(maxAttempts) ? { attempt, maxAttempts } : null
}

/** The command whose file a part was made from, null where the user wrote it; of a subagent's the host itself says the name. */
export const commandOf = (part: Json.Json): Command | null => {
  const typed = Json.object(of(part["metadata"])["command"])
  const marked = Json.string(typed["name"])
  if (marked !== null) return { name: marked, arguments: Json.text(typed["arguments"]) }
  const name = part["type"] === "subtask" ? Json.string(part["command"]) : null
  return name === null ? null : { name, arguments: "" }
}

/** Whether the metadata are those of a session in which we judge. */
export const isJudge = (metadata: unknown): boolean => of(metadata)["judge"] === true

/** Until when a session in which we judge may be in use, 0 where that is not said. */
export const judgesUntil = (metadata: unknown): number => Json.number(of(metadata)["until"]) ?? 0
