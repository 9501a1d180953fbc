/**
 * The episodic memory: what was learned from attempts that failed, and what came of it (Shinn et al., "Reflexion: Language
 * Agents with Verbal Reinforcement Learning", NeurIPS 2023).
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type * as Stream from "effect/Stream"
import * as Disk from "./onDisk.ts"
import * as Held from "./inMemory.ts"
import type * as Queries from "./queries.ts"
import { type Shelf, storeOf } from "./store.ts"
import type { LogDisk } from "../log/LogDisk.ts"
import type * as Effectiveness from "./Effectiveness.ts"
import type * as MemoryEvent from "./MemoryEvent.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import type { ReflectionError } from "../lessons/ReflectionError.ts"
import { TrackedFiles } from "../../ground/system/TrackedFiles.ts"

/**
 * Which reflections a search is for: of a task or subtask, of every other task, of some categories or sources.
 *
 * @since 0.1.0
 * @category models
 */
export type Filters = Queries.Filters

/**
 * A reflection that was found, and why. `score` is `similarity` (0 to 1: of what the query's words could weigh, how much
 * they do) times twice `helpfulness` (0 to 1, 0.5 where nothing is known) times `recency` (0.5 to 1). `terms` are the words
 * that it shares with the query, the rarest first; `alike` the ids of others that say the same.
 *
 * @since 0.1.0
 * @category models
 */
export type Recalled = Queries.Recalled

/**
 * What came of reflections, by category and by source (`unknown` where nobody knows it), with 95 % intervals. `without`
 * counts all attempts that had none.
 *
 * @since 0.1.0
 * @category models
 */
export type Stats = Queries.Stats

/**
 * What reflections were put into a prompt, or gone by. `kind` is `injected` unless said otherwise; what is left out is not
 * known.
 *
 * @since 0.1.0
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
 * @since 0.1.0
 * @category models
 */
export interface OutcomeInput extends Omit<UseInput, "kind"> {
  readonly success: boolean
}

/**
 * What is to be forgotten: what is older, or what a predicate wants. Events that speak of nothing else go as well.
 *
 * @since 0.1.0
 * @category models
 */
export type PruneInput =
  | { readonly maxAge: Duration.DurationInput }
  | { readonly where: (reflection: Reflection) => boolean }

/**
 * A line that is no reflection and no event. `line` is counted from 1, `at` is its offset in bytes.
 *
 * @since 0.1.0
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
 * @since 0.1.0
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

/**
 * @since 0.1.0
 * @category models
 */
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

/**
 * What a test reads of the store that it runs with.
 *
 * @since 0.1.0
 * @category testing
 */
export interface Recorded {
  readonly appended: ReadonlyArray<Reflection>
  readonly uses: ReadonlyArray<UseInput>
  readonly outcomes: ReadonlyArray<OutcomeInput>
}

/**
 * @since 0.1.0
 * @category testing
 */
export class ReflexionRecord extends Context.Tag("@reflexion/core/ReflexionStore/ReflexionRecord")<
  ReflexionRecord,
  { readonly recorded: Effect.Effect<Recorded> }
>() {}

const from = <E, R>(shelf: Effect.Effect<Shelf, E, R>) => Effect.flatMap(shelf, storeOf)

/**
 * `trusted`: what the file says may go into prompts though git tracks it, and so whoever may push can write it.
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveOptions {
  readonly path: string
  readonly trusted?: boolean
}

const live = ({ path, trusted = false }: LiveOptions) =>
  Effect.gen(function* () {
    const store = yield* from(Disk.open({ path }))
    const { isTracked } = yield* TrackedFiles
    const reason = `git tracks ${path}, so whoever may push can write it: take it out of git (git rm --cached), or open it with trusted: true`
    const heldBack = trusted ? Effect.succeed(null) : Effect.map(isTracked(path), (is) => (is ? reason : null))
    return { ...store, heldBack } satisfies Service
  })

/**
 * Where reflections are kept.
 *
 * @example
 * ```ts
 * import type { Reflection } from "@reflexion/core/Reflection"
 * import { ReflexionStore } from "@reflexion/core/ReflexionStore"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const store = yield* ReflexionStore
 *   const { length } = yield* store.getRecent("shop/cart")
 *   console.log(length) // => 0
 *   const lost = yield* Effect.flip(store.get("r1"))
 *   console.log(lost._tag) // => ReflectionError
 *   const outdated = ({ subtaskId }: Reflection) => subtaskId === "shop/cart"
 *   console.log(yield* store.prune({ where: outdated })) // => 0
 * })
 *
 * await Effect.runPromise(Effect.provide(program, ReflexionStore.Memory))
 * ```
 *
 * @since 0.1.0
 * @category services
 */
export class ReflexionStore extends Context.Tag("@reflexion/core/ReflexionStore")<ReflexionStore, Service>() {
  /** One JSON line for each, in a file that several processes may share. */
  static readonly Live = (options: LiveOptions): Layer.Layer<ReflexionStore, ReflectionError, LogDisk> =>
    Layer.scoped(ReflexionStore, live(options))

  /** As long as the process lasts. */
  static readonly Memory: Layer.Layer<ReflexionStore> = Layer.effect(ReflexionStore, from(Effect.sync(Held.make)))

  /** `Memory`, and what it was told, through `ReflexionRecord`. */
  static readonly Test: Layer.Layer<ReflexionStore | ReflexionRecord> = Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* from(Effect.sync(Held.make))
      const record = yield* Ref.make<Recorded>({ appended: [], uses: [], outcomes: [] })
      const told = <A, E>(work: Effect.Effect<A, E>, add: (before: Recorded) => Recorded): Effect.Effect<A, E> =>
        Effect.tap(work, () => Ref.update(record, add))
      const service: Service = {
        ...store,
        append: (reflections) =>
          told(store.append(reflections), (before) => ({
            ...before,
            appended: [...before.appended, ...("id" in reflections ? [reflections] : reflections)]
          })),
        recordUse: (input) => told(store.recordUse(input), (before) => ({ ...before, uses: [...before.uses, input] })),
        recordOutcome: (input) =>
          told(store.recordOutcome(input), (before) => ({ ...before, outcomes: [...before.outcomes, input] }))
      }
      return Context.make(ReflexionStore, service).pipe(Context.add(ReflexionRecord, { recorded: Ref.get(record) }))
    })
  )
}
