/**
 * OpenAI's models as `LanguageModel` of `@effect/ai`, for one question at a time, through its package
 * `@effect/ai-openai`, which only those need who ask them. No error and no log of theirs knows the key. It speaks the
 * Responses API; what speaks chat completions alone is asked through `ChatCompletions`.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Tool from "@effect/ai/Tool"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as ModelClient from "./client.ts"
import * as ProviderModel from "./providerModel.ts"
import { isStrict } from "./strictSchema.ts"
import { MaxOutputTokens, type ModelFailure } from "../ModelCall.ts"

/**
 * `url` is the API's base, with its version.
 *
 * @category models
 */
export interface Options {
  readonly model: string
  readonly apiKey: Redacted.Redacted
  readonly url?: string
}

const defaultUrl = "https://api.openai.com/v1"
const name = "@effect/ai-openai"

const strict = ({ responseFormat }: LanguageModel.ProviderOptions): boolean =>
  responseFormat.type === "json" && isStrict(Tool.getJsonSchemaFromSchemaAst(responseFormat.schema.ast))

const make = Effect.fnUntraced(function* ({ apiKey, model, url }: Options) {
  const { OpenAiClient, OpenAiLanguageModel } = yield* ProviderModel.loaded(name, async () => ({
    OpenAiClient: await import("@effect/ai-openai/OpenAiClient"),
    OpenAiLanguageModel: await import("@effect/ai-openai/OpenAiLanguageModel")
  }))
  const http = ModelClient.make({ key: apiKey, headers: (key) => ({ authorization: `Bearer ${key}` }) })
  const client = yield* OpenAiClient.make({ apiUrl: (url ?? defaultUrl).replace(/\/{1,4}$/, "") }).pipe(
    Effect.provideService(HttpClient.HttpClient, http),
    Effect.scoped
  )
  return yield* ProviderModel.make({
    module: "OpenAiModel",
    model: yield* OpenAiLanguageModel.make({ model }).pipe(Effect.provideService(OpenAiClient.OpenAiClient, client)),
    configured: (options) => (effect) =>
      Effect.flatMap(MaxOutputTokens, (limit) =>
        OpenAiLanguageModel.withConfigOverride(effect, {
          strict: strict(options),
          store: false,
          ...(limit !== null && { max_output_tokens: limit })
        })
      )
  })
})

/**
 * Fails where the package is missing; a wrong key shows with the first question.
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel, ModelFailure> =>
  ProviderModel.layer(make(options))
