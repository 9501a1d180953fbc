/**
 * Anthropic's models as `LanguageModel` of `@effect/ai`, for one question at a time, through its package
 * `@effect/ai-anthropic`, which only those need who ask them. No error and no log of theirs knows the key.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as ModelClient from "./client.ts"
import * as ProviderModel from "./providerModel.ts"
import { MaxOutputTokens, type ModelFailure } from "../ModelCall.ts"

/**
 * `url` is for a gateway or a proxy. An answer has at most 4,096 tokens unless `ModelCall.MaxOutputTokens` says otherwise.
 *
 * @category models
 */
export interface Options {
  readonly model: string
  readonly apiKey: Redacted.Redacted
  readonly url?: string
}

const defaultUrl = "https://api.anthropic.com"
const name = "@effect/ai-anthropic"

/** Others give the API's version with the address. */
const base = (url: string): string => url.replace(/\/{1,4}$/, "").replace(/\/v1$/, "")

const make = Effect.fnUntraced(function* ({ apiKey, model, url }: Options) {
  const { AnthropicClient, AnthropicLanguageModel } = yield* ProviderModel.loaded(name, async () => ({
    AnthropicClient: await import("@effect/ai-anthropic/AnthropicClient"),
    AnthropicLanguageModel: await import("@effect/ai-anthropic/AnthropicLanguageModel")
  }))
  const http = ModelClient.make({ key: apiKey, headers: (key) => ({ "x-api-key": key }) })
  const client = yield* AnthropicClient.make({ apiUrl: base(url ?? defaultUrl) }).pipe(
    Effect.provideService(HttpClient.HttpClient, http),
    Effect.scoped
  )
  return yield* ProviderModel.make({
    module: "AnthropicModel",
    model: yield* AnthropicLanguageModel.make({ model }).pipe(
      Effect.provideService(AnthropicClient.AnthropicClient, client)
    ),
    configured: () => (effect) =>
      Effect.flatMap(MaxOutputTokens, (limit) =>
        limit === null ? effect : AnthropicLanguageModel.withConfigOverride(effect, { max_tokens: limit })
      )
  })
})

/**
 * Fails where the package is missing; a wrong key shows with the first question.
 *
 * @example
 * ```ts
 * import { NodeContext } from "@effect/platform-node"
 * import * as AnthropicModel from "@reflexion/core/AnthropicModel"
 * import { JudgeService } from "@reflexion/core/JudgeService"
 * import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
 * import { Config, Effect, Layer } from "effect"
 *
 * const ModelLive = Layer.unwrapEffect(
 *   Effect.map(Config.redacted("ANTHROPIC_API_KEY"), (apiKey) =>
 *     AnthropicModel.layer({ model: "claude-sonnet-4-5", apiKey })
 *   )
 * )
 *
 * export const JudgeLive = JudgeService.Live.pipe(
 *   Layer.provide([ModelLive, CurrentConfig.layer()]),
 *   Layer.provide(NodeContext.layer)
 * )
 * ```
 *
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel, ModelFailure> =>
  ProviderModel.layer(make(options))
