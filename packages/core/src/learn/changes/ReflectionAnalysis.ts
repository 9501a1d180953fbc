/**
 * One cheap question to a model about what the rules found in many runs: what it observes, and what it would change.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { Model } from "../../ask/models/Model.ts"
import * as Asking from "./asking.ts"
import { ModelFailure } from "../../ask/models/ModelCall.ts"
import { Models } from "../../ask/models/Models.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import type { Analysis, Input, Options } from "./model.ts"

export type { Analysis, Input, Options } from "./model.ts"

export interface Service {
  /**
   * Asks the model once; nothing is asked where there are no findings. Fails where no model answers and where the day's
   * budget is spent (`over_budget`): whoever asked goes on without an analysis, and logs the failure's message.
   */
  readonly analyse: (input: Input) => Effect.Effect<Analysis, ModelFailure>
}

/**
 * What a test service was asked to analyse, oldest first.
 *
 * @category testing
 */
export class AnalysisRecord extends Context.Tag("@reflexion/core/ReflectionAnalysis/AnalysisRecord")<
  AnalysisRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<Input>> }
>() {}

const unset = () => new ModelFailure({ reason: "unavailable", model: null, detail: "no model is set up for it" })

/** The scripted answers in order, the last of them for ever; without any, no model is there. */
const scripted = (analyses: ReadonlyArray<Analysis | ModelFailure>) =>
  Effect.gen(function* () {
    const asked = yield* Ref.make<ReadonlyArray<Input>>([])
    const analyse = Effect.fn("ReflectionAnalysis.analyse")(function* (input: Input) {
      const before = yield* Ref.getAndUpdate(asked, (all) => [...all, input])
      const next = analyses[Math.min(before.length, analyses.length - 1)] ?? unset()
      return next instanceof ModelFailure ? yield* next : next
    })
    return Context.make(ReflectionAnalysis, { analyse }).pipe(Context.add(AnalysisRecord, { asked: Ref.get(asked) }))
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
      Effect.gen(function* () {
        const model = yield* Model
        return { analyse: yield* Asking.make(options, Effect.provideService(Model, model)) }
      })
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
      Effect.gen(function* () {
        const known = Context.make(Models, yield* Models).pipe(Context.add(CurrentConfig, yield* CurrentConfig))
        const model = Layer.provide(Models.Reflection, Layer.succeedContext(known))
        return { analyse: yield* Asking.make(options, (asking) => Effect.provide(asking, model)) }
      })
    )

  /** No model: every analysis fails, and says so. */
  static readonly None: Layer.Layer<ReflectionAnalysis> = Layer.sync(ReflectionAnalysis, () => ({
    analyse: () => Effect.failSync(unset)
  }))

  /** Gives the scripted answers in order, the last of them for ever, and records what it was asked. */
  static readonly Test = (
    ...analyses: ReadonlyArray<Analysis | ModelFailure>
  ): Layer.Layer<ReflectionAnalysis | AnalysisRecord> => Layer.effectContext(scripted(analyses))
}
