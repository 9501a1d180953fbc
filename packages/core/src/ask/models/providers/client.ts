/**
 * The HTTP client that models are asked with. The key is put in behind it: whatever becomes of a request, an error, a log
 * or a span made of it, knows none.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { brokenOff } from "../ModelFailures.ts"
import { unseenCharacter } from "../../../base/text/PlainText.ts"

export interface Options {
  readonly key: Redacted.Redacted | null
  /** The headers that carry the key. */
  readonly headers: (key: string) => Readonly<Record<string, string>>
}

/** Many times what any answer of a model has. */
const maxBody = 8_388_608

const kept = ["content-type", "retry-after", "retry-after-ms"]

/**
 * What a trace would tell a stranger is of no use to them. `fetch` says how long a body is, and an undici that a process
 * has put under it refuses to hear it twice.
 */
const unwanted = new Set(["traceparent", "tracestate", "b3", "content-length"])

const headersOf = ({ headers }: HttpClientRequest.HttpClientRequest): ReadonlyArray<readonly [string, string]> =>
  Object.entries(headers).filter(([name]) => !unwanted.has(name) && !name.startsWith("x-b3-"))

/** What a connection failed with has a code; its message may have more. */
const codeOf = (error: unknown, depth = 0): string | undefined => {
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  return depth < 4 && Predicate.hasProperty(error, "cause") ? codeOf(error.cause, depth + 1) : undefined
}

const unsent = (request: HttpClientRequest.HttpClientRequest, description: string | undefined) =>
  new HttpClientError.RequestError({ request, reason: "Transport", ...(description !== undefined && { description }) })

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array | null =>
  body._tag === "Uint8Array" ? body.body : null

const escaped = (text: string): string =>
  text.replaceAll(/[^\w]/gu, (char) => String.raw`\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)

/** A key in base64, wherever in what was encoded it began: the digits that depend on it alone. */
const encoded = (value: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((lead) => {
    const whole = Encoding.encodeBase64(`${"\0".repeat(lead)}${value}`).replaceAll("=", "")
    const bits = (lead + new TextEncoder().encode(value).length) * 8
    const digits = whole.slice(Math.ceil((lead * 8) / 6), Math.floor(bits / 6))
    return [digits, digits.replaceAll("+", "-").replaceAll("/", "_"), digits.replaceAll("/", String.raw`\/`)]
  })

/** What may stand between the letters of one that is spelled out, as it is and in JSON. */
const gap = String.raw`(?:\s|\\[nrt]|${unseenCharacter}){0,3}`

/** A letter, or what JSON makes of it. */
const letter = (char: string): string =>
  `(?:${escaped(char)}|${String.raw`\\u`}${char.charCodeAt(0).toString(16).padStart(4, "0")}|${String.raw`\\`}${escaped(char)})`

const formsOf = (value: string): RegExp => {
  const plain = [Encoding.encodeHex(value), encodeURIComponent(value), ...encoded(value)]
  const spelled = Array.from(value, letter).join(gap)
  return new RegExp([...new Set(plain).values()].map(escaped).concat(spelled).join("|"), "giu")
}

/** A key that the provider repeats, in whatever form, is none of its answer. */
const without = (key: Redacted.Redacted | null): ((text: string) => string) => {
  const value = key === null ? "" : Redacted.value(key)
  if (value.length < 6) return (text) => text
  const forms = formsOf(value)
  return (text) => text.replaceAll(forms, "[redacted:api_key]")
}

const textOf = (request: HttpClientRequest.HttpClientRequest, source: Response) => {
  const { body } = source
  if (body === null) return Effect.succeed("")
  return Stream.fromReadableStream({
    evaluate: () => body,
    onError: () => unsent(request, brokenOff)
  }).pipe(
    Stream.decodeText(),
    Stream.runFoldWhile(
      "",
      (text) => text.length <= maxBody,
      (text, piece) => text + piece
    )
  )
}

const response = Effect.fnUntraced(function* (
  request: HttpClientRequest.HttpClientRequest,
  source: Response,
  scrub: (text: string) => string
) {
  const text = yield* textOf(request, source)
  const { status } = source
  const headers = kept.flatMap((name) => {
    const value = source.headers.get(name)
    return value === null ? [] : [[name, scrub(value)] as const]
  })
  const empty = status === 204 || status === 205 || status === 304
  if (text.length <= maxBody) {
    const body = empty ? null : scrub(text)
    return HttpClientResponse.fromWeb(request, new Response(body, { status, headers: Object.fromEntries(headers) }))
  }
  const description = `it has more than ${maxBody} characters`
  const cut = HttpClientResponse.fromWeb(request, new Response(null, { status: 200 }))
  return yield* new HttpClientError.ResponseError({ request, response: cut, reason: "Decode", description })
})

/** An answer comes whole or not at all, and none is followed elsewhere with a key. */
export const make = ({ headers, key }: Options): HttpClient.HttpClient => {
  const scrub = without(key)
  return HttpClient.make((request, url, signal) =>
    Effect.gen(function* () {
      const fetch = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.Fetch), () => globalThis.fetch)
      const source = yield* Effect.tryPromise({
        try: () =>
          fetch(url, {
            method: request.method,
            headers: {
              ...Object.fromEntries(headersOf(request)),
              ...(key === null ? {} : headers(Redacted.value(key)))
            },
            body: bodyOf(request),
            redirect: "manual",
            signal
          }),
        catch: (error) => unsent(request, codeOf(error))
      })
      return yield* response(request, source, scrub)
    })
  )
}
