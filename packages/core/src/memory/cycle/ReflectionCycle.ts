/** Applies rules to the outcomes of many attempts, and asks a model once if the rules find something. */
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

/** @category models */
export interface ConfiguredOptions extends Omit<Options, "settings"> {
  /** If the context has no mutator, recommended changes are written below this workspace. */
  readonly directory: string
}

/**
 * The cycle uses these services if they are in its context:
 * - `TaskControl`. If missing, no task is paused, and the log says so once.
 * - `ReflectionAnalysis`. If missing, nothing is analysed.
 * - `Mutator`. If missing, a recommended change appears only in the finding of the analysis.
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
  /** Reads the earlier findings from the logs. */
  static readonly Live = (options: Options = {}): Layer.Layer<ReflectionCycle, StorageError, OutcomeLog | FindingLog> =>
    Layer.scoped(ReflectionCycle, Program.make(options))

  /** `Live` with the configuration's section `cycle`. If the context has no mutator, `Mutator.Proposal` is used. */
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

  /** `Live` with logs and tasks in memory. A test can write and read them, and make them fail. */
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
