/** How a reflection is made: by a model, or by the rules. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Model } from "../../model/calls/Model.ts"
import type { FailureContext } from "../lessons/FailureContext.ts"
import * as ModelCall from "../../model/calls/ModelCall.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as Reflection from "../lessons/Reflection.ts"
import { ReflectionError } from "../lessons/ReflectionError.ts"
import * as ReflectionHeuristic from "../lessons/ReflectionHeuristic.ts"
import type * as Store from "./ReflexionStore.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import { reflectionOf } from "../lessons/RuleReflection.ts"
import * as Prompt from "./reflectionPrompt.ts"
import * as RetryPrompt from "../lessons/RetryPrompt.ts"
import { clip } from "../../base/text/Text.ts"
import type { Options } from "./model.ts"

const word = Effect.map(Random.nextIntBetween(0, 2 ** 31), (part) => part.toString(36).padStart(6, "0"))

/** Of one machine's a million a day, two meet once in longer than anybody keeps them. */
const newId = Effect.map(Effect.all([word, word, word]), (words) => `refl_${words.join("")}`)

const finished = (failure: FailureContext, lesson: ReflectionHeuristic.Lesson) =>
  Effect.gen(function* () {
    const id = yield* newId
    return reflectionOf(failure, lesson, { id, createdAt: new Date(yield* Clock.currentTimeMillis).toISOString() })
  })

export const heuristic = (failure: FailureContext, previous: ReadonlyArray<Reflection.Reflection>) =>
  finished(failure, ReflectionHeuristic.reflect(failure, previous))

const maxResolved = 50

/**
 * Those that the attempt was given, and what the user has resolved of its task; a memory that cannot be read is no reason not
 * to reflect.
 */
const previousOf = (store: Store.Service, { previousReflections, subtaskId }: FailureContext) => {
  const named = Effect.forEach(previousReflections, (id) => Effect.option(store.get(id)))
  const given =
    previousReflections.length > 0
      ? Effect.map(named, (all) => all.flatMap((one) => (one._tag === "Some" ? [one.value] : [])))
      : store.getRecent(subtaskId)
  const resolved = Effect.map(store.getRecent(subtaskId, maxResolved), (all) => all.filter(RetryPrompt.isResolved))
  const found = Effect.zipWith(given, resolved, (some, others) => [
    ...some,
    ...others.filter(({ id }) => !some.some((one) => one.id === id))
  ])
  return Effect.orElseSucceed(found, (): ReadonlyArray<Reflection.Reflection> => [])
}

/** A place to go to is one that the failure names. */
const cleaner =
  ({ errorOutput, subtaskDescription }: FailureContext) =>
  (text: string, limit: number): string =>
    clip(redact(withoutUnnamed(text.slice(0, 20_000), [errorOutput.slice(-100_000), subtaskDescription])).trim(), limit)

const lessonOf = (
  failure: FailureContext,
  { actionItems, analysis, category, confidence, suggestion }: Prompt.Answer,
  model: string | null
): ReflectionHeuristic.Lesson => {
  const { item, items, text } = Reflection.limits
  const clean = cleaner(failure)
  return {
    category,
    analysis: clean(analysis, text),
    suggestion: clean(suggestion, text),
    actionItems: actionItems
      .map((one) => clean(one, item))
      .filter((one) => one !== "")
      .slice(0, items),
    confidence: Number.isNaN(confidence) ? 0 : Math.min(1, Math.max(0, confidence)),
    source: "model",
    model,
    // The rules' sign of the failure, by which the next one is known to be the same.
    tags: ReflectionHeuristic.reflect(failure).tags
  }
}

const reasons: Readonly<Record<ModelCall.ModelFailure["reason"], ReflectionError["reason"]>> = {
  timed_out: "timeout",
  malformed: "parse_error",
  truncated: "parse_error",
  rate_limited: "generation_failed",
  unavailable: "generation_failed",
  refused: "generation_failed",
  over_budget: "generation_failed"
}

const failed = (error: ModelCall.ModelFailure): ReflectionError =>
  new ReflectionError({ reason: reasons[error.reason], detail: error.message })

const nonce = Effect.map(Effect.all([word, word]), (words) => `attempt-${words.join("")}`)

const ask = Effect.fnUntraced(function* (
  failure: FailureContext,
  previous: ReadonlyArray<Reflection.Reflection>,
  { model, timeout = "30 seconds" }: Options
) {
  const open = previous.filter((one) => !RetryPrompt.isResolved(one))
  const prompt = Prompt.render(failure, open, yield* nonce)
  const question = {
    purpose: "reflection",
    ...prompt,
    schema: Prompt.Answer,
    objectName: "reflection",
    model: model ?? null,
    timeout
  } as const
  const answer = yield* Effect.mapError(ModelCall.ask(question), failed)
  const { value } = answer
  const isSaid = value !== null && value.analysis.trim() !== "" && value.suggestion.trim() !== ""
  if (!isSaid)
    return yield* new ReflectionError({
      reason: "parse_error",
      detail: `${answer.model ?? "the model"} answered with no reflection`
    })
  const lesson = lessonOf(failure, value, answer.model)
  return yield* finished(failure, ReflectionHeuristic.reopenedAfter(previous, lesson))
})

export const byRules =
  (store: Store.Service) =>
  (failure: FailureContext): Effect.Effect<Reflection.Reflection> =>
    Effect.withSpan(
      Effect.flatMap(previousOf(store, failure), (previous) => heuristic(failure, previous)),
      "ReflectionService.generate"
    )

export const byModel = Effect.fnUntraced(function* (store: Store.Service, options: Options) {
  const model = yield* Model
  return Effect.fn("ReflectionService.generate")(function* (failure: FailureContext) {
    const previous = yield* previousOf(store, failure)
    const asked = Effect.provideService(ask(failure, previous, options), Model, model)
    if (options.fallback === "none") return yield* asked
    return yield* Effect.catchAll(asked, (error) =>
      Effect.zipRight(
        Effect.logWarning(`the rules reflect on the failure, for the model did not: ${error.message}`),
        heuristic(failure, previous)
      )
    )
  })
})
