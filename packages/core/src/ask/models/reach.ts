/** From a model's name to the provider that has it: where that is, what it is asked with, and what stands against it. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as AnthropicModel from "./providers/AnthropicModel.ts"
import * as ChatCompletions from "./providers/ChatCompletions.ts"
import { ModelFailure } from "./ModelCall.ts"
import * as ModelRouting from "./ModelRouting.ts"
import * as OpenAiModel from "./providers/OpenAiModel.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import { list, type Listing } from "./providers/listing.ts"
import { knownNames, placeOf, type Place } from "./providers/known.ts"
import type { HostModels, ProviderStatus } from "./model.ts"

export const unavailable = (model: string | null, detail: string) =>
  new ModelFailure({ reason: "unavailable", model, detail })

const keyOf = (keyEnv: string): Effect.Effect<Redacted.Redacted | null> =>
  Config.option(Config.string(keyEnv)).pipe(
    Effect.map((found) => Option.getOrElse(found, () => "").trim()),
    Effect.orElseSucceed(() => ""),
    Effect.map((key) => (key === "" ? null : Redacted.make(key)))
  )

const missing = ({ keyEnv }: Place): string => `${keyEnv} is not set`

const layerOf = (
  { api, url }: Place,
  model: string,
  key: Redacted.Redacted | null
): Layer.Layer<LanguageModel.LanguageModel, ModelFailure> => {
  const apiKey = key ?? Redacted.make("none")
  if (api === "anthropic") return AnthropicModel.layer({ url, model, apiKey })
  return api === "openai"
    ? OpenAiModel.layer({ url, model, apiKey })
    : ChatCompletions.layer({ url, model, apiKey: key })
}

export interface Known {
  readonly config: ReflexionConfig
  readonly hosts: Readonly<Record<string, HostModels>>
}

export const hostOf = ({ hosts }: Known, provider: string): HostModels | null =>
  Object.hasOwn(hosts, provider) ? (hosts[provider] ?? null) : null

/** Where a provider is and what it is asked with, or why it cannot be asked. */
const reach = Effect.fnUntraced(function* ({ config }: Known, provider: string) {
  const place = yield* placeOf(config.models.providers, provider)
  const key = place.keyEnv === null ? null : yield* keyOf(place.keyEnv)
  return place.keyEnv !== null && key === null ? yield* Either.left(missing(place)) : { place, key }
})

export const build = Effect.fnUntraced(function* (known: Known, name: string) {
  const { model, provider } = ModelRouting.parse(name) ?? { provider: name, model: "" }
  const host = hostOf(known, provider)
  if (host !== null) return host.layer(model)
  const { key, place } = yield* Effect.mapError(reach(known, provider), (detail) => unavailable(name, detail))
  return layerOf(place, model, key)
})

export const excludedBy = Effect.fnUntraced(function* (known: Known, name: string) {
  const weak = ModelRouting.isOwn(name)
    ? null
    : ModelRouting.weakBy(name, known.config.models.weak ?? ModelRouting.weakWords)
  if (weak !== null) return `too weak to judge ("${weak}" in models.weak)`
  const { provider } = ModelRouting.parse(name) ?? { provider: name }
  const host = hostOf(known, provider)
  if (host !== null) return yield* host.problem
  return yield* Effect.match(reach(known, provider), { onFailure: (problem) => problem, onSuccess: () => null })
})

export const realOf = Effect.fnUntraced(function* (known: Known, name: string) {
  const place = ModelRouting.parse(name)
  const host = place === null ? null : hostOf(known, place.provider)
  if (place === null || host?.real === undefined) return name
  const model = yield* host.real(place.model)
  return model === null ? name : ModelRouting.show({ ...place, model })
})

const nothing: Listing = { offered: null, problem: null }

export const listingOf = (known: Known, provider: string): Effect.Effect<Listing> =>
  Effect.matchEffect(reach(known, provider), {
    onFailure: (problem) => Effect.succeed({ ...nothing, problem }),
    onSuccess: ({ key, place }) => list(place, key)
  })

const hostStatus = (provider: string, host: HostModels): Effect.Effect<ProviderStatus> =>
  Effect.map(host.problem, (problem) => ({
    provider,
    api: "host",
    url: null,
    keyEnv: null,
    key: "none",
    offered: null,
    problem
  }))

export const statusOf = Effect.fnUntraced(function* (known: Known, provider: string, listing: Effect.Effect<Listing>) {
  const host = hostOf(known, provider)
  if (host !== null) return yield* hostStatus(provider, host)
  const found = placeOf(known.config.models.providers, provider)
  const place = Either.getOrNull(found)
  const keyEnv = place?.keyEnv ?? null
  const key = keyEnv === null ? "none" : (yield* keyOf(keyEnv)) === null ? "missing" : "set"
  const status: ProviderStatus = {
    provider,
    api: place?.api ?? "chat-completions",
    url: place?.url ?? null,
    keyEnv,
    key,
    ...(yield* listing)
  }
  return status
})

export const keyedOf = (known: Known): Effect.Effect<ReadonlyArray<string>> =>
  Effect.filter(knownNames, (provider) =>
    Effect.match(reach(known, provider), {
      onFailure: () => false,
      onSuccess: ({ key }) => key !== null
    })
  )

/** What the configuration speaks of, and what has a key: the others are not asked whether they are there. */
export const mentioned = (config: ReflexionConfig, keyed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { crossReview, model, models, routing } = config
  const names = [model, ...models.fallback, crossReview.reviewer ?? "", crossReview.auditor ?? ""]
  const routed = Object.values(routing).flatMap((name) => name ?? [])
  const providers = [...names, ...routed].flatMap((name) => ModelRouting.parse(name)?.provider ?? [])
  return [...new Set([...providers, ...Object.keys(models.providers), ...keyed])]
}
