/**
 * The program that turns how a fleet's attempts ended into findings, and findings into action: rules at every failure and
 * every few completions, one model call where they found something, and rarely a change that is recommended. It runs when
 * an outcome is added, and never else.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { FindingLog, type FindingRecord } from "../rules/FindingLog.ts"
import * as Program from "./program.ts"
import { CurrentConfig } from "../../session/config/ReflexionConfig.ts"
import type { StorageError } from "../log/StorageError.ts"
import { Mutator } from "../changes/Mutator.ts"
import { OutcomeLog, type OutcomeRecord } from "../outcomes/OutcomeLog.ts"
import { TaskControl, type ActiveTask, type TestTaskControl } from "../rules/TaskControl.ts"
import type { Options, Service } from "./model.ts"

export type { CycleEvent, Options, Report, Service, Settings } from "./model.ts"

/**
 * What is recommended is written below `directory`, a workspace, where there is no other mutator.
 *
 * @category models
 */
export interface ConfiguredOptions extends Omit<Options, "settings"> {
  readonly directory: string
}

/**
 * The cycle takes what it finds in its context of `TaskControl`, without which no task is paused, and that is said once;
 * `ReflectionAnalysis`, without which nothing is analysed; and `Mutator`, without which what is recommended stands in the
 * finding of the analysis alone.
 *
 * @example
 * ```ts
 * import { OutcomeLog } from "@reflexion/core/OutcomeLog"
 * import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
 * import { Clock, Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { append } = yield* OutcomeLog
 *   const now = yield* Clock.currentTimeMillis
 *   for (const id of ["a1", "a2", "a3"]) {
 *     yield* append({
 *       id,
 *       taskId: "prices",
 *       sessionId: id,
 *       objective: "Refresh the shop's price list.",
 *       status: "failed",
 *       durationMs: 1_500,
 *       tools: [],
 *       loaded: [],
 *       resultLength: 0,
 *       backend: "script",
 *       at: new Date(now).toISOString()
 *     })
 *   }
 *   const { run } = yield* ReflectionCycle
 *   const { findings } = yield* run({ analyse: false })
 *   console.log(findings.map(({ rule, subjectId }) => `${rule} ${subjectId}`)[0]) // => consecutive_failures prices
 * })
 *
 * const CycleTest = ReflectionCycle.Test({
 *   settings: { consecutive_failure_limit: 3 },
 *   tasks: []
 * })
 *
 * await Effect.runPromise(Effect.provide(program, CycleTest))
 * ```
 *
 * @category services
 */
export class ReflectionCycle extends Context.Tag("@reflexion/core/ReflectionCycle")<ReflectionCycle, Service>() {
  /** Knows of earlier ones what the logs say. */
  static readonly Live = (options: Options = {}): Layer.Layer<ReflectionCycle, StorageError, OutcomeLog | FindingLog> =>
    Layer.scoped(ReflectionCycle, Program.make(options))

  /**
   * `Live` as the section `cycle` of the configuration says, and with `Mutator.Proposal` where there is no other
   * mutator.
   */
  static readonly Configured = ({
    directory,
    ...options
  }: ConfiguredOptions): Layer.Layer<ReflectionCycle, StorageError, OutcomeLog | FindingLog | CurrentConfig> =>
    Layer.unwrapEffect(
      Effect.gen(function* () {
        const { cycle: settings } = yield* CurrentConfig
        const own = yield* Effect.serviceOption(Mutator)
        const mutator = Option.match(own, {
          onNone: () => Mutator.Proposal({ directory }),
          onSome: (one) => Layer.succeed(Mutator, one)
        })
        return Layer.provide(ReflectionCycle.Live({ ...options, settings }), mutator)
      })
    )

  /** `Live` over logs and tasks in memory, which a test writes to, reads and makes fail. */
  static readonly Test = (
    options: Options & { readonly tasks?: ReadonlyArray<ActiveTask> } = {}
  ): Layer.Layer<
    ReflectionCycle | OutcomeLog | OutcomeRecord | FindingLog | FindingRecord | TaskControl | TestTaskControl,
    StorageError
  > =>
    Layer.provideMerge(
      ReflectionCycle.Live(options),
      Layer.mergeAll(OutcomeLog.Test, FindingLog.Test, TaskControl.Test(options.tasks ?? []))
    )
}
