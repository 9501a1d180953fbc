/**
 * One cheap question to a model about what the rules found in many runs: what it observes, and what it would change.
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Model } from "../../model/calls/Model.ts"
import * as ModelCall from "../../model/calls/ModelCall.ts"
import { Models } from "../../model/calls/Models.ts"
import { nonce } from "../../base/system/Nonce.ts"
import type { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import * as Prompt from "./prompt.ts"
import type { Input } from "./prompt.ts"
import * as RecommendedAction from "./RecommendedAction.ts"

export type { Input } from "./prompt.ts"

/**
 * `prompt` takes the place of the usual one: the record stands where it says `{findings}`, `{failed_sessions}` and
 * `{active_tasks}`, behind it where it says neither, and is marked as no instruction in any case. `timeout` is for one
 * analysis, 60 seconds unless said otherwise.
 *
 * @category models
 */
export interface Options {
  readonly prompt?: string
  readonly timeout?: Duration.DurationInput
}

/**
 * `observations` is prose for a person, at most 4,000 characters; there are at most 10 actions, the most urgent first.
 *
 * @category models
 */
export interface Analysis extends RecommendedAction.ActionAnswer {
  readonly model: string | null
}

export interface Service {
  /**
   * Asks the model once; nothing is asked where there are no findings. Fails where no model answers and where the day's
   * budget is spent (`over_budget`): the one who asked goes on without an analysis, and logs the failure's message.
   */
  readonly analyse: (input: Input) => Effect.Effect<Analysis, ModelCall.ModelFailure>
}

/** A text: a marker in prose is what weak models write as well. */
const Answer = Schema.Struct({ analysis: Schema.String }).annotations({ identifier: "AnalysisAnswer" })

const nothing: Analysis = { observations: "", actions: [], model: null }

const ask = Effect.fnUntraced(function* (input: Input, { prompt, timeout }: Options) {
  const { model, text, value } = yield* ModelCall.ask({
    purpose: "analysis",
    ...Prompt.render(input, yield* nonce("runs"), prompt ?? null),
    schema: Answer,
    objectName: "analysis",
    ...(timeout !== undefined && { timeout })
  })
  const analysis: Analysis = { ...RecommendedAction.parse(value?.analysis ?? text), model }
  return analysis
})

/** `model` is looked for when it is asked. A budget that only the layer was given counts as one that is given there. */
const make = (options: Options, model: Layer.Layer<Model, ModelCall.ModelFailure>) =>
  Effect.map(Effect.context<never>(), (around): Service => {
    const analyse = Effect.fn("ReflectionAnalysis.analyse")((input: Input) =>
      input.findings.length === 0 ? Effect.succeed(nothing) : Effect.provide(ask(input, options), model)
    )
    return {
      analyse: (input) =>
        Effect.mapInputContext(analyse(input), (here: Context.Context<never>) => Context.merge(around, here))
    }
  })

/**
 * From findings to what a model makes of them.
 *
 * @category services
 */
export class ReflectionAnalysis extends Context.Tag("@reflexion/core/ReflectionAnalysis")<
  ReflectionAnalysis,
  Service
>() {
  /** A model of the program's own. */
  static readonly Live = (options: Options = {}): Layer.Layer<ReflectionAnalysis, never, Model> =>
    Layer.effect(
      ReflectionAnalysis,
      Effect.flatMap(Model, (model) => make(options, Layer.succeed(Model, model)))
    )

  /**
   * The model that `models.reflection` names, then the fast model of the provider whose model judges, and that one where
   * there is no fast one or it does not answer.
   * Nothing is looked for before the first analysis.
   */
  static readonly Configured = (
    options: Options = {}
  ): Layer.Layer<ReflectionAnalysis, never, Models | CurrentConfig> =>
    Layer.effect(
      ReflectionAnalysis,
      Effect.flatMap(Effect.context<Models | CurrentConfig>(), (known) =>
        make(options, Layer.provide(Models.Reflection, Layer.succeedContext(known)))
      )
    )

  /** Asks no model: makes this of whatever it is given. */
  static readonly Test = (analysis: Partial<Analysis> = {}): Layer.Layer<ReflectionAnalysis> =>
    Layer.succeed(ReflectionAnalysis, { analyse: () => Effect.succeed({ ...nothing, ...analysis }) })
}
