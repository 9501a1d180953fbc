/** Reflects on attempts that failed, keeps what was learned, and gives it to the next attempt. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { Model } from "../../model/calls/Model.ts"
import type { FailureContext } from "../lessons/FailureContext.ts"
import * as Generating from "./reflectionGenerating.ts"
import { clean } from "./MemoryLine.ts"
import type { Given, Reflection } from "../lessons/Reflection.ts"
import { ReflectionError } from "../lessons/ReflectionError.ts"
import { ReflexionStore } from "./ReflexionStore.ts"
import type * as Store from "./ReflexionStore.ts"
import * as RetryPrompt from "../lessons/RetryPrompt.ts"
import type { Options } from "./model.ts"

export type { Options } from "./model.ts"

export interface Service {
  /**
   * Reflects on a failure; saves nothing. Earlier reflections are those that the failure names, else the subtask's last
   * ones. Fails with `generation_failed`, `parse_error` or `timeout` only where there is no fallback.
   */
  readonly generate: (failure: FailureContext) => Effect.Effect<Reflection, ReflectionError>
  /** What other systems' records lack gets its default. */
  readonly save: (reflection: Given) => Effect.Effect<void, ReflectionError>
  readonly getRecent: Store.Service["getRecent"]
  readonly getForTask: Store.Service["getForTask"]
  readonly similar: Store.Service["similar"]
  readonly recordUse: Store.Service["recordUse"]
  readonly recordOutcome: Store.Service["recordOutcome"]
  readonly heldBack: Store.Service["heldBack"]
  /** The prompt's section, empty where there is nothing to say; what speaks to its reader is left out. */
  readonly formatForPrompt: (reflections: ReadonlyArray<Reflection>, options?: RetryPrompt.Options) => string
  /** Forgets what is older, 30 days unless said otherwise; says how many. */
  readonly prune: (maxAge?: Duration.DurationInput) => Effect.Effect<number, ReflectionError>
}

/**
 * What a test service was asked to reflect on, oldest first.
 *
 * @category testing
 */
export class ReflectionRecord extends Context.Tag("@reflexion/core/ReflectionService/ReflectionRecord")<
  ReflectionRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<FailureContext>> }
>() {}

const retention = Duration.days(30)

const serviceOf = (store: Store.Service, generate: Service["generate"]): Service => ({
  generate,
  save: (reflection) => Effect.suspend(() => Effect.asVoid(store.append(clean(reflection)))),
  getRecent: store.getRecent,
  getForTask: store.getForTask,
  similar: store.similar,
  recordUse: store.recordUse,
  recordOutcome: store.recordOutcome,
  heldBack: store.heldBack,
  formatForPrompt: RetryPrompt.render,
  prune: (maxAge = retention) => store.prune({ maxAge })
})

/** The scripted reflections in order, the last of them for ever, with the failure's own attempt. */
const scripted = (reflections: ReadonlyArray<Reflection | ReflectionError>) =>
  Effect.gen(function* () {
    const asked = yield* Ref.make<ReadonlyArray<FailureContext>>([])
    const generate = Effect.fn("ReflectionService.generate")(function* (failure: FailureContext) {
      const before = yield* Ref.getAndUpdate(asked, (all) => [...all, failure])
      const next = reflections[Math.min(before.length, reflections.length - 1)]
      if (next === undefined) return yield* Generating.heuristic(failure, [])
      if (next instanceof ReflectionError) return yield* next
      const { attemptNumber, subtaskId, taskId } = failure
      return { ...next, id: `${next.id}-${before.length + 1}`, attemptNumber, subtaskId, taskId }
    })
    return { asked: Ref.get(asked), generate }
  })

/**
 * From a failure to what was learned from it.
 *
 * @example
 * ```ts
 * import { ReflectionService } from "@reflexion/core/ReflectionService"
 * import { ReflexionStore } from "@reflexion/core/ReflexionStore"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { formatForPrompt, generate, getRecent, save } = yield* ReflectionService
 *   const reflection = yield* generate({
 *     id: "f1",
 *     sessionId: "s1",
 *     taskId: "shop",
 *     subtaskId: "shop/cart",
 *     subtaskDescription: "Make the tests of the cart pass.",
 *     attemptNumber: 1,
 *     failureType: "test_failure",
 *     errorOutput: "FAIL  test/total.test.ts > takes ten percent off\nAssertionError: expected 100 to be 90",
 *     filesModified: ["src/total.ts"],
 *     previousReflections: [],
 *     createdAt: "2026-03-01T09:00:00.000Z"
 *   })
 *   yield* save(reflection)
 *   const section = formatForPrompt(yield* getRecent("shop/cart"))
 *   console.log(section.includes("takes ten percent off")) // => true
 * })
 *
 * const MemoryLive = Layer.provide(ReflectionService.Heuristic, ReflexionStore.Memory)
 *
 * await Effect.runPromise(Effect.provide(program, MemoryLive))
 * ```
 *
 * @category services
 */
export class ReflectionService extends Context.Tag("@reflexion/core/ReflectionService")<ReflectionService, Service>() {
  /** A model reflects; where it does not, the rules do, and the log says why. */
  static readonly Live = (options: Options = {}): Layer.Layer<ReflectionService, never, ReflexionStore | Model> =>
    Layer.effect(
      ReflectionService,
      Effect.gen(function* () {
        const store = yield* ReflexionStore
        return serviceOf(store, yield* Generating.byModel(store, options))
      })
    )

  /** The rules alone: no model, no network. */
  static readonly Heuristic: Layer.Layer<ReflectionService, never, ReflexionStore> = Layer.effect(
    ReflectionService,
    Effect.map(ReflexionStore, (store) => serviceOf(store, Generating.byRules(store)))
  )

  /**
   * Gives the scripted reflections and errors in order, the last of them for ever, and records what it was asked; without
   * any it reflects by the rules. What it saves is kept nowhere but in the store that is given.
   */
  static readonly Test = (
    ...reflections: ReadonlyArray<Reflection | ReflectionError>
  ): Layer.Layer<ReflectionService | ReflectionRecord, never, ReflexionStore> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const { asked, generate } = yield* scripted(reflections)
        return Context.make(ReflectionService, serviceOf(yield* ReflexionStore, generate)).pipe(
          Context.add(ReflectionRecord, { asked })
        )
      })
    )

  /** `Test` with a store in memory, which it gives as well. */
  static readonly TestWithStorage = (
    ...reflections: ReadonlyArray<Reflection | ReflectionError>
  ): Layer.Layer<ReflectionService | ReflectionRecord | ReflexionStore | Store.ReflexionRecord> =>
    Layer.provideMerge(ReflectionService.Test(...reflections), ReflexionStore.Test)
}
