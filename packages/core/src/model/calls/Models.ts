/** The configured models: which can be asked, in which order, and why others cannot. */
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
  /** Why the model is not asked. Null if there is no known reason. */
  readonly excluded: string | null
}

/**
 * A host's own models. These models are asked through the host's program and need no key.
 *
 * @category models
 */
export interface HostModels {
  readonly model: (model: string) => Effect.Effect<Service, ModelFailure>
  /** Why the host cannot be asked. Null if it can. */
  readonly problem: Effect.Effect<string | null>
  /** Returns the real name behind a name such as `default`. Null if the name is real or the real name is unknown. */
  readonly real?: (model: string) => Effect.Effect<string | null>
}

/**
 * The hosts whose models can be used.
 *
 * @category models
 */
export interface Options {
  /** By the name before the slash. */
  readonly hosts?: Readonly<Record<string, HostModels>>
}

const chat = (url: string, keyEnv?: string): Provider => ({
  api: "chat-completions",
  url,
  ...(keyEnv !== undefined && { keyEnv })
})

/** The known providers, in the order that `auto` prefers. */
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

/** Reads own properties only, because a provider may be named `constructor`. */
const own = <A>(all: Readonly<Record<string, A>>, name: string): A | null =>
  Object.hasOwn(all, name) ? (all[name] ?? null) : null

const keyOf = (variable: string): Effect.Effect<string> =>
  Config.string(variable).pipe(
    Effect.map((found) => found.trim()),
    Effect.orElseSucceed(() => "")
  )

/** Returns the address and the key of a provider. Fails with the reason if the provider cannot be asked. */
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

/** Returns the providers whose key is in the environment. */
const keyed = (config: ReflexionConfig): Effect.Effect<ReadonlyArray<string>> =>
  Effect.filter(Object.keys(usual), (provider) =>
    Effect.match(reach(config, provider), { onFailure: () => false, onSuccess: ({ apiKey }) => apiKey !== null })
  )

const partsOf = (name: string): ModelRouting.ModelName => ModelRouting.parse(name) ?? { provider: name, model: "" }

const make = Effect.fnUntraced(function* ({ hosts = {} }: Options) {
  const config = yield* CurrentConfig
  const excluded = Effect.fnUntraced(function* (name: string) {
    // If a model has a threshold from the test cases, the words in its name do not matter.
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

/** Builds the failure if no model can be asked. The message names all models, so their order is fixed. */
const none = (candidates: ReadonlyArray<Candidate>): ModelFailure =>
  failure(
    "unavailable",
    candidates.length === 0
      ? "no model is configured, and no provider's key is in the environment"
      : candidates.map(({ excluded, name }) => `${name}: ${excluded ?? "it cannot be asked"}`).join("; ")
  )

/** Combines the models that can be asked into one, and skips the others. */
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
 * Builds the model for small questions. A model that the user names comes first. Otherwise it is a model of the judging
 * provider, because this provider gets the session's text anyway.
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
    /** The models that may judge, in order, including the excluded ones. */
    readonly candidates: Effect.Effect<ReadonlyArray<Candidate>>
    /** Returns why a model may not judge or review. Null if there is no known reason. */
    readonly excluded: (name: string) => Effect.Effect<string | null>
    /** Returns the model with this name, for any purpose. Each model is built once. */
    readonly named: (name: string) => Effect.Effect<Service, ModelFailure>
    /** Returns the real name of a model, for example of `default`. Usually it is the same name. */
    readonly real: (name: string) => Effect.Effect<string>
  }
>() {
  static readonly Live: Layer.Layer<Models, never, CurrentConfig> = Layer.effect(
    Models,
    Effect.suspend(() => make({}))
  )

  /** Includes the models of the hosts on this machine. */
  static readonly layer = (options: Options): Layer.Layer<Models, never, CurrentConfig> =>
    Layer.effect(Models, make(options))

  /**
   * The judging models, combined into one. If one cannot be asked or does not answer, the next one is asked. They share
   * the time for an answer. If no model can be asked, fails with the reason for each.
   */
  static readonly Judge: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.suspend(() => Effect.flatMap(judging, chained))
  )

  /**
   * The model for small questions, for example whether a quiet agent is stuck. This is the fast model of the judging
   * provider. If that provider has no fast model, or the fast model does not answer, the judging model is used.
   */
  static readonly Fast: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.suspend(() => small(null))
  )

  /**
   * The model for the reflection cycle: the configured `models.reflection`. If that model does not answer, the models
   * of `Fast` are used.
   */
  static readonly Reflection: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.flatMap(CurrentConfig, ({ models }) => small(models.reflection ?? null))
  )

  /** Contains only the given models, by name. All of them may judge, in the given order. */
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
