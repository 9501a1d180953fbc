/** What the episodic memory is asked, and what it answers. */
import type * as Effect from "effect/Effect"
import type * as MemoryEvent from "./MemoryEvent.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import type { ReflectionError } from "../lessons/ReflectionError.ts"
import type * as Duration from "effect/Duration"
import type * as Stream from "effect/Stream"
import type * as Queries from "./queries.ts"
import type * as Effectiveness from "./Effectiveness.ts"

/**
 * `timeout` is for a model's answer, 30 seconds unless said otherwise. `fallback`: where it gives no reflection the rules
 * write one, or, with `none`, `generate` fails. `model` is its name, for a provider that does not say it.
 *
 * @category models
 */
export interface Options {
  readonly timeout?: Duration.DurationInput
  readonly fallback?: "heuristic" | "none"
  readonly model?: string
}

/**
 * Which reflections a search is for: of a task or subtask, of every other task, of some categories or sources.
 *
 * @category models
 */
export type Filters = Queries.Filters

/**
 * A reflection that was found, and why. `score` is `similarity` (0 to 1: of what the query's words could weigh, how much
 * they do) times twice `helpfulness` (0 to 1, 0.5 where nothing is known) times `recency` (0.5 to 1). `terms` are the words
 * that it shares with the query, the rarest first; `alike` the ids of others that say the same.
 *
 * @category models
 */
export type Recalled = Queries.Recalled

/**
 * What came of reflections, by category and by source (`unknown` where nobody knows it), with 95 % intervals. `without`
 * counts all attempts that had none.
 *
 * @category models
 */
export type Stats = Queries.Stats

/**
 * What reflections were put into a prompt, or gone by. `kind` is `injected` unless said otherwise; what is left out is not
 * known.
 *
 * @category models
 */
export interface UseInput {
  readonly reflectionIds: ReadonlyArray<string>
  readonly kind?: MemoryEvent.Use["kind"]
  readonly taskId?: string
  readonly subtaskId?: string
  readonly attemptNumber?: number
}

/**
 * How an attempt ended that had these reflections; none, where it had none.
 *
 * @category models
 */
export interface OutcomeInput extends Omit<UseInput, "kind"> {
  readonly success: boolean
}

/**
 * What is to be forgotten: what is older, or what a predicate wants. Events that speak of nothing else go as well.
 *
 * @category models
 */
export type PruneInput =
  | { readonly maxAge: Duration.DurationInput }
  | { readonly where: (reflection: Reflection) => boolean }

/**
 * A line that is no reflection and no event. `line` is counted from 1, `at` is its offset in bytes.
 *
 * @category models
 */
export interface InvalidLine {
  readonly line: number
  readonly at: number
  readonly problem: string
}

/**
 * What a log has, every line decoded. `replaced` counts reflections of whose id there is a later one; `invalid` names at
 * most 100 lines, `invalidCount` counts all.
 *
 * @category models
 */
export interface Verification {
  readonly reflections: number
  readonly replaced: number
  readonly events: number
  readonly blank: number
  readonly invalidCount: number
  readonly invalid: ReadonlyArray<InvalidLine>
}

export interface Service {
  /**
   * Keeps reflections, secrets taken out of all but their ids: when it succeeds they outlast a power cut. A known id is
   * replaced. Answers them as they were written, which is not what whoever else writes makes of them.
   */
  readonly append: (
    reflections: Reflection | ReadonlyArray<Reflection>
  ) => Effect.Effect<ReadonlyArray<Reflection>, ReflectionError>
  /** Fails with `not_found`. */
  readonly get: (id: string) => Effect.Effect<Reflection, ReflectionError>
  /** A subtask's, newest attempt first, 3 unless said otherwise. */
  readonly getRecent: (subtaskId: string, limit?: number) => Effect.Effect<ReadonlyArray<Reflection>, ReflectionError>
  /** A task's, in the order in which they were added. */
  readonly getForTask: (taskId: string) => Effect.Effect<ReadonlyArray<Reflection>, ReflectionError>
  /** What fits a text best, 5 unless said otherwise, best first. */
  readonly similar: (
    query: string,
    filters?: Filters,
    limit?: number
  ) => Effect.Effect<ReadonlyArray<Recalled>, ReflectionError>
  /** Fails with `not_found` for an id that nobody knows, and records nothing then. */
  readonly recordUse: (input: UseInput) => Effect.Effect<void, ReflectionError>
  /** Fails as `recordUse` does. */
  readonly recordOutcome: (input: OutcomeInput) => Effect.Effect<void, ReflectionError>
  readonly stats: Effect.Effect<Stats, ReflectionError>
  /** What came of each reflection that anything came of, by its id, as it is now: not to be kept. */
  readonly effectiveness: Effect.Effect<ReadonlyMap<string, Effectiveness.Record>, ReflectionError>
  /** Why nothing of it may go into a prompt, null where it may: git tracks it, and nobody said that it is trusted. */
  readonly heldBack: Effect.Effect<string | null>
  /** Says how many reflections were forgotten. */
  readonly prune: (input: PruneInput) => Effect.Effect<number, ReflectionError>
  /** Leaves out what was replaced and blank lines; says how many lines. */
  readonly compact: Effect.Effect<number, ReflectionError>
  /** Decodes every line. With `repair`, those that cannot be decoded are moved to a file beside the log. */
  readonly verify: (options?: { readonly repair?: boolean }) => Effect.Effect<Verification, ReflectionError>
  /** All reflections, in the order in which they were added. */
  readonly stream: Stream.Stream<Reflection, ReflectionError>
}
