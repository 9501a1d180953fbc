/** How what is ours is known again in the host's records: by metadata that the host keeps with a part or a session. */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import * as Json from "@reflexion/core/internal/base/json/Json"

/**
 * The metadata of our feedback: which push of how many it is, and of which review.
 *
 * @category models
 */
export interface FeedbackMark {
  readonly attempt: number
  readonly maxAttempts: number
  readonly reviewId: string
}

const key = "reflexion"

export const feedback = (mark: FeedbackMark): Record<string, unknown> => ({ [key]: { feedback: mark } })

/**
 * The metadata of a session of ours, in which a model judges; by `until`, in milliseconds since the epoch, whoever began
 * it has ended it or is no more.
 *
 * @category constructors
 */
export const judge = (until: number): Record<string, unknown> => ({ [key]: { judge: true, until } })

/**
 * A command that the user typed: its name, without a slash, and what stood behind it.
 *
 * @category models
 */
export interface Command {
  readonly name: string
  readonly arguments: string
}

/**
 * The metadata of a text that a command's file was made into, which is not the user's own.
 *
 * @category constructors
 */
export const command = (typed: Command): Record<string, unknown> => ({ [key]: { command: typed } })

const of = (metadata: unknown): Json.Json => Json.object(Json.object(metadata)[key])

/**
 * Whether the metadata are those of our feedback.
 *
 * @category predicates
 */
export const isFeedback = (metadata: unknown): boolean => Json.isObject(of(metadata)["feedback"])

/**
 * Whether a part of a message is our feedback, by its mark, or by its words where the user took it back and sent it again.
 *
 * @category predicates
 */
export const isFeedbackPart = (part: Json.Json): boolean =>
  isFeedback(part["metadata"]) || (part["type"] === "text" && Feedback.isWhole(Json.text(part["text"])))

/**
 * The review whose feedback it is, null for anything else.
 *
 * @category accessors
 */
export const reviewOf = (metadata: unknown): string | null =>
  Json.string(Json.object(of(metadata)["feedback"])["reviewId"])

/**
 * Which push of how many the feedback is, null for anything else.
 *
 * @category accessors
 */
export const pushOf = (metadata: unknown): Pick<FeedbackMark, "attempt" | "maxAttempts"> | null => {
  const { attempt, maxAttempts } = Json.object(of(metadata)["feedback"])
  return isCount(attempt) && isCount(maxAttempts) ? { attempt, maxAttempts } : null
}

/**
 * What the user typed to have a part put in their place, null where they wrote it themselves. The host itself says so of a
 * command that it hands to a subagent, without what stood behind it.
 *
 * @category accessors
 */
export const commandOf = (part: Json.Json): Command | null => {
  const typed = Json.object(of(part["metadata"])["command"])
  const marked = Json.string(typed["name"])
  if (marked !== null) return { name: marked, arguments: Json.text(typed["arguments"]) }
  const name = part["type"] === "subtask" ? Json.string(part["command"]) : null
  return name === null ? null : { name, arguments: "" }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0 && Number(value) < 100

/**
 * Whether the metadata are those of a session in which we judge.
 *
 * @category predicates
 */
export const isJudge = (metadata: unknown): boolean => of(metadata)["judge"] === true

/**
 * Until when a session in which we judge may be in use, 0 where that is not said.
 *
 * @category accessors
 */
export const judgesUntil = (metadata: unknown): number => Json.number(of(metadata)["until"]) ?? 0
