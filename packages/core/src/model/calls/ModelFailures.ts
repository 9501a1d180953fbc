/** Why a model did not answer. A failure contains nothing of the request: no header, no key, no cause. */
import * as Schema from "effect/Schema"
import { redact } from "../../base/redaction/Redaction.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { oneLine } from "../../base/text/Text.ts"

/**
 * The paid tokens by the provider's count. 0 if the provider does not count tokens.
 *
 * @category models
 */
export const Usage = Schema.Struct({ inputTokens: Schema.Number, outputTokens: Schema.Number })

export type Usage = typeof Usage.Type

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

export const Reason = Schema.Literal(
  "timed_out",
  "rate_limited",
  "unavailable",
  "refused",
  "malformed",
  "truncated",
  "over_budget"
)

/**
 * Why there is no answer.
 *
 * @category errors
 */
export class ModelFailure extends Schema.TaggedError<ModelFailure>("@reflexion/core/ModelFailure")("ModelFailure", {
  reason: Reason,
  model: Schema.NullOr(Schema.String),
  detail: Schema.String,
  calls: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  /** The tokens that the failed questions cost. */
  usage: Schema.optionalWith(Usage, { default: () => noUsage }),
  /** Milliseconds before a retry. Null if a retry does not help. */
  again: Schema.optionalWith(Schema.NullOr(Schema.Number), { default: () => null })
}) {
  override get message() {
    return `${this.model === null ? "the model" : `the model ${this.model}`} did not answer (${this.reason.replaceAll("_", " ")}): ${this.detail}`
  }
}

/** True if the user may have paid, although the answer was unusable or came too late. */
export const isPaid = (reason: ModelFailure["reason"]): boolean =>
  ["timed_out", "truncated", "refused", "malformed"].includes(reason)

const maxSaid = 4_000

/** Cuts between words before it removes secrets, because half a key would not be recognized. */
const safe = (text: string): string =>
  redact(text.length <= maxSaid ? text : text.slice(0, Math.max(0, text.lastIndexOf(" ", maxSaid))))

export const detailOf = (text: string): string => oneLine(safe(text), 300)

export const ofOthers = (text: string): string => withoutUnnamed(safe(text), [])

export const failure = (
  reason: ModelFailure["reason"],
  detail: string,
  more: Partial<Pick<ModelFailure, "again" | "model" | "usage">> = {}
): ModelFailure => new ModelFailure({ reason, model: null, ...more, detail: detailOf(detail) })

/** Used for a refusal, and for an answer that a filter removed. Providers send the reason as the text. */
export const declined = (words: string, more: Pick<ModelFailure, "model" | "usage">): ModelFailure =>
  failure("refused", words.trim() === "" ? "it declines to answer" : ofOthers(words), more)

export const cutOff = (more: Pick<ModelFailure, "model" | "usage">): ModelFailure =>
  failure("truncated", "its answer was cut off at the token limit", more)

export const unreachable = (words: string): ModelFailure =>
  failure("unavailable", `its provider cannot be reached: ${ofOthers(words)}`, { again: 0 })

export const brokenOff = (): ModelFailure =>
  failure("truncated", "the connection ended in the middle of the answer", { again: 0 })

export const ofStatus = (status: number, words: string, after: number | null = null): ModelFailure => {
  const said = ofOthers(words).trim()
  return failure(
    status === 429 ? "rate_limited" : "unavailable",
    `the provider answered HTTP ${status}${said === "" ? "" : `: ${said}`}`,
    { again: status === 408 || status === 429 || status >= 500 ? (after ?? 0) : null }
  )
}
