/**
 * One cheap question to a model about what the rules found in many runs: what it observes, and what it would change.
 *
 * @since 0.1.0
 */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import * as Asking from "./asking.ts"
import { LanguageModelTag } from "../../ask/models/LanguageModelTag.ts"
import { ModelFailure } from "../../ask/models/ModelCall.ts"
import { Models } from "../../ask/models/Models.ts"
import type { RecommendedAction } from "./RecommendedAction.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import type { ActiveTask } from "../rules/TaskControl.ts"

/**
 * `prompt` takes the place of the usual one: the record stands where it says `{findings}`, `{failed_sessions}` and
 * `{active_tasks}`, behind it where it says none of them, and is marked as no instruction in any case. `perDay` is how
 * many analyses a day (UTC) has at most, 24 unless said otherwise, within `ModelBudget`; `timeout` is for one of them,
 * 60 seconds unless said otherwise; `model` is the name of the model for a provider that does not say it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly prompt?: string
  readonly perDay?: number
  readonly timeout?: Duration.DurationInput
  readonly model?: string
}

/**
 * What is analysed: what the rules found, the sessions that failed, and the tasks that are still run. `madeToday`: how many
 * analyses the day (UTC) has had, by whoever remembers that across restarts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly failed: ReadonlyArray<AttemptOutcome>
  readonly activeTasks: ReadonlyArray<ActiveTask>
  readonly madeToday?: number
}

/**
 * `observations` is prose for a person, at most 4,000 characters; there are at most 10 actions, the most urgent first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Analysis {
  readonly observations: string
  readonly actions: ReadonlyArray<RecommendedAction>
  readonly model: string | null
}

/**
 * @since 0.1.0
 * @category models
 */
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
 * @since 0.1.0
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
 * @since 0.1.0
 * @category services
 */
export class ReflectionAnalysis extends Context.Tag("@reflexion/core/ReflectionAnalysis")<
  ReflectionAnalysis,
  Service
>() {
  /** A model of the program's own. */
  static readonly Live = (options: Options = {}): Layer.Layer<ReflectionAnalysis, never, LanguageModel.LanguageModel> =>
    Layer.effect(
      ReflectionAnalysis,
      Effect.gen(function* () {
        const model = yield* LanguageModelTag
        return { analyse: yield* Asking.make(options, Effect.provideService(LanguageModelTag, model)) }
      })
    )

  /**
   * The fast model of the provider whose model judges, and that one where there is no fast one or it does not answer.
   * Nothing is looked for before the first analysis.
   */
  static readonly Configured = (
    options: Options = {}
  ): Layer.Layer<ReflectionAnalysis, never, Models | CurrentConfig> =>
    Layer.effect(
      ReflectionAnalysis,
      Effect.gen(function* () {
        const known = Context.make(Models, yield* Models).pipe(Context.add(CurrentConfig, yield* CurrentConfig))
        const fast = Layer.provide(Models.Fast, Layer.succeedContext(known))
        return { analyse: yield* Asking.make(options, (asking) => Effect.provide(asking, fast)) }
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
