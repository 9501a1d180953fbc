/**
 * Asking a model one question: within a time limit, again at most once, and never with more than a failure's name where
 * it does not answer. Whoever reads the answer decides what it is worth.
 */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { FurtherCalls } from "./AnsweringModel.ts"
import * as Deadline from "./Deadline.ts"
import { LanguageModelTag } from "./LanguageModelTag.ts"
import { type Failed, failed, Reason } from "./ModelFailures.ts"
import { answered, type Reading } from "./reading.ts"
import { type Budget, estimate, ModelBudget } from "./ModelBudget.ts"

/**
 * The tokens that were paid for, as the provider counts them; 0 where it does not.
 *
 * @category models
 */
export const Usage = Schema.Struct({ inputTokens: Schema.Number, outputTokens: Schema.Number })

export type Usage = typeof Usage.Type

const nothing: Usage = { inputTokens: 0, outputTokens: 0 }

/**
 * Why there is no answer. `detail` is one redacted line; `calls` and `usage` are what it cost all the same.
 *
 * @category errors
 */
export class ModelFailure extends Schema.TaggedError<ModelFailure>("@reflexion/core/ModelFailure")("ModelFailure", {
  reason: Reason,
  model: Schema.NullOr(Schema.String),
  detail: Schema.String,
  calls: Schema.optionalWith(Schema.Number, { default: () => 0 }),
  usage: Schema.optionalWith(Usage, { default: () => nothing })
}) {
  override get message() {
    return `${this.model === null ? "the model" : `the model ${this.model}`} did not answer (${this.reason.replaceAll("_", " ")}): ${this.detail}`
  }
}

/**
 * What a question is for.
 *
 * @category models
 */
export type Purpose =
  | "self_assessment"
  | "judge"
  | "stuck"
  | "compaction"
  | "review"
  | "audit"
  | "score"
  | "reflection"
  | "analysis"

/**
 * `timeout` is for all that is done to get the answer, 60 seconds unless said otherwise, and less where a `Deadline` around it
 * is nearer. `model` is the name under which
 * the model was chosen, for a provider that does not say which one answered.
 *
 * @category models
 */
export interface Question<A, I extends Record<string, unknown>> {
  readonly purpose: Purpose
  readonly system: string
  readonly prompt: string
  readonly schema: Schema.Schema<A, I>
  readonly objectName: string
  readonly model?: string | null
  readonly timeout?: Duration.DurationInput
  readonly maxOutputTokens?: number
}

/**
 * `text` is what the model said, word for word. `value` is that, or the last object in it, where it fits the schema.
 * `calls` counts how often it was asked.
 *
 * @category models
 */
export interface Answer<A> {
  readonly text: string
  readonly value: A | null
  readonly model: string | null
  readonly usage: Usage
  readonly calls: number
}

/**
 * How many tokens an answer may have at most; null leaves it to the provider. `ask` sets it, a model's layer obeys it.
 *
 * @category references
 */
export class MaxOutputTokens extends Context.Reference<MaxOutputTokens>()("@reflexion/core/ModelCall/MaxOutputTokens", {
  defaultValue: (): number | null => null
}) {}

const defaultTimeout = Duration.seconds(60)

/** So that those who were turned away together do not come back together. */
const pause = (least: number) => Effect.map(Random.nextRange(250, 750), (jitter) => Math.ceil(least + jitter))

/** Asks once more, if that may help and there is still time for it. */
const onceMore = <A>(ask: Effect.Effect<A, Failed>, deadline: number): Effect.Effect<A, Failed> =>
  Effect.catchAll(
    ask,
    Effect.fnUntraced(function* (before) {
      if (before.again === null) return yield* Effect.fail(before)
      const wait = yield* pause(before.again)
      if ((yield* Clock.currentTimeMillis) + wait >= deadline) return yield* Effect.fail(before)
      yield* Effect.sleep(wait)
      return yield* ask
    })
  )

/**
 * What is left of the time for several questions may be less than one may take. The few ms in which it was found out whom to
 * ask are not worth a word.
 */
const lateBy = (allowed: Duration.Duration, whole: Duration.Duration): Failed => {
  const isWhole = Duration.greaterThan(allowed, Duration.times(whole, 0.9))
  const tenths = Duration.millis(Math.round(Duration.toMillis(allowed) / 100) * 100)
  return failed(
    "timed_out",
    isWhole
      ? `no answer within ${Duration.format(whole)}`
      : `no answer within ${Duration.format(tenths)}, which was left of the time for all questions`
  )
}

/** What an answer cost, or about what was asked where the provider does not count. */
const costOf = ({ inputTokens, outputTokens }: Usage, asked: number): number =>
  inputTokens + outputTokens > 0 ? inputTokens + outputTokens : asked

/** Nobody knows what an answer that came too late has cost. */
const late =
  (budget: Budget, asked: number) =>
  ({ reason }: Failed): Effect.Effect<void> =>
    reason === "timed_out" ? budget.spend(asked) : Effect.void

/**
 * Asks the model. What it says need not fit the schema to be an answer; no answer is one that was cut off, refused, empty
 * or beyond all bounds.
 *
 * @category constructors
 */
export const ask: <A, I extends Record<string, unknown>>(
  question: Question<A, I>
) => Effect.Effect<Answer<A>, ModelFailure, LanguageModel.LanguageModel> = Effect.fn("ModelCall.ask")(function* <
  A,
  I extends Record<string, unknown>
>(question: Question<A, I>) {
  yield* Effect.annotateCurrentSpan("purpose", question.purpose)
  const model = yield* LanguageModelTag
  const whole = Duration.decode(question.timeout ?? defaultTimeout)
  const timeout = yield* Deadline.left(whole)
  const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(timeout)
  const budget = yield* ModelBudget
  const asked = estimate(question.system) + estimate(question.prompt)
  const calls = yield* Ref.make(0)
  const spent = yield* Ref.make<Pick<Reading<A>, "model" | "usage">>({ model: null, usage: nothing })
  const once = Effect.zipRight(
    Ref.update(calls, (count) => count + 1),
    answered(model, question, (known) =>
      Effect.zipRight(Ref.set(spent, known), budget.spend(costOf(known.usage, asked)))
    )
  )
  const further = ({ late: isLate }: { readonly late: boolean }) =>
    Effect.zipRight(
      Ref.update(calls, (count) => count + 1),
      isLate ? budget.spend(asked) : Effect.void
    )
  // Nobody is asked for whom there is no time left to wait.
  if (Duration.equals(timeout, Duration.zero))
    return yield* Effect.fail(failureOf(question, lateBy(timeout, whole), 0, { model: null, usage: nothing }))
  const admitted = Effect.mapError(budget.admit(asked), (detail) => failed("over_budget", detail))
  return yield* Effect.zipRight(admitted, onceMore(once, deadline)).pipe(
    Effect.provideService(Deadline.Deadline, deadline),
    Effect.provideService(MaxOutputTokens, question.maxOutputTokens ?? null),
    Effect.provideService(FurtherCalls, { add: further }),
    Effect.disconnect,
    Effect.timeoutFail({ duration: timeout, onTimeout: () => lateBy(timeout, whole) }),
    Effect.tapError(late(budget, asked)),
    Effect.flatMap((reading) => Effect.map(Ref.get(calls), (count) => answerOf(question, reading, count))),
    Effect.catchAll((cause) =>
      Effect.flatMap(Effect.all([Ref.get(calls), Ref.get(spent)]), ([count, known]) =>
        Effect.fail(failureOf(question, cause, count, known))
      )
    ),
    Effect.scoped
  )
})

const answerOf = <A, I extends Record<string, unknown>>(
  question: Question<A, I>,
  { model, text, usage, value }: Reading<A>,
  calls: number
): Answer<A> => ({ text, value, model: model ?? question.model ?? null, usage, calls })

const failureOf = <A, I extends Record<string, unknown>>(
  question: Question<A, I>,
  { detail, reason }: Failed,
  calls: number,
  known: Pick<Reading<A>, "model" | "usage">
): ModelFailure =>
  new ModelFailure({ reason, model: known.model ?? question.model ?? null, detail, calls, usage: known.usage })
