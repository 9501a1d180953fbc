/** Why a model did not answer, without anything that it was asked with: no header, no key, no cause. */
import * as Schema from "effect/Schema"
import { redact } from "../../base/redaction/Redaction.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { oneLine } from "../../base/text/Text.ts"

/**
 * The tokens that were paid for, as the provider counts them; 0 where it does not.
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
 * Why there is no answer. `detail` is one redacted line; `calls` and `usage` are what it cost all the same. `again` is how
 * many milliseconds to wait before the same may be asked again; null where that helps nothing.
 *
 * @category errors
 */
export class ModelFailure extends Schema.TaggedError<ModelFailure>("@reflexion/core/ModelFailure")("ModelFailure", {
  reason: Reason,
  model: Schema.NullOr(Schema.String),
  detail: Schema.String,
  calls: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  usage: Schema.optionalWith(Usage, { default: () => noUsage }),
  again: Schema.optionalWith(Schema.NullOr(Schema.Number), { default: () => null })
}) {
  override get message() {
    return `${this.model === null ? "the model" : `the model ${this.model}`} did not answer (${this.reason.replaceAll("_", " ")}): ${this.detail}`
  }
}

/** An answer that is no use, or that nobody waited for, may have been paid for. */
export const isPaid = (reason: ModelFailure["reason"]): boolean =>
  ["timed_out", "truncated", "refused", "malformed"].includes(reason)

const maxSaid = 4_000

/** Cut between words before it is redacted: half a key is still half a key, and looks like none. */
const safe = (text: string): string =>
  redact(text.length <= maxSaid ? text : text.slice(0, Math.max(0, text.lastIndexOf(" ", maxSaid))))

export const detailOf = (text: string): string => oneLine(safe(text), 300)

/** Another's words send nobody anywhere. */
export const ofOthers = (text: string): string => withoutUnnamed(safe(text), [])

export const failure = (
  reason: ModelFailure["reason"],
  detail: string,
  more: Partial<Pick<ModelFailure, "again" | "model" | "usage">> = {}
): ModelFailure => new ModelFailure({ reason, model: null, ...more, detail: detailOf(detail) })

/** What an answer was cut off by, or refused with: said in its place by every provider. */
export const declined = (words: string, more: Pick<ModelFailure, "model" | "usage">): ModelFailure =>
  failure("refused", words.trim() === "" ? "it declines to answer" : ofOthers(words), more)

export const cutOff = (more: Pick<ModelFailure, "model" | "usage">): ModelFailure =>
  failure("truncated", "its answer reached the limit of tokens before its end", more)

/** As a program says it that asks a provider itself. */
export const unreachable = (words: string): ModelFailure =>
  failure("unavailable", `its provider cannot be reached: ${ofOthers(words)}`, { again: 0 })

/** The connection ended in the middle of an answer. */
export const brokenOff = (): ModelFailure =>
  failure("truncated", "the connection ended in the middle of the answer", { again: 0 })

/** What an answer with an HTTP status other than 2xx comes to. `after`: when the provider may be asked again, in ms. */
export const ofStatus = (status: number, words: string, after: number | null = null): ModelFailure => {
  const said = ofOthers(words).trim()
  return failure(
    status === 429 ? "rate_limited" : "unavailable",
    `the provider answered HTTP ${status}${said === "" ? "" : `: ${said}`}`,
    { again: status === 408 || status === 429 || status >= 500 ? (after ?? 0) : null }
  )
}
