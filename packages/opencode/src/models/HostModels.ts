/** The host's own models: what the configuration's names mean there, and which is the small one of a session's provider. */
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

/** Before the slash, for any model of the host; `opencode/default` is the one of the session that is judged. */
const host = "opencode"

/** The small model of the provider of the session that is judged. */
export const small = `${host}/small`

/** Whether any model may ever be asked. */
export const areAsked = ({ crossReview, model }: ReflexionConfig): boolean =>
  model !== "off" || crossReview.reviewer !== undefined || crossReview.auditor !== undefined

/** Whether the small model is all that is configured beyond evidence. */
export const isSmallAlone = ({ crossReview, model, verify }: ReflexionConfig): boolean =>
  model === small && verify.checks.length === 0 && Object.keys(crossReview).length === 0

/**
 * Under `auto` the session's own model judges where the configuration says no others: it is there, it is paid for, and it
 * knows the record already.
 */
export const chosen = (config: ReflexionConfig): ReflexionConfig =>
  config.model === "auto" && config.models.fallback.length === 0
    ? { ...config, models: { ...config.models, fallback: [`${host}/default`] } }
    : config

/** Asked without the host, unless the configuration says that they speak what only a package knows. */
const reached: ReadonlySet<string> = new Set("google openrouter ollama lmstudio vllm claude-code codex".split(" "))

/** The names before the slash that the host is asked for: the plugin has no package of a provider's. */
const providersOf = ({ crossReview, model, models }: ReflexionConfig): ReadonlySet<string> => {
  const isHosts = (provider: string): boolean => {
    const said = Object.hasOwn(models.providers, provider) ? models.providers[provider] : undefined
    return said === undefined ? !reached.has(provider) : said.api !== "chat-completions"
  }
  const names = [model, ...models.fallback, crossReview.reviewer ?? "", crossReview.auditor ?? ""]
  return new Set([host, ...names.flatMap((name) => ModelRouting.parse(name)?.provider ?? []).filter(isHosts)])
}

/** Which model that is depends on the session. */
type Named = Model | "default" | "small"

/** The host's own providers' models may be called by themselves, as the host calls them. */
const modelOf = (provider: string, name: string): Named => {
  if (provider !== host) return { providerID: provider, modelID: name }
  if (name === "default" || name === "small") return name
  const { model, provider: behind } = ModelRouting.parse(name) ?? { provider: host, model: name }
  return { providerID: behind, modelID: model }
}

export const nameOf = ({ modelID, providerID }: Model): string => `${providerID}/${modelID}`

/**
 * What is set up in the host. `providers` as it lists them; `configured` is the `small_model` in force, `own` those that the
 * user's own files name, the weightiest last; `fast`: models for small questions by provider, as reflexion knows them.
 */
export interface Setup {
  readonly providers: ReadonlyArray<Json.Json>
  readonly configured: string | null
  readonly own: ReadonlyArray<string>
  readonly fast: Readonly<Record<string, ReadonlyArray<string>>>
}

/** In the host's order (1.18.33), by the family that its list of models gives each. */
const families: ReadonlyArray<string> = ["gemini-flash", "gpt-nano", "claude-haiku"]

const familiesOf = (provider: string): ReadonlyArray<string> => {
  if (provider === "azure" || provider === "azure-cognitive-services") return []
  if (provider.startsWith("opencode")) return ["gpt-nano"]
  return provider.startsWith("github-copilot") ? ["gpt-mini", ...families] : families
}

interface Offered {
  readonly id: string
  readonly family: string
  readonly released: string
}

const newestFirst = (one: Offered, other: Offered): number =>
  one.released === other.released ? (one.id < other.id ? 1 : -1) : one.released < other.released ? 1 : -1

const regions = ["global.", "us.", "eu."]

/** Bedrock has each model once for a region; one of another region may be out of reach. */
const ofRegion = (models: ReadonlyArray<Offered>, provider: Json.Json): Offered | undefined => {
  const region = Json.text(Json.object(provider["options"])["region"]).split("-")[0] ?? ""
  const wanted = ["global.", ...(region === "us" || region === "eu" ? [`${region}.`] : [])]
  const placed = wanted.flatMap((prefix) => models.find(({ id }) => id.startsWith(prefix)) ?? [])
  return placed[0] ?? models.find(({ id }) => !regions.some((prefix) => id.startsWith(prefix)))
}

const picked = (name: string, provider: Json.Json): string | undefined => {
  const offered = Object.entries(Json.object(provider["models"])).map(([id, model]): Offered => {
    const { family, release_date: released } = Json.object(model)
    return { id, family: Json.text(family), released: Json.text(released) }
  })
  const newest = offered.toSorted(newestFirst)
  return familiesOf(name)
    .map((family) => newest.filter((model) => model.family === family))
    .flatMap((models) => (name === "amazon-bedrock" ? ofRegion(models, provider) : models[0]) ?? [])[0]?.id
}

/**
 * The small model for a session with that provider, as the host chooses the one for its titles: what `small_model` names,
 * else the newest of the provider's small families; null where there is none. A project has a say in `small_model`, so what
 * it names counts only where it leads to the provider that the session is with anyway.
 */
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

/** What the user's own files of the host call `small_model`, the weightiest last. */
export type Own = () => ReadonlyArray<string>

const unknown = "OpenCode does not say which provider the session is with"

const none = (provider: string): string =>
  `OpenCode has no small model of the provider ${provider}: name one as "small_model" in OpenCode's configuration`

/** Which small model is asked about a session, by what is set up in the host now; fails with the reason where there is none. */
export const smallOfSession = Effect.fnUntraced(function* (sessionId: string, config: ReflexionConfig, own: Own) {
  const client = yield* OpenCodeClient
  const looking = Effect.all([OpenCodeRecord.modelOf(sessionId), client.config, client.providers])
  const [model, host, providers] = yield* Effect.mapError(looking, () => unknown)
  if (model === null) return yield* Effect.fail(unknown)
  const fast = { ...ModelRouting.fastModels, ...config.models.fast }
  const setup = { providers, configured: Json.string(host["small_model"]), own: own(), fast }
  return smallOf(model.providerID, setup) ?? (yield* Effect.fail(none(model.providerID)))
})

const anyModel = FiberRef.unsafeMake(false)

/** What is asked in it may be asked of a model that is too weak to judge. */
export const ofAny: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.locally(anyModel, true)

const absent = (name: string): string =>
  `OpenCode has no model ${name}, and such models are asked through OpenCode: set its provider up there, or name another in "model"`

const tooWeak = (name: string, word: string): string =>
  `the session's own model ${name} is too weak to judge ("${word}" in models.weak): name another in "model"`

/** Why a model is not asked about a session. What the host does not tell speaks against nothing. */
const refusalOf = Effect.fnUntraced(
  function* (sessionId: string, config: ReflexionConfig, model: Exclude<Named, "small">) {
    const client = yield* OpenCodeClient
    if (model !== "default") return (yield* client.models).has(nameOf(model)) ? null : absent(nameOf(model))
    const own = (yield* FiberRef.get(anyModel)) ? null : yield* OpenCodeRecord.modelOf(sessionId)
    if (own === null) return null
    const word = ModelRouting.weakIn(config, nameOf(own))
    return word === null ? null : tooWeak(nameOf(own), word)
  },
  Effect.orElseSucceed(() => null)
)

/** The entries of `Models` that are asked through the host. */
export const make = Effect.fnUntraced(function* (config: ReflexionConfig, own: Own = () => []) {
  const context = yield* Effect.context<JudgeSession | OpenCodeClient>()
  const timeout = Duration.seconds(config.models.timeout)
  const told = new Set<string>()
  /** On the screen, once: the user has asked for reviews by a model, and there are none. */
  const tell = Effect.fnUntraced(function* (refusal: string) {
    const client = yield* OpenCodeClient
    const toast = client.toast({ message: `reflexion asks no model: ${refusal}.`, variant: "warning" })
    if (!told.has(refusal)) yield* Effect.ignore(toast)
    told.add(refusal)
  })
  const choose =
    (model: Named): OpenCodeModel.Choose =>
    (sessionId) =>
      Effect.gen(function* () {
        if (model === "small") return yield* smallOfSession(sessionId, config, own)
        const why = yield* refusalOf(sessionId, config, model)
        if (why === null) return model === "default" ? null : model
        yield* tell(why)
        return yield* Effect.fail(why)
      }).pipe(Effect.provide(context))
  /** What a name stands for, as the host calls it; null where no session is asked about, or the host does not tell. */
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
