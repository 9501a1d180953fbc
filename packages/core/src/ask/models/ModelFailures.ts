/** What a model's failure was, without anything that it was asked with: no header, no key, no cause. */
import type * as AiError from "@effect/ai/AiError"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { redact } from "../../base/redaction/Redaction.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { oneLine } from "../../base/text/Text.ts"

export const Reason = Schema.Literal(
  "timed_out",
  "rate_limited",
  "unavailable",
  "refused",
  "malformed",
  "truncated",
  "over_budget"
)

/** `again` is how many milliseconds to wait before the same may be asked again; null where that helps nothing. */
export interface Failed {
  readonly reason: typeof Reason.Type
  readonly detail: string
  readonly again: number | null
}

const maxSaid = 4_000

/** Cut between words before it is redacted: half a key is still half a key, and looks like none. */
const safe = (text: string): string =>
  redact(text.length <= maxSaid ? text : text.slice(0, Math.max(0, text.lastIndexOf(" ", maxSaid))))

export const detailOf = (text: string): string => oneLine(safe(text), 300)

/** Another's words send nobody anywhere. */
export const ofOthers = (text: string): string => withoutUnnamed(safe(text), [])

export const failed = (reason: Failed["reason"], detail: string, again: number | null = null): Failed => ({
  reason,
  detail: detailOf(detail),
  again
})

const Message = Schema.Struct({ message: Schema.String })
const Failure = Schema.Struct({ error: Schema.Union(Message, Schema.String) })
const Detail = Schema.Struct({ detail: Schema.String })

/** OpenAI's form and Anthropic's, Google's list of it, and what local servers say. */
const Body = Schema.parseJson(Schema.Union(Failure, Message, Detail, Schema.Tuple([Failure], Schema.Unknown)))
const decodeBody = Schema.decodeUnknownEither(Body)

const wordsOf = (known: typeof Body.Type): string => {
  if ("message" in known) return known.message
  if ("detail" in known) return known.detail
  const { error } = "error" in known ? known : known[0]
  return typeof error === "string" ? error : error.message
}

/** The provider's own words for it. */
const said = ({ body, description }: AiError.HttpResponseError): string =>
  Either.match(decodeBody(body ?? ""), { onLeft: () => description ?? "", onRight: wordsOf })

const millis = (text: string | undefined, unit: number): number | null => {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value * unit : null
}

const untilDate = (text: string | undefined, now: number): number | null => {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** What the provider says of when it may be asked again: in milliseconds, in seconds, or as a date. */
const retryAfter = (headers: Readonly<Record<string, string>>, now: number): number | null =>
  millis(headers["retry-after-ms"], 1) ??
  millis(headers["retry-after"], 1_000) ??
  untilDate(headers["retry-after"], now)

const transient = new Set([408, 429])

const responseFailed = (error: AiError.HttpResponseError, now: number): Failed => {
  const { headers, status } = error.response
  if (status >= 200 && status < 300) {
    return failed(
      "malformed",
      `the provider answered with what cannot be read: ${ofOthers(error.description ?? error.reason)}`
    )
  }
  const words = ofOthers(said(error)).trim()
  const detail = `the provider answered HTTP ${status}${words === "" ? "" : `: ${words}`}`
  const again = transient.has(status) || status >= 500 ? (retryAfter(headers, now) ?? 0) : null
  return failed(status === 429 ? "rate_limited" : "unavailable", detail, again)
}

/** What is said of a connection that ended in the middle of an answer. */
export const brokenOff = "the answer broke off"

const host = /^[a-z]{1,10}:\/\/([^/?#@]{1,200})/i

const requestFailed = ({ description, reason, request }: AiError.HttpRequestError): Failed => {
  const at = host.exec(request.url)?.[1] ?? "the provider"
  if (description === brokenOff) return failed("truncated", "the connection ended in the middle of the answer", 0)
  return reason === "Transport"
    ? failed("unavailable", `${at} cannot be reached${description === undefined ? "" : `: ${description}`}`, 0)
    : failed("unavailable", `the request cannot be sent: ${description ?? reason}`)
}

/** `now` is for a provider that gives a date. */
export const ofAiError = (error: AiError.AiError, now: number): Failed => {
  switch (error._tag) {
    case "HttpResponseError":
      return responseFailed(error, now)
    case "HttpRequestError":
      return requestFailed(error)
    case "MalformedInput":
      return failed("unavailable", error.description ?? "the request cannot be put to this model")
    case "MalformedOutput":
      return failed("malformed", ofOthers(error.description ?? "the provider answered with what cannot be read"))
    case "UnknownError":
      return failed("unavailable", ofOthers(error.description ?? "the provider failed"))
  }
}
