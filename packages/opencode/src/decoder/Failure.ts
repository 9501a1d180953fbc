/** Decodes the host's errors, in a message or in an event. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as LimitEnd from "@reflexion/core/internal/session/stop/LimitEnd"
import type { Notice } from "@reflexion/core/Transcript"
import { notice } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"

const limits = /usage.?limit|rate.?limit|quota|too many requests|\b429\b|context.?(?:window|overflow|limit)/i

/** Says when the service will answer again. Empty if the response has no header about this. */
const retryAfter = ({ responseHeaders }: Json.Json, at: string | null): string => {
  const headers = Json.object(responseHeaders)
  const said = Json.text(headers["retry-after"]).trim()
  const wait = Number(headers["retry-after-ms"] ?? (said === "" ? Number.NaN : Number(said) * 1000))
  const time = Number.isNaN(wait) ? Date.parse(said) : Date.parse(at ?? "") + wait
  // A number that is too large for a date is ignored.
  return Math.abs(time) < 8.64e15 ? ` (retry after ${new Date(time).toISOString()})` : ""
}

/** Empty if the error is that the model's answer was too long. */
export const notices = (value: unknown, at: string | null, before = ""): ReadonlyArray<Notice> => {
  const error = Json.object(value)
  const data = Json.object(error["data"])
  const name = Json.text(error["name"])
  const message = Json.string(data["message"]) ?? name
  if (name === "MessageAbortedError") return [notice("aborted", at, message)]
  if (name === "MessageOutputLengthError") return []
  const isLimit = data["statusCode"] === 429 || limits.test(`${name} ${message.slice(0, 500)}`)
  const detail = `${before}${message}`
  return isLimit
    ? [notice("rate_limited", at, `${detail.slice(0, 400)}${retryAfter(data, at)}`)]
    : [notice("api_error", at, detail)]
}

/** In ms since the epoch. Null if the error does not state the end of a usage limit. */
export const limitEnd = (error: unknown, at: string | null): number | null => {
  const [found] = notices(error, at)
  const end = found?.kind === "rate_limited" ? LimitEnd.of(found.detail ?? "", at) : null
  return end === null ? null : Date.parse(end)
}
