/**
 * The models that the configuration names, as `LanguageModel`s: which can be asked, in which order, and what stands
 * against the others.
 */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Chain from "./chain.ts"
import type { Listing } from "./providers/listing.ts"
import {
  build,
  excludedBy,
  hostOf,
  keyedOf,
  listingOf,
  mentioned,
  realOf,
  statusOf,
  type Known,
  unavailable
} from "./reach.ts"
import type { ModelFailure } from "./ModelCall.ts"
import * as ModelRouting from "./ModelRouting.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import type { HostModels, ProviderStatus } from "./model.ts"

export type { HostModels, ProviderStatus } from "./model.ts"

/**
 * A model that may judge. `excluded` is why it is not asked all the same, null where nothing is known against it.
 *
 * @category models
 */
export interface Candidate extends ModelRouting.Choice {
  readonly excluded: string | null
}

export interface Options {
  /** By the name that stands before the slash. */
  readonly hosts?: Readonly<Record<string, HostModels>>
}

/** How long what a provider offers is taken for known; a failure may be over sooner. */
const remembered = (exit: Exit.Exit<Listing>): Duration.DurationInput =>
  Exit.isSuccess(exit) && exit.value.problem === null ? "5 minutes" : "15 seconds"

const make = Effect.fnUntraced(function* ({ hosts = {} }: Options) {
  const known: Known = { config: yield* CurrentConfig, hosts }
  const scope = yield* Effect.scope
  const listings = yield* Cache.makeWith({
    capacity: 64,
    lookup: (provider: string) => listingOf(known, provider),
    timeToLive: remembered
  })
  const built = yield* Cache.makeWith({
    capacity: 64,
    lookup: (name: string) =>
      build(known, name).pipe(
        Effect.flatMap((layer) => Layer.buildWithScope(layer, scope)),
        Effect.map(Context.get(LanguageModel.LanguageModel))
      ),
    timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
  })

  const offers = Effect.fnUntraced(function* (providers: ReadonlyArray<string>) {
    const found = yield* Effect.forEach(providers, (provider) => listings.get(provider), { concurrency: "unbounded" })
    const offered = new Map(providers.map((provider, index) => [provider, found[index]?.offered ?? null] as const))
    return (provider: string) => offered.get(provider) ?? null
  })

  const candidates = Effect.gen(function* () {
    const { model, models } = known.config
    const keyed = model === "auto" && models.fallback.length === 0 ? yield* keyedOf(known) : []
    const choices = ModelRouting.order(known.config, { keyed, available: yield* offers(keyed) })
    return yield* Effect.forEach(choices, (choice) =>
      Effect.map(excludedBy(known, choice.name), (excluded): Candidate => ({ ...choice, excluded }))
    )
  }).pipe(Effect.withSpan("Models.candidates"))

  const fast = Effect.fn("Models.fast")(function* (provider: string) {
    if (hostOf(known, provider) !== null) return ModelRouting.fast(known.config, { provider })
    return ModelRouting.fast(known.config, { provider, available: yield* offers([provider]) })
  })

  const providers = Effect.gen(function* () {
    const own = yield* Effect.filter(Object.keys(hosts), (name) =>
      Effect.map(hosts[name]?.problem ?? Effect.succeed(""), (problem) => problem === null)
    )
    const names = mentioned(known.config, [...(yield* keyedOf(known)), ...own])
    return yield* Effect.forEach(names, (provider) => statusOf(known, provider, listings.get(provider)), {
      concurrency: "unbounded"
    })
  }).pipe(Effect.withSpan("Models.providers"))

  const named = Effect.fn("Models.named")((name: string) => built.get(name))
  const excluded = Effect.fn("Models.excluded")((name: string) => excludedBy(known, name))
  const real = Effect.fn("Models.real")((name: string) => realOf(known, name))
  return { candidates, excluded, named, fast, providers, real }
})

/** In a fixed order, for a message that names all of them. */
const none = (candidates: ReadonlyArray<Candidate>): string =>
  candidates.length === 0
    ? "no model is configured, and no provider's key is in the environment"
    : candidates.map(({ excluded, name }) => `${name}: ${excluded ?? "it cannot be asked"}`).join("; ")

const judge = Effect.gen(function* () {
  const models = yield* Models
  const { models: settings } = yield* CurrentConfig
  const candidates = yield* models.candidates
  const links = yield* Effect.forEach(
    candidates.filter(({ excluded }) => excluded === null),
    ({ name }) => Effect.map(Effect.either(models.named(name)), (model) => ({ name, model }))
  )
  const [first, ...rest] = links.flatMap(({ model, name }) =>
    Either.isRight(model) ? [{ name, model: model.right }] : []
  )
  if (first !== undefined) return yield* Chain.make([first, ...rest], Duration.seconds(settings.timeout))
  const [failure] = links.flatMap(({ model }) => (Either.isLeft(model) ? [model.left] : []))
  return yield* failure ?? unavailable(null, none(candidates))
})

/** At the provider that judges: what is asked there is known to it anyway. One that the user names goes before. */
const small = Effect.fnUntraced(function* (named: string | null) {
  const models = yield* Models
  const { models: settings } = yield* CurrentConfig
  const candidates = yield* models.candidates
  const judging = candidates.find(({ excluded }) => excluded === null)
  if (judging === undefined) return yield* unavailable(null, none(candidates))
  const fast = yield* models.fast(ModelRouting.parse(judging.name)?.provider ?? "")
  const names = [...new Set([fast ?? judging.name, judging.name])]
  const own =
    named === null
      ? []
      : yield* models.named(named).pipe(
          Effect.map((model) => [{ name: named, model }]),
          Effect.catchAll(({ detail }) => Effect.as(Effect.logWarning(`${named} is not asked: ${detail}`), []))
        )
  const others = names.filter((name) => own.every((one) => one.name !== name))
  const links = yield* Effect.forEach(others, (name) => Effect.map(models.named(name), (model) => ({ name, model })))
  const [first, ...rest] = [...own, ...links]
  return first === undefined
    ? yield* unavailable(judging.name, "it cannot be asked")
    : yield* Chain.make([first, ...rest], Duration.seconds(settings.timeout))
})

/**
 * From the configuration to models by their names. What a provider offers is asked at most once in 5 minutes; keys come
 * from the environment alone.
 *
 * @example
 * ```ts
 * import { Models } from "@reflexion/core/Models"
 * import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const models = yield* Models
 *   const names = (yield* models.candidates).map(({ name }) => name)
 *   console.log(names.join(" ")) // => anthropic/claude-sonnet-4-5 openai/gpt-5
 * })
 *
 * const ModelsLive = Models.Live.pipe(
 *   Layer.provide(CurrentConfig.layer({ model: "anthropic/claude-sonnet-4-5", models: { fallback: ["openai/gpt-5"] } }))
 * )
 *
 * await Effect.runPromise(Effect.provide(program, ModelsLive))
 * ```
 *
 * @category services
 */
export class Models extends Context.Tag("@reflexion/core/Models")<
  Models,
  {
    /** The models that may judge, in the order in which they are tried, those that are excluded among them. */
    readonly candidates: Effect.Effect<ReadonlyArray<Candidate>>
    /** Why a model may not judge or review, null where nothing is known against it. */
    readonly excluded: (name: string) => Effect.Effect<string | null>
    /** The model of a name, whatever it is to be asked; built once. */
    readonly named: (name: string) => Effect.Effect<LanguageModel.Service, ModelFailure>
    /** The name of a provider's model for small questions, null where it offers none. */
    readonly fast: (provider: string) => Effect.Effect<string | null>
    /** The providers that the configuration names, that have a key or are hosts, each asked what it offers. */
    readonly providers: Effect.Effect<ReadonlyArray<ProviderStatus>>
    /** The name of the model that a name stands for at present: mostly the name itself. */
    readonly real: (name: string) => Effect.Effect<string>
  }
>() {
  static readonly Live: Layer.Layer<Models, never, CurrentConfig> = Layer.scoped(
    Models,
    Effect.suspend(() => make({}))
  )

  /** With the models of hosts that this machine has. */
  static readonly layer = (options: Options): Layer.Layer<Models, never, CurrentConfig> =>
    Layer.scoped(Models, make(options))

  /**
   * The models that judge as one: where one cannot be asked, the next is. The time for an answer is shared among them.
   * Fails where there is none to ask, and says why for each.
   */
  static readonly Judge: Layer.Layer<LanguageModel.LanguageModel, ModelFailure, Models | CurrentConfig> = Layer.effect(
    LanguageModel.LanguageModel,
    Effect.suspend(() => judge)
  )

  /**
   * For small questions, such as whether a quiet agent is stuck: the fast model of the provider whose model judges, and
   * that one where it has none or the fast one does not answer.
   */
  static readonly Fast: Layer.Layer<LanguageModel.LanguageModel, ModelFailure, Models | CurrentConfig> = Layer.effect(
    LanguageModel.LanguageModel,
    Effect.suspend(() => small(null))
  )

  /** For the reflection cycle: `models.reflection` of the configuration, and what `Fast` has where it does not answer. */
  static readonly Reflection: Layer.Layer<LanguageModel.LanguageModel, ModelFailure, Models | CurrentConfig> =
    Layer.effect(
      LanguageModel.LanguageModel,
      Effect.flatMap(CurrentConfig, ({ models }) => small(models.reflection ?? null))
    )

  /** Has the models that it is given, by name, and nothing else: all of them may judge, in their order. */
  static readonly Test = (models: Readonly<Record<string, LanguageModel.Service>>): Layer.Layer<Models> =>
    Layer.succeed(Models, {
      candidates: Effect.succeed(
        Object.keys(models).map((name): Candidate => ({ name, source: "model", excluded: null }))
      ),
      excluded: () => Effect.succeed(null),
      named: (name) =>
        Effect.mapError(Effect.fromNullable(models[name]), () =>
          unavailable(name, "it is not among the test's models")
        ),
      fast: () => Effect.succeed(null),
      providers: Effect.succeed([]),
      real: Effect.succeed
    })
}
