/** The configured models: which can be asked, in which order, and why others cannot be asked. */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { CurrentConfig, type Provider, type ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import * as Fallbacks from "./Fallbacks.ts"
import { EarnedThreshold } from "./EarnedThreshold.ts"
import { Model, type Service } from "./Model.ts"
import { failure, type ModelFailure } from "./ModelFailures.ts"
import * as ModelRouting from "./ModelRouting.ts"
import * as ProviderModel from "./ProviderModel.ts"

/**
 * A model that may judge.
 *
 * @category models
 */
export interface Candidate {
  readonly name: string
  /** Why it cannot judge. Null if it can. */
  readonly excluded: string | null
}

/**
 * A host's own models. These models are asked through the host's program and need no key.
 *
 * @category models
 */
export interface HostModels {
  readonly model: (model: string) => Effect.Effect<Service, ModelFailure>
  /** Why no model of the host can be asked. Null if nothing is known against it. */
  readonly problem: Effect.Effect<string | null>
  /** The real name behind a name like `default`. Null if the given name is real, or if the real name is unknown. */
  readonly real?: (model: string) => Effect.Effect<string | null>
}

/**
 * The hosts whose models can be used.
 *
 * @category models
 */
export interface Options {
  /** The keys are the names before the slash. */
  readonly hosts?: Readonly<Record<string, HostModels>>
}

const chat = (url: string, keyEnv?: string): Provider => ({
  api: "chat-completions",
  url,
  ...(keyEnv !== undefined && { keyEnv })
})

/** In the order that `auto` prefers. */
const usual: Readonly<Record<string, Provider>> = {
  anthropic: { api: "anthropic", url: ProviderModel.places.anthropic, keyEnv: "ANTHROPIC_API_KEY" },
  openai: { api: "openai", url: ProviderModel.places.openai, keyEnv: "OPENAI_API_KEY" },
  google: chat("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
  openrouter: chat("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
  groq: chat("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  ollama: chat("http://localhost:11434/v1"),
  lmstudio: chat("http://localhost:1234/v1"),
  vllm: chat("http://localhost:8000/v1")
}

/** Own properties only: a provider may be named `constructor`. */
const own = <A>(all: Readonly<Record<string, A>>, name: string): A | null =>
  Object.hasOwn(all, name) ? (all[name] ?? null) : null

const keyOf = (variable: string): Effect.Effect<string> =>
  Config.string(variable).pipe(
    Effect.map((found) => found.trim()),
    Effect.orElseSucceed(() => "")
  )

const reach = Effect.fnUntraced(function* ({ models }: ReflexionConfig, provider: string) {
  const known = own(usual, provider)
  const found = own(models.providers, provider) ?? known
  if (found === null) return yield* Effect.fail(`unknown provider "${provider}": add it to models.providers`)
  const { api } = found
  const url = found.url ?? (api === known?.api ? known.url : own(usual, api)?.url)
  if (url === undefined) return yield* Effect.fail(`models.providers.${provider} needs a url`)
  const keyEnv = found.keyEnv ?? known?.keyEnv
  if (keyEnv === undefined) return { api, url, apiKey: null }
  const key = yield* keyOf(keyEnv)
  return key === "" ? yield* Effect.fail(`${keyEnv} is not set`) : { api, url, apiKey: Redacted.make(key) }
})

const keyed = (config: ReflexionConfig): Effect.Effect<ReadonlyArray<string>> =>
  Effect.filter(Object.keys(usual), (provider) =>
    Effect.match(reach(config, provider), { onFailure: () => false, onSuccess: ({ apiKey }) => apiKey !== null })
  )

const partsOf = (name: string): ModelRouting.ModelName => ModelRouting.parse(name) ?? { provider: name, model: "" }

const make = Effect.fnUntraced(function* ({ hosts = {} }: Options) {
  const config = yield* CurrentConfig
  const excluded = Effect.fnUntraced(function* (name: string) {
    // If a model has a threshold from the test cases, the words in the name do not matter.
    const isTried = typeof (yield* EarnedThreshold).of(name) === "number"
    const weak = isTried || ModelRouting.isOwn(name) ? null : ModelRouting.weakIn(config, name)
    if (weak !== null) return `too weak to judge ("${weak}" in models.weak)`
    const { provider } = partsOf(name)
    const host = own(hosts, provider)
    if (host !== null) return yield* host.problem
    return yield* Effect.match(reach(config, provider), { onFailure: (problem) => problem, onSuccess: () => null })
  })
  const candidates = Effect.flatMap(keyed(config), (providers) =>
    Effect.forEach(ModelRouting.order(config, providers), (name) =>
      Effect.map(excluded(name), (why): Candidate => ({ name, excluded: why }))
    )
  )
  const named = yield* Effect.cachedFunction((name: string): Effect.Effect<Service, ModelFailure> => {
    const { model, provider } = partsOf(name)
    const host = own(hosts, provider)
    if (host !== null) return host.model(model)
    return Effect.mapBoth(reach(config, provider), {
      onFailure: (detail) => failure("unavailable", detail, { model: name }),
      onSuccess: (how) => ProviderModel.make({ ...how, model })
    })
  })
  const real = Effect.fnUntraced(function* (name: string) {
    const { model, provider } = partsOf(name)
    const found = yield* own(hosts, provider)?.real?.(model) ?? Effect.succeed(null)
    return found === null ? name : `${provider}/${found}`
  })
  return { candidates, excluded, named, real }
})

const none = (candidates: ReadonlyArray<Candidate>): ModelFailure =>
  failure(
    "unavailable",
    candidates.length === 0
      ? "no model is configured, and no provider's key is in the environment"
      : candidates.map(({ excluded, name }) => `${name}: ${excluded ?? "it cannot be asked"}`).join("; ")
  )

const chained = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const models = yield* Models
  const { models: settings } = yield* CurrentConfig
  const [unreached, [first, ...rest]] = yield* Effect.partition(new Set(names), (name) =>
    models.named(name).pipe(
      Effect.map((model): Fallbacks.Link => ({ name, model })),
      Effect.tapError(({ detail }) => Effect.logWarning(`${name} is not asked: ${detail}`))
    )
  )
  if (first !== undefined) return Fallbacks.make([first, ...rest], Duration.seconds(settings.timeout))
  return yield* unreached[0] ?? none(yield* models.candidates)
})

const judging = Effect.gen(function* () {
  const all = yield* (yield* Models).candidates
  return all.filter(({ excluded }) => excluded === null).map(({ name }) => name)
})

/**
 * A model that the user names comes first. Then comes a fast model of the judging provider, because that provider gets
 * the session's text anyway.
 */
const small = Effect.fnUntraced(function* (named: string | null) {
  const models = yield* Models
  const [judge] = yield* judging
  if (judge === undefined) return yield* none(yield* models.candidates)
  const [fast = judge] = ModelRouting.fast(yield* CurrentConfig, partsOf(judge).provider)
  return yield* chained([...(named === null ? [] : [named]), fast, judge])
})

/**
 * Builds models from the configuration, by name. Keys come only from the environment.
 *
 * @category services
 */
export class Models extends Context.Tag("@reflexion/core/Models")<
  Models,
  {
    /** In order, with the excluded candidates. */
    readonly candidates: Effect.Effect<ReadonlyArray<Candidate>>
    /** Why this model cannot judge. Null if it can. */
    readonly excluded: (name: string) => Effect.Effect<string | null>
    /** Also builds a model that is too weak to judge. Each model is built once. */
    readonly named: (name: string) => Effect.Effect<Service, ModelFailure>
    readonly real: (name: string) => Effect.Effect<string>
  }
>() {
  static readonly Live: Layer.Layer<Models, never, CurrentConfig> = Layer.effect(
    Models,
    Effect.suspend(() => make({}))
  )

  static readonly layer = (options: Options): Layer.Layer<Models, never, CurrentConfig> =>
    Layer.effect(Models, make(options))

  /**
   * If one of the judging models does not answer, the next is asked. All models share one time limit. Fails with the
   * reason for each model if none can be asked.
   */
  static readonly Judge: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.suspend(() => Effect.flatMap(judging, chained))
  )

  /** The judging provider's fast model, then the judging model. */
  static readonly Fast: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.suspend(() => small(null))
  )

  /** The configured `models.reflection`, then the models of `Fast`. */
  static readonly Reflection: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.flatMap(CurrentConfig, ({ models }) => small(models.reflection ?? null))
  )

  static readonly Test = (models: Readonly<Record<string, Service>>): Layer.Layer<Models> =>
    Layer.succeed(Models, {
      candidates: Effect.succeed(Object.keys(models).map((name): Candidate => ({ name, excluded: null }))),
      excluded: () => Effect.succeed(null),
      named: (name) =>
        Effect.mapError(Effect.fromNullable(models[name]), () =>
          failure("unavailable", "it is not among the test's models", { model: name })
        ),
      real: Effect.succeed
    })
}
