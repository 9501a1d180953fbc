/** How the reflection cycle is set, what it reports, and what it offers. */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { StorageError } from "../log/StorageError.ts"
import type { Mutation } from "../changes/Mutator.ts"
import type { Analysis } from "../changes/ReflectionAnalysis.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { CycleEvent } from "./events.ts"

/**
 * By the names of the configuration's section `reflection`.
 *
 * @category models
 */
export type Settings = ReflexionConfig["cycle"]

/**
 * What came of one run: how many outcomes of the window the rules had, what is new of what they found, what a model said of it (null
 * where none was asked or none answered), and what was left behind for a person.
 *
 * @category models
 */
export interface Report {
  readonly outcomes: number
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly analysis: Analysis | null
  readonly mutations: ReadonlyArray<Mutation>
}

export interface Service {
  /**
   * Looks at the outcomes, now. `analyse`: whether a model may be asked about what is found, and
   * what it recommends be handed on; true unless said otherwise.
   */
  readonly run: (options?: { readonly analyse?: boolean }) => Effect.Effect<Report, StorageError>
  /** What is told from now on; whoever takes it so slowly that more than 1,024 wait misses the oldest of them. */
  readonly events: Stream.Stream<CycleEvent>
  /**
   * The same as a queue of the newest 1,024: whoever takes from it before there are more has missed nothing since. What
   * was found is in the `FindingLog` in any case.
   */
  readonly subscribe: Effect.Effect<Queue.Dequeue<CycleEvent>, never, Scope.Scope>
  /**
   * The newest 200 of what was told, oldest first, also before a restart: as the `FindingLog` has it. Empty where that
   * cannot be read, which is logged.
   */
  readonly history: () => Effect.Effect<ReadonlyArray<CycleEvent>>
}

/**
 * `settings` are those of the configuration, for what is left out the defaults. `debounce`: for so long the cycle waits
 * after an outcome that calls for it, so that others come along; half a second.
 *
 * @category models
 */
export interface Options {
  readonly settings?: Partial<Settings>
  readonly debounce?: Duration.DurationInput
}
