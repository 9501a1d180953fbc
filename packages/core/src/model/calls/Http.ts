/** Sends one request to a provider of models. The key is removed from answers and errors. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Json from "../../base/json/Json.ts"
import { brokenOff, failure, type ModelFailure, ofStatus } from "./ModelFailures.ts"

export interface Request {
  readonly url: string
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

export interface Response {
  readonly status: number
  readonly text: string
  /** How many milliseconds to wait before the next request. */
  readonly after: number | null
}

/** Far more characters than any answer has. */
const maxBody = 8_388_608

/** The error's message is not used: it may contain parts of the request. */
const codeOf = (error: unknown, depth = 0): string | null => {
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  return depth < 4 && Predicate.hasProperty(error, "cause") ? codeOf(error.cause, depth + 1) : null
}

const textOf = async ({ body }: globalThis.Response): Promise<string> => {
  if (body === null) return ""
  const decoder = new TextDecoder()
  let text = ""
  // `break` cancels the rest of the body.
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > maxBody) break
  }
  return text + decoder.decode()
}

/** The provider gives seconds or a date. Returns milliseconds. */
export const afterOf = (given: string | null, now: number): number | null => {
  const said = given?.trim() ?? ""
  const seconds = said === "" ? Number.NaN : Number(said)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(said) - now
  return Number.isNaN(wait) ? null : Math.max(0, wait)
}

const without = (key: string | null, text: string): string =>
  key === null || key.length < 6 ? text : text.replaceAll(key, "[redacted:api_key]")

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "the provider")

/** Redirects are not followed, so that no other server gets the key. */
export const send = Effect.fnUntraced(function* ({ body, headers, key, url }: Request) {
  const fetch = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.Fetch), () => globalThis.fetch)
  const answered = yield* Effect.tryPromise({
    try: (signal) =>
      fetch(url, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        redirect: "manual",
        signal
      }),
    catch: (error) => {
      const code = codeOf(error)
      return failure("unavailable", `${hostOf(url)} cannot be reached${code === null ? "" : `: ${code}`}`, { again: 0 })
    }
  })
  const text = yield* Effect.tryPromise({ try: () => textOf(answered), catch: brokenOff })
  if (text.length > maxBody) return yield* failure("malformed", `the answer has more than ${maxBody} characters`)
  const after = afterOf(answered.headers.get("retry-after"), yield* Clock.currentTimeMillis)
  const response: Response = { status: answered.status, text: without(key, text), after }
  return response
})

const objectIn = (text: string): Json.Json | null => {
  try {
    const value: unknown = JSON.parse(text)
    return Json.isObject(value) ? value : Json.object(Json.list(value)[0])
  } catch {
    return null
  }
}

/** Finds the error message of OpenAI, Anthropic, Google and local servers. Empty if there is no message. */
export const wordsIn = (text: string): string => {
  const { detail, error, message } = objectIn(text) ?? {}
  return [Json.object(error)["message"], error, message, detail].map(Json.text).find((words) => words !== "") ?? ""
}

export const unread = (): ModelFailure =>
  failure("malformed", "the provider's answer cannot be read: check that its address ends with the API's version")

/** If the status is not 2xx, fails with the provider's message. Also fails if the answer is not a JSON object. */
export const answered = ({ after, status, text }: Response): Effect.Effect<Json.Json, ModelFailure> => {
  if (status < 200 || status >= 300) return ofStatus(status, wordsIn(text), after)
  const object = objectIn(text)
  return object === null ? unread() : Effect.succeed(object)
}
