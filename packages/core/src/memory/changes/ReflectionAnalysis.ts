/** Asks a model one cheap question about the rules' findings: what it observes, and what it would change. */
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

/** @category models */
export interface Options {
  /**
   * Replaces the default prompt. The record is inserted at `{findings}`, `{failed_sessions}` and `{active_tasks}`, and
   * marked as data. If the prompt has none of these, the record follows the prompt.
   */
  readonly prompt?: string
  /** For one analysis. The default is 60 seconds. */
  readonly timeout?: Duration.DurationInput
}

/**
 * `observations` is text for a person, at most 4,000 characters. `actions` has at most 10 entries, the most urgent
 * first.
 *
 * @category models
 */
export interface Analysis extends RecommendedAction.ActionAnswer {
  readonly model: string | null
}

export interface Service {
  /**
   * Asks the model once, and only if there are findings. Fails if no model answers, or if the day's budget is spent
   * (`over_budget`). The caller then logs the message and continues without an analysis.
   */
  readonly analyse: (input: Input) => Effect.Effect<Analysis, ModelCall.ModelFailure>
}

/** A single text with markers for the actions, because even weak models can write it. */
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

/** Builds `model` only when a question is asked. The question counts against the budget in this layer's context. */
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
 * Turns findings into a model's observations and recommendations.
 *
 * @category services
 */
export class ReflectionAnalysis extends Context.Tag("@reflexion/core/ReflectionAnalysis")<
  ReflectionAnalysis,
  Service
>() {
  /** Asks the model that the program provides. */
  static readonly Live = (options: Options = {}): Layer.Layer<ReflectionAnalysis, never, Model> =>
    Layer.effect(
      ReflectionAnalysis,
      Effect.flatMap(Model, (model) => make(options, Layer.succeed(Model, model)))
    )

  /**
   * Asks the model that `models.reflection` names. If no model is named, asks the fast model of the judging model's
   * provider, or else the judging model. Models are looked up only at the first analysis.
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
}
