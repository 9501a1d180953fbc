/** What the host says of a session: requests that failed or wait, and permissions that it asks for. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { Notice } from "@reflexion/core/Transcript"

export const notice = (kind: Notice["kind"], at: string | null, detail: string | null): Notice => ({
  type: "notice",
  at,
  kind,
  detail: detail === null ? null : detail.slice(0, 500)
})

const limits = /usage.?limit|rate.?limit|quota|too many requests|\b429\b|context.?(?:window|overflow|limit)/i

/** A message's error, none for one that only says that the model had no more room to answer in. */
export const ofError = (value: unknown, at: string | null): ReadonlyArray<Notice> => {
  const error = Json.object(value)
  const name = Json.text(error["name"])
  const data = Json.object(error["data"])
  const message = Json.string(data["message"]) ?? name
  if (name === "MessageAbortedError") return [notice("aborted", at, message)]
  if (name === "MessageOutputLengthError") return []
  const limited = data["statusCode"] === 429 || limits.test(`${name} ${message.slice(0, 500)}`)
  return [notice(limited ? "rate_limited" : "api_error", at, message)]
}

/** What a message that is not over says of a request: it is made again. */
export const ofRetry = (value: unknown, at: string | null): ReadonlyArray<Notice> =>
  ofError(value, at).map((one) => ({ ...one, detail: `retrying: ${one.detail ?? ""}` }))

/** A request that the host makes again. */
const retried = (message: string, at: string | null): Notice =>
  notice(limits.test(message.slice(0, 500)) ? "rate_limited" : "api_error", at, `retrying: ${message}`)

/** What a plugin hears while a session runs: none of it is in the session's record. */
export const ofBus = (event: Json.Json): ReadonlyArray<Notice> => {
  const properties = Json.object(event["properties"])
  if (event["type"] === "permission.asked")
    return [notice("permission_asked", null, Json.string(properties["permission"]))]
  const status = Json.object(properties["status"])
  if (event["type"] !== "session.status" || status["type"] !== "retry") return []
  return [retried(Json.text(status["message"]), null)]
}
