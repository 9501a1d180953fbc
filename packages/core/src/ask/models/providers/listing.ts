/** What a provider offers at present: one request, which costs nothing. */
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ModelClient from "./client.ts"
import { detailOf } from "../ModelFailures.ts"
import type { Place } from "./known.ts"

/**
 * `offered` is null where the provider cannot be reached, refuses, or lists nothing; `problem` is null where nothing
 * stands against asking it.
 */
export interface Listing {
  readonly offered: ReadonlySet<string> | null
  readonly problem: string | null
}

const List = Schema.parseJson(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }))
const decode = Schema.decodeUnknownOption(List)

/** A model is also called by its name without the date, the tag or the folder that the list has. */
const namesOf = (id: string): ReadonlyArray<string> => {
  const bare = id.replace(/^models\//u, "")
  return [id, bare, bare.replace(/-20\d{2}-?\d{2}-?\d{2}$/u, ""), bare.replace(/:latest$/u, "")]
}

const addressOf = ({ api, url }: Place): string => {
  const base = url.replace(/\/{1,4}$/u, "")
  return api === "anthropic" ? `${base.replace(/\/v1$/u, "")}/v1/models?limit=1000` : `${base}/models`
}

const headersOf =
  ({ api }: Place) =>
  (key: string): Readonly<Record<string, string>> =>
    api === "anthropic" ? { "x-api-key": key } : { authorization: `Bearer ${key}` }

const problemOf = (status: number): string | null => {
  if (status === 401 || status === 403) return `the key is refused (HTTP ${status})`
  return status === 429 || status >= 500 || (status >= 300 && status < 400) ? `it answers HTTP ${status}` : null
}

const timeout = "10 seconds"

/** Never fails, and never with more of the provider's words than a line without secrets. */
export const list = (place: Place, key: Redacted.Redacted | null): Effect.Effect<Listing> => {
  const http = ModelClient.make({ key, headers: headersOf(place) })
  const version = place.api === "anthropic" ? { "anthropic-version": "2023-06-01" } : {}
  const request = HttpClientRequest.get(addressOf(place), { headers: version, acceptJson: true })
  return http.execute(request).pipe(
    Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
    Effect.map(({ status, text }): Listing => {
      const found = status < 300 ? decode(text) : Option.none()
      const offered = Option.map(found, ({ data }) => new Set(data.flatMap(({ id }) => namesOf(id))))
      return { offered: Option.getOrNull(offered), problem: problemOf(status) }
    }),
    Effect.catchAll(({ description }) =>
      Effect.succeed<Listing>({
        offered: null,
        problem: detailOf(`it cannot be reached${description ? `: ${description}` : ""}`)
      })
    ),
    Effect.disconnect,
    Effect.timeoutTo({
      duration: timeout,
      onSuccess: (listing) => listing,
      onTimeout: (): Listing => ({ offered: null, problem: `it did not answer within ${timeout}` })
    }),
    Effect.withTracerEnabled(false)
  )
}
