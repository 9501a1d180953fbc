/** Finds the host's own models: the configured models, and the small model of a session's provider. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import type { HostModels } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { OpenCodeClient, type Prompt } from "../host/OpenCodeClient.ts"
import * as OpenCodeRecord from "../host/OpenCodeRecord.ts"
import type { JudgeSession } from "./JudgeSession.ts"
import * as OpenCodeModel from "./OpenCodeModel.ts"

type Model = NonNullable<Prompt["model"]>

/** The part before the slash of the host's models. `opencode/default` is the model of the judged session. */
const host = "opencode"

export const small = `${host}/small`

export const areAsked = ({ crossReview, model }: ReflexionConfig): boolean =>
  model !== "off" || crossReview.reviewer !== undefined || crossReview.auditor !== undefined

/**
 * With `auto` and no named models, the session's own model judges. The user pays for it anyway, and its provider has
 * the record. In configurations, `kilo/small` is Kilo's small model.
 */
export const chosen = (given: ReflexionConfig): ReflexionConfig => {
  const config = given.model === "kilo/small" ? { ...given, model: small } : given
  return config.model === "auto" && config.models.fallback.length === 0
    ? { ...config, models: { ...config.models, fallback: [`${host}/default`] } }
    : config
}

/** These providers are asked directly, without the host. If the configured API needs a package, the host is asked. */
const reached: ReadonlySet<string> = new Set("google openrouter ollama lmstudio vllm claude-code codex".split(" "))

/** These providers are asked through the host, because the plugin has no packages of providers. */
const providersOf = ({ crossReview, model, models }: ReflexionConfig): ReadonlySet<string> => {
  const isHosts = (provider: string): boolean => {
    const said = Object.hasOwn(models.providers, provider) ? models.providers[provider] : undefined
    return said === undefined ? !reached.has(provider) : said.api !== "chat-completions"
  }
  const names = [model, ...models.fallback, crossReview.reviewer ?? "", crossReview.auditor ?? ""]
  return new Set([host, ...names.flatMap((name) => ModelRouting.parse(name)?.provider ?? []).filter(isHosts)])
}

/** "default" and "small" depend on the session. */
type Named = Model | "default" | "small"

/** After `opencode/` comes a provider with its model, or a model of the host's own provider. */
const modelOf = (provider: string, name: string): Named => {
  if (provider !== host) return { providerID: provider, modelID: name }
  if (name === "default" || name === "small") return name
  const { model, provider: behind } = ModelRouting.parse(name) ?? { provider: host, model: name }
  return { providerID: behind, modelID: model }
}

export const nameOf = ({ modelID, providerID }: Model): string => `${providerID}/${modelID}`

export interface Setup {
  readonly providers: ReadonlyArray<Json.Json>
  /** The `small_model` in force. */
  readonly configured: string | null
  /** From the user's own files. The last one wins. */
  readonly own: ReadonlyArray<string>
  /** Known fast models, by provider. */
  readonly fast: Readonly<Record<string, ReadonlyArray<string>>>
}

/** In the host's order of preference. The names come from the host's list of models. */
const families = ["gemini-flash", "gpt-nano", "gpt-mini", "claude-haiku"]

/** The model lists of these providers do not show which models an account can use. */
const unlisted = new Set(["amazon-bedrock", "azure", "azure-cognitive-services"])

const picked = (provider: string, listed: Json.Json): string | undefined => {
  if (unlisted.has(provider)) return undefined
  const models = Object.entries(Json.object(listed["models"])).map(([id, model]) => {
    const { family, release_date: released } = Json.object(model)
    return { id, family, released: Json.text(released) }
  })
  const newest = models.toSorted((one, other) => (one.released < other.released ? 1 : -1))
  return families.flatMap((family) => newest.find((model) => model.family === family)?.id ?? [])[0]
}

/** Prefers `small_model`, then the provider's newest small model. A project alone cannot choose another provider. */
export const smallOf = (provider: string, { configured, fast, own, providers }: Setup): Model | null => {
  const setUp = (id: string): Json.Json | undefined => providers.find((one) => one["id"] === id)
  const offers = (id: string, model: string): boolean => Object.hasOwn(Json.object(setUp(id)?.["models"]), model)
  const isFree = (name: string): boolean => own.includes(name) || ModelRouting.parse(name)?.provider === provider
  const named = [...(configured !== null && isFree(configured) ? [configured] : []), ...own.toReversed()].flatMap(
    (name) => ModelRouting.parse(name) ?? []
  )
  const said = named.find((one) => offers(one.provider, one.model))
  if (said !== undefined) return { providerID: said.provider, modelID: said.model }
  const known = Object.hasOwn(fast, provider) ? (fast[provider] ?? []) : []
  const found = picked(provider, setUp(provider) ?? {}) ?? known.find((model) => offers(provider, model))
  return found === undefined ? null : { providerID: provider, modelID: found }
}

/** The same values as in `Setup.own`. */
export type OwnSmallModels = () => ReadonlyArray<string>

const unknown = "OpenCode does not say which provider the session uses"

const none = (provider: string): string =>
  `OpenCode has no small model of the provider ${provider}: name one as "small_model" in OpenCode's configuration`

/** Fails with the reason if there is no small model. */
export const smallOfSession = Effect.fnUntraced(function* (
  sessionId: string,
  config: ReflexionConfig,
  own: OwnSmallModels
) {
  const client = yield* OpenCodeClient
  const looking = Effect.all([OpenCodeRecord.modelOf(sessionId), client.config, client.providers])
  const [model, host, providers] = yield* Effect.mapError(looking, () => unknown)
  if (model === null) return yield* Effect.fail(unknown)
  const fast = { ...ModelRouting.fastModels, ...config.models.fast }
  const setup = { providers, configured: Json.string(host["small_model"]), own: own(), fast }
  return smallOf(model.providerID, setup) ?? (yield* Effect.fail(none(model.providerID)))
})

const anyModel = FiberRef.unsafeMake(false)

/** Inside this effect, even a model that is too weak to judge may be asked. */
export const ofAny: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.locally(anyModel, true)

const tooWeak = (name: string, word: string): string =>
  `the session's own model ${name} is too weak to judge ("${word}" in models.weak): name another model in "model"`

/** Null means the session's own model. Fails if this model is too weak to judge. */
const ownOf = Effect.fnUntraced(function* (sessionId: string, config: ReflexionConfig) {
  const own = yield* Effect.orElseSucceed(OpenCodeRecord.modelOf(sessionId), () => null)
  if (own === null || (yield* FiberRef.get(anyModel))) return null
  const word = ModelRouting.weakIn(config, nameOf(own))
  return word === null ? null : yield* Effect.fail(tooWeak(nameOf(own), word))
})

export const make = Effect.fnUntraced(function* (config: ReflexionConfig, own: OwnSmallModels = () => []) {
  const context = yield* Effect.context<JudgeSession | OpenCodeClient>()
  const timeout = Duration.seconds(config.models.timeout)
  const choose =
    (model: Named): OpenCodeModel.Choose =>
    (sessionId) => {
      if (model === "small") return Effect.provide(smallOfSession(sessionId, config, own), context)
      return model === "default" ? Effect.provide(ownOf(sessionId, config), context) : Effect.succeed(model)
    }
  /** The model behind "default" or "small". Null for other names, outside a session, or if the host does not say. */
  const real = Effect.fnUntraced(
    function* (model: Named) {
      const sessionId = yield* OpenCodeModel.session
      if (sessionId === null || (model !== "default" && model !== "small")) return null
      const found = yield* model === "small"
        ? smallOfSession(sessionId, config, own)
        : OpenCodeRecord.modelOf(sessionId)
      return found === null ? null : nameOf(found)
    },
    Effect.orElseSucceed(() => null),
    Effect.provide(context)
  )
  const entry = (provider: string): HostModels => ({
    problem: Effect.succeed(null),
    real: (name) => real(modelOf(provider, name)),
    model: (name) => Effect.provide(OpenCodeModel.make({ model: choose(modelOf(provider, name)), timeout }), context)
  })
  return Object.fromEntries([...providersOf(config)].map((provider) => [provider, entry(provider)]))
})
