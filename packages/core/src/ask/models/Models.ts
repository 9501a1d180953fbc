/** The models that the configuration names: which can be asked, in which order, and what stands against the others. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Chain from "./chain.ts"
import {
  build,
  excludedBy,
  type HostModels,
  keyedOf,
  type Known,
  mentioned,
  type ProviderStatus,
  realOf,
  statusOf
} from "./reach.ts"
import { Model, type Service } from "./Model.ts"
import { failure, type ModelFailure } from "./ModelFailures.ts"
import * as ModelRouting from "./ModelRouting.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"

export type { HostModels, ProviderStatus } from "./reach.ts"

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

const make = Effect.fnUntraced(function* ({ hosts = {} }: Options) {
  const known: Known = { config: yield* CurrentConfig, hosts }
  const named = yield* Effect.cachedFunction((name: string) => build(known, name))
  const candidates = Effect.flatMap(keyedOf(known), (keyed) =>
    Effect.forEach(ModelRouting.order(known.config, keyed), (choice) =>
      Effect.map(excludedBy(known, choice.name), (excluded): Candidate => ({ ...choice, excluded }))
    )
  )
  const providers = Effect.gen(function* () {
    const own = yield* Effect.filter(Object.entries(hosts), ([, { problem }]) =>
      Effect.map(problem, (why) => why === null)
    )
    const names = mentioned(known.config, [...(yield* keyedOf(known)), ...own.map(([name]) => name)])
    return yield* Effect.forEach(names, (provider) => statusOf(known, provider), { concurrency: "unbounded" })
  })
  return {
    candidates,
    named,
    providers,
    excluded: (name: string) => excludedBy(known, name),
    fast: (provider: string) => ModelRouting.fast(known.config, provider),
    real: (name: string) => realOf(known, name)
  }
})

/** In a fixed order, for a message that names all of them. */
const none = (candidates: ReadonlyArray<Candidate>): ModelFailure =>
  failure(
    "unavailable",
    candidates.length === 0
      ? "no model is configured, and no provider's key is in the environment"
      : candidates.map(({ excluded, name }) => `${name}: ${excluded ?? "it cannot be asked"}`).join("; ")
  )

/** Those of the names that can be asked, as one; one that cannot be is passed over. */
const chained = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const models = yield* Models
  const { models: settings } = yield* CurrentConfig
  const found = yield* Effect.forEach([...new Set(names)], (name) =>
    Effect.map(
      Effect.either(
        Effect.tapError(models.named(name), ({ detail }) => Effect.logWarning(`${name} is not asked: ${detail}`))
      ),
      (model) => ({ name, model })
    )
  )
  const [first, ...rest] = found.flatMap(({ model, name }) =>
    Either.isRight(model) ? [{ name, model: model.right }] : []
  )
  if (first !== undefined) return Chain.make([first, ...rest], Duration.seconds(settings.timeout))
  const [why] = found.flatMap(({ model }) => (Either.isLeft(model) ? [model.left] : []))
  return yield* why ?? none(yield* models.candidates)
})

const judging = Effect.gen(function* () {
  const all = yield* (yield* Models).candidates
  return all.filter(({ excluded }) => excluded === null).map(({ name }) => name)
})

/** At the provider that judges: what is asked there is known to it anyway. One that the user names goes before. */
const small = Effect.fnUntraced(function* (named: string | null) {
  const models = yield* Models
  const [judge] = yield* judging
  if (judge === undefined) return yield* none(yield* models.candidates)
  const [fast = judge] = models.fast(ModelRouting.parse(judge)?.provider ?? "")
  return yield* chained([...(named === null ? [] : [named]), fast, judge])
})

/**
 * From the configuration to models by their names. Keys come from the environment alone.
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
    readonly named: (name: string) => Effect.Effect<Service, ModelFailure>
    /** The names of a provider's models for small questions. */
    readonly fast: (provider: string) => ReadonlyArray<string>
    /** The providers that the configuration names, that have a key or are hosts, each asked what it offers. */
    readonly providers: Effect.Effect<ReadonlyArray<ProviderStatus>>
    /** The name of the model that a name stands for at present: mostly the name itself. */
    readonly real: (name: string) => Effect.Effect<string>
  }
>() {
  static readonly Live: Layer.Layer<Models, never, CurrentConfig> = Layer.effect(
    Models,
    Effect.suspend(() => make({}))
  )

  /** With the models of hosts that this machine has. */
  static readonly layer = (options: Options): Layer.Layer<Models, never, CurrentConfig> =>
    Layer.effect(Models, make(options))

  /**
   * The models that judge as one: where one cannot be asked, the next is. The time for an answer is shared among them.
   * Fails where there is none to ask, and says why for each.
   */
  static readonly Judge: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.suspend(() => Effect.flatMap(judging, chained))
  )

  /**
   * For small questions, such as whether a quiet agent is stuck: the fast model of the provider whose model judges, and
   * that one where it has none or the fast one does not answer.
   */
  static readonly Fast: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.suspend(() => small(null))
  )

  /** For the reflection cycle: `models.reflection` of the configuration, and what `Fast` has where it does not answer. */
  static readonly Reflection: Layer.Layer<Model, ModelFailure, Models | CurrentConfig> = Layer.effect(
    Model,
    Effect.flatMap(CurrentConfig, ({ models }) => small(models.reflection ?? null))
  )

  /** Has the models that it is given, by name, and nothing else: all of them may judge, in their order. */
  static readonly Test = (models: Readonly<Record<string, Service>>): Layer.Layer<Models> =>
    Layer.succeed(Models, {
      candidates: Effect.succeed(
        Object.keys(models).map((name): Candidate => ({ name, source: "model", excluded: null }))
      ),
      excluded: () => Effect.succeed(null),
      named: (name) =>
        Effect.mapError(Effect.fromNullable(models[name]), () =>
          failure("unavailable", "it is not among the test's models", { model: name })
        ),
      fast: () => [],
      providers: Effect.succeed([]),
      real: Effect.succeed
    })
}
