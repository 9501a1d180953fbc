/** From a model's name to the provider that has it: where that is, what it is asked with, and what stands against it. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Json from "../../base/json/Json.ts"
import type { Provider, ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import * as AnthropicModel from "./providers/AnthropicModel.ts"
import * as ChatCompletions from "./providers/ChatCompletions.ts"
import * as Http from "./providers/http.ts"
import type { Service } from "./Model.ts"
import { failure, type ModelFailure } from "./ModelFailures.ts"
import { EarnedThreshold } from "./EarnedThreshold.ts"
import * as ModelRouting from "./ModelRouting.ts"

/**
 * A host's own models, which are asked through its program and need no key of ours. `problem` says why it cannot be asked;
 * `real` which of its models a name such as `default` stands for, null where it stands for itself or nobody can tell.
 *
 * @category models
 */
export interface HostModels {
  readonly model: (model: string) => Effect.Effect<Service, ModelFailure>
  readonly problem: Effect.Effect<string | null>
  readonly real?: (model: string) => Effect.Effect<string | null>
}

/**
 * A provider as it is at present. `key` says whether its variable is set, never what it has; `offered` is null where the
 * provider does not list its models; `problem` is null where nothing stands against asking it.
 *
 * @category models
 */
export interface ProviderStatus {
  readonly provider: string
  readonly api: Provider["api"] | "host"
  readonly url: string | null
  readonly keyEnv: string | null
  readonly key: "set" | "missing" | "none"
  readonly offered: ReadonlySet<string> | null
  readonly problem: string | null
}

/** `keyEnv`: the environment variable that has the key; null for a server that asks for none. */
interface Place extends Pick<ProviderStatus, "provider" | "keyEnv"> {
  readonly api: Provider["api"]
  readonly url: string
}

const chat = (url: string, keyEnv?: string): Provider => ({
  api: "chat-completions",
  url,
  ...(keyEnv !== undefined && { keyEnv })
})

const urls: Readonly<Record<string, string>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1"
}

/** In the order in which `auto` prefers them. */
const known: Readonly<Record<string, Provider>> = {
  anthropic: { api: "anthropic", keyEnv: "ANTHROPIC_API_KEY" },
  openai: { api: "openai", keyEnv: "OPENAI_API_KEY" },
  google: chat("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
  openrouter: chat("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
  groq: chat("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  ollama: chat("http://localhost:11434/v1"),
  lmstudio: chat("http://localhost:1234/v1"),
  vllm: chat("http://localhost:8000/v1")
}

/** Own keys alone: a provider may be called `constructor`. */
const own = <A>(all: Readonly<Record<string, A>>, name: string): A | null =>
  Object.hasOwn(all, name) ? (all[name] ?? null) : null

/** Where a provider of that name is asked, or what is missing to know it. */
const placeOf = ({ models }: ReflexionConfig, provider: string): Either.Either<Place, string> => {
  const usual = own(known, provider)
  const found = own(models.providers, provider) ?? usual
  if (found === null) return Either.left(`no provider "${provider}" is known: add it to models.providers`)
  const url = found.url ?? (found.api === usual?.api ? usual.url : undefined) ?? urls[found.api]
  if (url === undefined) return Either.left(`models.providers.${provider} needs a url`)
  return Either.right({ provider, api: found.api, url, keyEnv: found.keyEnv ?? usual?.keyEnv ?? null })
}

const keyOf = (keyEnv: string | null): Effect.Effect<Redacted.Redacted | null> =>
  Config.option(Config.string(keyEnv ?? "")).pipe(
    Effect.map((found) => (keyEnv === null ? "" : Option.getOrElse(found, () => "").trim())),
    Effect.orElseSucceed(() => ""),
    Effect.map((key) => (key === "" ? null : Redacted.make(key)))
  )

/** Whom there is to ask. */
export interface Known {
  readonly config: ReflexionConfig
  readonly hosts: Readonly<Record<string, HostModels>>
}

/** Where a provider is and what it is asked with, or why it cannot be asked. */
const reach = Effect.fnUntraced(function* ({ config }: Known, provider: string) {
  const place = yield* placeOf(config, provider)
  const key = yield* keyOf(place.keyEnv)
  return place.keyEnv !== null && key === null ? yield* Either.left(`${place.keyEnv} is not set`) : { place, key }
})

export const build = Effect.fnUntraced(function* (all: Known, name: string) {
  const { model, provider } = ModelRouting.parse(name) ?? { provider: name, model: "" }
  const host = own(all.hosts, provider)
  if (host !== null) return yield* host.model(model)
  const { key, place } = yield* Effect.mapError(reach(all, provider), (detail) =>
    failure("unavailable", detail, { model: name })
  )
  const made = place.api === "anthropic" ? AnthropicModel.make : ChatCompletions.make
  return made({ url: place.url, model, apiKey: key })
})

/** A name says little of a model that has earned a threshold. */
export const excludedBy = Effect.fnUntraced(function* (all: Known, name: string) {
  const { of } = yield* EarnedThreshold
  const isTried = typeof of(name) === "number"
  const weak =
    isTried || ModelRouting.isOwn(name)
      ? null
      : ModelRouting.weakBy(name, all.config.models.weak ?? ModelRouting.weakWords)
  if (weak !== null) return `too weak to judge ("${weak}" in models.weak)`
  const { provider } = ModelRouting.parse(name) ?? { provider: name }
  const host = own(all.hosts, provider)
  if (host !== null) return yield* host.problem
  return yield* Effect.match(reach(all, provider), { onFailure: (problem) => problem, onSuccess: () => null })
})

export const realOf = Effect.fnUntraced(function* (all: Known, name: string) {
  const place = ModelRouting.parse(name)
  const real = place === null ? undefined : own(all.hosts, place.provider)?.real
  const model = place === null || real === undefined ? null : yield* real(place.model)
  return place === null || model === null ? name : ModelRouting.show({ ...place, model })
})

export const keyedOf = (all: Known): Effect.Effect<ReadonlyArray<string>> =>
  Effect.filter(Object.keys(known), (provider) =>
    Effect.match(reach(all, provider), { onFailure: () => false, onSuccess: ({ key }) => key !== null })
  )

/** A model is also called by its name without the date, the tag or the folder that the list has. */
const namesOf = (id: string): ReadonlyArray<string> => {
  const bare = id.replace(/^models\//u, "")
  return [id, bare, bare.replace(/(?:-20\d{2}-?\d{2}-?\d{2}|:latest)$/u, "")]
}

const problemOf = (status: number): string | null => {
  if (status === 401 || status === 403) return `the key is refused (HTTP ${status})`
  return status === 429 || status >= 500 || (status >= 300 && status < 400) ? `it answers HTTP ${status}` : null
}

type Listing = Pick<ProviderStatus, "offered" | "problem">

/** What a provider offers at present: one request, which costs nothing. */
const listingOf = (place: Place, key: Redacted.Redacted | null): Effect.Effect<Listing> => {
  const isAnthropic = place.api === "anthropic"
  const url = isAnthropic ? `${AnthropicModel.apiOf(place.url)}/models?limit=1000` : `${Http.baseOf(place.url)}/models`
  const headers = isAnthropic ? AnthropicModel.headersOf(key) : ChatCompletions.headersOf(key)
  const timeout = "10 seconds"
  return Http.send({ url, key, headers }).pipe(
    Effect.map(({ status, text }): Listing => {
      const { data } = Http.objectIn(text) ?? {}
      const ids = Json.list(data).flatMap((one) => Json.string(Json.object(one)["id"]) ?? [])
      const offered = status < 300 && Array.isArray(data) ? new Set(ids.flatMap(namesOf)) : null
      return { offered, problem: problemOf(status) }
    }),
    Effect.catchAll(({ detail }) => Effect.succeed<Listing>({ offered: null, problem: detail })),
    Effect.disconnect,
    Effect.timeoutTo({
      duration: timeout,
      onSuccess: (listing) => listing,
      onTimeout: (): Listing => ({ offered: null, problem: `it did not answer within ${timeout}` })
    })
  )
}

export const statusOf = Effect.fnUntraced(function* (all: Known, provider: string) {
  const host = own(all.hosts, provider)
  const none = { provider, url: null, keyEnv: null, key: "none", offered: null } as const
  if (host !== null) return { ...none, api: "host", problem: yield* host.problem } satisfies ProviderStatus
  const place = placeOf(all.config, provider)
  if (Either.isLeft(place)) return { ...none, api: "chat-completions", problem: place.left } satisfies ProviderStatus
  const { keyEnv } = place.right
  const key = yield* keyOf(keyEnv)
  const isMissing = keyEnv !== null && key === null
  const listing: Listing = isMissing
    ? { offered: null, problem: `${keyEnv} is not set` }
    : yield* listingOf(place.right, key)
  const has = keyEnv === null ? "none" : isMissing ? "missing" : "set"
  return { ...place.right, key: has, ...listing } satisfies ProviderStatus
})

/** What the configuration speaks of, and what has a key: the others are not asked whether they are there. */
export const mentioned = (config: ReflexionConfig, keyed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { crossReview, model, models, routing } = config
  const names = [model, ...models.fallback, crossReview.reviewer ?? "", crossReview.auditor ?? ""]
  const routed = Object.values(routing).flatMap((name) => name ?? [])
  const providers = [...names, ...routed].flatMap((name) => ModelRouting.parse(name)?.provider ?? [])
  return [...new Set([...providers, ...Object.keys(models.providers), ...keyed])]
}
