/**
 * The episodic memory: what was learned from attempts that failed, and what came of it (Shinn et al., "Reflexion: Language
 * Agents with Verbal Reinforcement Learning", NeurIPS 2023).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Records from "../log/Records.ts"
import { heldBack, type Platform } from "../log/MemoryTrust.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import type { ReflectionError } from "../lessons/ReflectionError.ts"
import * as Store from "./store.ts"
import type { OutcomeInput, Service, UseInput } from "./model.ts"

export type {
  Filters,
  InvalidLine,
  OutcomeInput,
  PruneInput,
  Recalled,
  Service,
  Stats,
  UseInput,
  Verification
} from "./model.ts"

/**
 * What a test reads of the store that it runs with.
 *
 * @category testing
 */
export interface Recorded {
  readonly appended: ReadonlyArray<Reflection>
  readonly uses: ReadonlyArray<UseInput>
  readonly outcomes: ReadonlyArray<OutcomeInput>
}

export class ReflexionRecord extends Context.Tag("@reflexion/core/ReflexionStore/ReflexionRecord")<
  ReflexionRecord,
  { readonly recorded: Effect.Effect<Recorded> }
>() {}

/**
 * `trusted`: what the file says may go into prompts though git tracks it, and so anyone who may push can write it.
 *
 * @category models
 */
export interface LiveOptions {
  readonly path: string
  readonly trusted?: boolean
}

const live = ({ path, trusted = false }: LiveOptions) =>
  Effect.gen(function* () {
    const store = yield* Store.make((fold) => Records.onDisk(path, Store.format, fold))
    return { ...store, heldBack: yield* heldBack({ path, trusted }) } satisfies Service
  })

const held = Effect.orDie(Store.make((fold) => Records.inMemory(fold)))

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
 * @category services
 */
export class ReflexionStore extends Context.Tag("@reflexion/core/ReflexionStore")<ReflexionStore, Service>() {
  /** One JSON line for each, in a file that several processes may share. git is asked whether it tracks the file. */
  static readonly Live = (options: LiveOptions): Layer.Layer<ReflexionStore, ReflectionError, Platform> =>
    Layer.effect(ReflexionStore, live(options))

  /** As long as the process lasts. */
  static readonly Memory: Layer.Layer<ReflexionStore> = Layer.effect(ReflexionStore, held)

  /** `Memory`, and what it was told, through `ReflexionRecord`. */
  static readonly Test: Layer.Layer<ReflexionStore | ReflexionRecord> = Layer.effectContext(
    Effect.gen(function* () {
      const store = yield* held
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
