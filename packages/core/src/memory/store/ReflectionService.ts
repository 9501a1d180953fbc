/** Reflects on failed attempts, stores the lessons, and gives them to the next attempt. */
import * as Array from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { redact } from "../../base/redaction/Redaction.ts"
import { nonce } from "../../base/system/Nonce.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { clip } from "../../base/text/Text.ts"
import { Model } from "../../model/calls/Model.ts"
import * as ModelCall from "../../model/calls/ModelCall.ts"
import type { FailureContext } from "../lessons/FailureContext.ts"
import { type EncodedReflection, limits, type Reflection } from "../lessons/Reflection.ts"
import { ReflectionError } from "../lessons/ReflectionError.ts"
import * as ReflectionHeuristic from "../lessons/ReflectionHeuristic.ts"
import * as RetryPrompt from "../lessons/RetryPrompt.ts"
import { clean } from "./MemoryLine.ts"
import * as Prompt from "./reflectionPrompt.ts"
import { ReflexionStore, type ReflexionRecord, type Service as Store } from "./ReflexionStore.ts"

/** @category models */
export interface Options {
  /** The time for a model's answer. The default is 30 seconds. */
  readonly timeout?: Duration.DurationInput
  /**
   * If the model gives no reflection: with `heuristic` (the default), the rules write one; with `none`, `generate`
   * fails.
   */
  readonly fallback?: "heuristic" | "none"
  /** The name of the model, if the provider does not report it. */
  readonly model?: string
}

export interface Service extends Pick<
  Store,
  "getRecent" | "getForTask" | "similar" | "recordUse" | "recordOutcome" | "heldBack"
> {
  /**
   * Reflects on a failure, but does not save the reflection. Uses the earlier reflections that the failure names. If it
   * names none, uses the last reflections of the subtask. Without a fallback, it may fail with `generation_failed`,
   * `parse_error` or `timeout`.
   */
  readonly generate: (failure: FailureContext) => Effect.Effect<Reflection, ReflectionError>
  /** A missing field of another system's record gets its default. */
  readonly save: (reflection: EncodedReflection) => Effect.Effect<void, ReflectionError>
  /** Leaves out reflections that give orders to their reader. Empty if there is nothing to say. */
  readonly formatForPrompt: (reflections: ReadonlyArray<Reflection>, options?: RetryPrompt.Options) => string
  /** Forgets reflections that are older than `maxAge` (30 days by default), and returns how many. */
  readonly prune: (maxAge?: Duration.DurationInput) => Effect.Effect<number, ReflectionError>
}

/**
 * The failures that a test service was asked about, oldest first.
 *
 * @category testing
 */
export class ReflectionRecord extends Context.Tag("@reflexion/core/ReflectionService/ReflectionRecord")<
  ReflectionRecord,
  { readonly asked: Effect.Effect<ReadonlyArray<FailureContext>> }
>() {}

const serviceOf = (store: Store, generate: Service["generate"]): Service => ({
  generate: Effect.fn("ReflectionService.generate")(generate),
  save: (reflection) => Effect.suspend(() => Effect.asVoid(store.append(clean(reflection)))),
  getRecent: store.getRecent,
  getForTask: store.getForTask,
  similar: store.similar,
  recordUse: store.recordUse,
  recordOutcome: store.recordOutcome,
  heldBack: store.heldBack,
  formatForPrompt: RetryPrompt.render,
  prune: (maxAge = Duration.days(30)) => store.prune({ maxAge })
})

const newId = nonce("refl")

const finished = Effect.fnUntraced(function* (failure: FailureContext, lesson: ReflectionHeuristic.Lesson) {
  const createdAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  return ReflectionHeuristic.reflectionOf(failure, lesson, { id: yield* newId, createdAt })
})

const byRules = (failure: FailureContext, previous: ReadonlyArray<Reflection>): Effect.Effect<Reflection> =>
  finished(failure, ReflectionHeuristic.reflect(failure, previous))

/** The reflections in the attempt's prompt. Empty if the memory cannot be read, so that a reflection can be made. */
const previousOf = (store: Store, { previousReflections, subtaskId }: FailureContext) => {
  const named = Effect.forEach(previousReflections, (id) => Effect.option(store.get(id)))
  const given = previousReflections.length === 0 ? store.getRecent(subtaskId) : Effect.map(named, Array.getSomes)
  return Effect.orElseSucceed(given, (): ReadonlyArray<Reflection> => []).pipe(
    Effect.map((all) => all.filter((one) => !RetryPrompt.isResolved(one)))
  )
}

const lessonOf = (
  failure: FailureContext,
  { actionItems, analysis, category, confidence, suggestion }: Prompt.Answer,
  model: string | null
): ReflectionHeuristic.Lesson => {
  const { errorOutput, subtaskDescription } = failure
  /** Removes links that the failure does not mention. */
  const safe = (text: string, limit: number): string =>
    clip(redact(withoutUnnamed(text.slice(0, 20_000), [errorOutput.slice(-100_000), subtaskDescription])).trim(), limit)
  const items = actionItems.map((one) => safe(one, limits.item)).filter((one) => one !== "")
  return {
    category,
    analysis: safe(analysis, limits.text),
    suggestion: safe(suggestion, limits.text),
    actionItems: items.slice(0, limits.items),
    confidence: Number.isNaN(confidence) ? 0 : Math.min(1, Math.max(0, confidence)),
    source: "model",
    model,
    // The rules give this failure a sign. A later failure with the same sign counts as the same failure.
    tags: ReflectionHeuristic.reflect(failure).tags
  }
}

const reasons: Readonly<Partial<Record<ModelCall.ModelFailure["reason"], ReflectionError["reason"]>>> = {
  timed_out: "timeout",
  malformed: "parse_error",
  truncated: "parse_error"
}

const failed = ({ message, reason }: ModelCall.ModelFailure): ReflectionError =>
  new ReflectionError({ reason: reasons[reason] ?? "generation_failed", detail: message })

const ask = Effect.fnUntraced(function* (
  failure: FailureContext,
  previous: ReadonlyArray<Reflection>,
  { model, timeout = "30 seconds" }: Options
) {
  const answer = yield* ModelCall.ask({
    purpose: "reflection",
    ...Prompt.render(failure, previous, yield* nonce("attempt")),
    schema: Prompt.Answer,
    objectName: "reflection",
    model: model ?? null,
    timeout
  }).pipe(Effect.mapError(failed))
  const { value } = answer
  if (value === null || value.analysis.trim() === "" || value.suggestion.trim() === "")
    return yield* new ReflectionError({
      reason: "parse_error",
      detail: `${answer.model ?? "the model"} answered without a lesson`
    })
  return yield* finished(failure, lessonOf(failure, value, answer.model))
})

const byModel = (store: Store, options: Options) =>
  Effect.map(Model, (model): Service["generate"] =>
    Effect.fnUntraced(function* (failure) {
      const previous = yield* previousOf(store, failure)
      const asked = Effect.provideService(ask(failure, previous, options), Model, model)
      if (options.fallback === "none") return yield* asked
      return yield* Effect.catchAll(asked, (error) =>
        Effect.zipRight(
          Effect.logWarning(`the rules wrote the lesson, because the model did not: ${error.message}`),
          byRules(failure, previous)
        )
      )
    })
  )

/** Gives the scripted reflections the attempt, task and subtask of the failure. The last reflection is repeated. */
const scripted = Effect.fnUntraced(function* (reflections: ReadonlyArray<Reflection | ReflectionError>) {
  const asked = yield* Ref.make<ReadonlyArray<FailureContext>>([])
  const generate: Service["generate"] = Effect.fnUntraced(function* (failure) {
    const before = yield* Ref.getAndUpdate(asked, (all) => [...all, failure])
    const next = reflections[Math.min(before.length, reflections.length - 1)]
    if (next === undefined) return yield* byRules(failure, [])
    if (next instanceof ReflectionError) return yield* next
    const { attemptNumber, subtaskId, taskId } = failure
    return { ...next, id: `${next.id}-${before.length + 1}`, attemptNumber, subtaskId, taskId }
  })
  return Context.make(ReflectionService, serviceOf(yield* ReflexionStore, generate)).pipe(
    Context.add(ReflectionRecord, { asked: Ref.get(asked) })
  )
})

/**
 * Turns a failure into a lesson.
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
  /** A model writes the reflection. If the model fails, the rules write it, and the log says why. */
  static readonly Live = (options: Options = {}): Layer.Layer<ReflectionService, never, ReflexionStore | Model> =>
    Layer.effect(
      ReflectionService,
      Effect.flatMap(ReflexionStore, (store) =>
        Effect.map(byModel(store, options), (generate) => serviceOf(store, generate))
      )
    )

  /** Only the rules write reflections, without a model and without network. */
  static readonly Heuristic: Layer.Layer<ReflectionService, never, ReflexionStore> = Layer.effect(
    ReflectionService,
    Effect.map(ReflexionStore, (store) =>
      serviceOf(store, (failure) =>
        Effect.flatMap(previousOf(store, failure), (previous) => byRules(failure, previous))
      )
    )
  )

  /** Returns the scripted results in order, and repeats the last. If there is none, the rules write the reflections. */
  static readonly Test = (
    ...reflections: ReadonlyArray<Reflection | ReflectionError>
  ): Layer.Layer<ReflectionService | ReflectionRecord, never, ReflexionStore> =>
    Layer.effectContext(scripted(reflections))

  /** `Test` with a store in memory. The layer provides the store too. */
  static readonly TestWithStorage = (
    ...reflections: ReadonlyArray<Reflection | ReflectionError>
  ): Layer.Layer<ReflectionService | ReflectionRecord | ReflexionStore | ReflexionRecord> =>
    Layer.provideMerge(ReflectionService.Test(...reflections), ReflexionStore.Test)
}
