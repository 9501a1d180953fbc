/**
 * Any endpoint that speaks chat completions as `LanguageModel` of `@effect/ai`, for one question at a time: Ollama, vLLM,
 * LM Studio, OpenRouter and their like. It needs no provider's package.
 */
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as ChatAnswer from "./chatAnswer.ts"
import * as ChatMessages from "./chatMessages.ts"
import * as ModelClient from "./client.ts"
import * as OneShotModel from "../oneShotModel.ts"
import { MaxOutputTokens } from "../ModelCall.ts"
import { redact } from "../../../base/redaction/Redaction.ts"

/**
 * `url` is the API's base, with its version: `http://localhost:11434/v1`. A null key is for a server that asks for none.
 *
 * @category models
 */
export interface Options {
  readonly url: string
  readonly model: string
  readonly apiKey: Redacted.Redacted | null
}

const module = "ChatCompletions"

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const requestOf = (url: string) => ({
  method: "POST" as const,
  url: redact(url),
  urlParams: [],
  hash: Option.none(),
  headers: {}
})

/** One request, whatever it is answered with. */
const post = (http: HttpClient.HttpClient, url: string, method: string, body: object) =>
  http.execute(HttpClientRequest.post(url, { body: HttpBody.unsafeJson(body), acceptJson: true })).pipe(
    Effect.flatMap((response) =>
      Effect.map(response.text, (text): Answered => ({ status: response.status, headers: response.headers, text }))
    ),
    Effect.catchTags({
      RequestError: ({ description, reason }) => {
        const said = description === undefined ? {} : { description }
        return new AiError.HttpRequestError({ module, method, reason, request: requestOf(url), ...said })
      },
      ResponseError: ({ description }) =>
        new AiError.MalformedOutput({ module, method, ...(description !== undefined && { description }) })
    })
  )

const statusFailed = (url: string, method: string, { headers, status, text }: Answered) =>
  new AiError.HttpResponseError({
    module,
    method,
    reason: "StatusCode",
    request: requestOf(url),
    response: { status, headers },
    body: text.slice(0, 8_000)
  })

const parts = (url: string, method: string, answered: Answered): Effect.Effect<OneShotModel.Parts, AiError.AiError> => {
  if (answered.status < 200 || answered.status >= 300) return statusFailed(url, method, answered)
  const decoded = ChatAnswer.decode(answered.text)
  if (Either.isLeft(decoded)) {
    const description =
      "the endpoint answered with no chat completion: check that its address ends in the API's version"
    return new AiError.MalformedOutput({ module, method, description })
  }
  if (!ChatAnswer.isFailure(decoded.right)) return Effect.succeed(ChatAnswer.parts(decoded.right))
  return statusFailed(url, method, { ...answered, status: ChatAnswer.statusOf(decoded.right) })
}

/** What else to try with an endpoint that does not understand the request; null where that is not what it says. */
const otherwise = (
  { status, text }: Answered,
  dialect: ChatMessages.Dialect,
  { responseFormat }: LanguageModel.ProviderOptions
): ChatMessages.Dialect | null => {
  if (status !== 400 && status !== 422) return null
  if (dialect.limit === "max_tokens" && text.includes("max_completion_tokens")) {
    return { ...dialect, limit: "max_completion_tokens" }
  }
  const json = responseFormat.type === "json" && dialect.json === "json_schema"
  return json ? { ...dialect, json: "json_object" } : null
}

const make = Effect.fnUntraced(function* ({ apiKey, model, url }: Options) {
  const endpoint = `${url.replace(/\/{1,4}$/, "")}/chat/completions`
  const http = ModelClient.make({ key: apiKey, headers: (key) => ({ authorization: `Bearer ${key}` }) })
  const known = yield* Ref.make<ChatMessages.Dialect>({ json: "json_schema", limit: "max_tokens" })

  const ask = (
    method: string,
    options: LanguageModel.ProviderOptions,
    dialect: ChatMessages.Dialect
  ): Effect.Effect<OneShotModel.Parts, AiError.AiError> =>
    Effect.gen(function* () {
      const maxOutputTokens = yield* MaxOutputTokens
      const body = yield* ChatMessages.body(method, options, { model, maxOutputTokens, dialect })
      const answered = yield* post(http, endpoint, method, body)
      const next = otherwise(answered, dialect, options)
      if (next !== null) return yield* ask(method, options, next)
      const given = yield* parts(endpoint, method, answered)
      yield* Ref.set(known, dialect)
      return given
    })

  return yield* OneShotModel.make({
    module,
    answer: (method, options) => Effect.flatMap(Ref.get(known), (dialect) => ask(method, options, dialect))
  })
})

/**
 * Asks for an object by its schema; an endpoint that answers 400 to that is asked for any object, with the schema in
 * words, and from then on at once.
 *
 * @example
 * ```ts
 * import * as ChatCompletions from "@reflexion/core/ChatCompletions"
 * import * as ModelCall from "@reflexion/core/ModelCall"
 * import { Effect, Schema } from "effect"
 *
 * // Port 9 is nobody's: where no server answers, the call says so and throws nothing.
 * const LocalModel = ChatCompletions.layer({ url: "http://127.0.0.1:9/v1", model: "qwen3:32b", apiKey: null })
 *
 * const answer = ModelCall.ask({
 *   purpose: "judge",
 *   system: "You judge work.",
 *   prompt: "Is it done?",
 *   schema: Schema.Struct({ complete: Schema.Boolean }),
 *   objectName: "verdict",
 *   timeout: "5 seconds"
 * }).pipe(
 *   Effect.as("answered"),
 *   Effect.catchTag("ModelFailure", ({ _tag }) => Effect.succeed(_tag)),
 *   Effect.provide(LocalModel)
 * )
 *
 * console.log(await Effect.runPromise(answer)) // => ModelFailure
 * ```
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))
