/** Asks a model one question, within a time limit and with at most one retry. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as JsonAnswer from "../../base/json/JsonAnswer.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as Deadline from "./Deadline.ts"
import { FurtherCalls } from "./Fallbacks.ts"
import { Model, readable, type Answer as Said, type Question as Plain } from "./Model.ts"
import { estimate, ModelBudget } from "./ModelBudget.ts"
import { detailOf, failure, isPaid, ModelFailure, type Usage } from "./ModelFailures.ts"

export type { Purpose } from "./Model.ts"
export { ModelFailure, Usage } from "./ModelFailures.ts"

/**
 * A question with a typed answer.
 *
 * @category models
 */
export interface Question<A, I extends Record<string, unknown>> extends Omit<Plain, "schema" | "maxOutputTokens"> {
  readonly schema: Schema.Schema<A, I>
  /** The name to report if the provider does not say which model answered. */
  readonly model?: string | null
  /** The limit includes the retry. The default is 60 seconds, or less if a `Deadline` is nearer. */
  readonly timeout?: Duration.DurationInput
  readonly maxOutputTokens?: number
}

/**
 * An answer. `text` has the exact words of the model.
 *
 * @category models
 */
export interface Answer<A> extends Said {
  /** Read from the whole text, or else from its last object. Null if neither fits the schema. */
  readonly value: A | null
  readonly calls: number
}

const defaultTimeout = Duration.seconds(60)

/** Adds a random time. Otherwise programs that were rejected together would retry together. */
const pause = (least: number) => Effect.map(Random.nextRange(250, 750), (jitter) => Math.ceil(least + jitter))

const onceMore = <A>(ask: Effect.Effect<A, ModelFailure>, deadline: number): Effect.Effect<A, ModelFailure> =>
  Effect.catchAll(
    ask,
    Effect.fnUntraced(function* (before) {
      if (before.again === null) return yield* before
      const wait = yield* pause(before.again)
      if ((yield* Clock.currentTimeMillis) + wait >= deadline) return yield* before
      yield* Effect.sleep(wait)
      return yield* ask
    })
  )

/** Rounds the time, because a few milliseconds were spent on finding the model. */
const lateBy = (allowed: Duration.Duration): ModelFailure => {
  const tenths = Math.round(Duration.toMillis(allowed) / 100) * 100
  return failure("timed_out", `no answer within ${Duration.format(tenths)}`)
}

/** A model often puts a code fence or a sentence around the object. */
const valueIn = <A, I extends Record<string, unknown>>(schema: Schema.Schema<A, I>, text: string): A | null => {
  const decode = Schema.decodeOption(Schema.parseJson(schema))
  const last = () => Option.flatMap(Option.fromNullable(JsonAnswer.lastObject(text)), (object) => decode(object))
  return Option.getOrNull(Option.orElse(decode(text), last))
}

/** Users see a model's name, so it must not be a sentence, an address or a key. */
const name = /^[\w@][\w@:./+-]{0,99}(?:\[\w{1,9}\])?$/

const nameOf = (id: string | null): string | null => (id !== null && name.test(id) && redact(id) === id ? id : null)

/** The defect's message is left out, because it may contain what was sent. */
const kindOf = (defect: unknown): string =>
  Predicate.hasProperty(defect, "_tag") ? String(defect._tag) : defect instanceof Error ? defect.name : "a defect"

/** Puts no reference at the top level, because some providers reject it. */
const jsonOf = ({ ast }: Schema.Schema.Any): object => {
  const $defs = {}
  const root = JSONSchema.fromAST(ast, { definitions: $defs, topLevelReferenceStrategy: "skip" })
  return Object.keys($defs).length === 0 ? root : { ...root, $defs }
}

/**
 * Asks the model. An answer that does not fit the schema is returned too. The call fails if the answer was cut off,
 * refused, empty or far too long. A schema that JSON schema cannot express is a defect.
 *
 * @category constructors
 */
export const ask: <A, I extends Record<string, unknown>>(
  question: Question<A, I>
) => Effect.Effect<Answer<A>, ModelFailure, Model> = Effect.fn("ModelCall.ask")(function* <
  A,
  I extends Record<string, unknown>
>(question: Question<A, I>) {
  const { maxOutputTokens = null, model: chosen = null, objectName, prompt, purpose, schema, system } = question
  yield* Effect.annotateCurrentSpan("purpose", purpose)
  const model = yield* Model
  const budget = yield* ModelBudget
  const timeout = yield* Deadline.left(question.timeout ?? defaultTimeout)
  const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(timeout)
  const asked = estimate(system) + estimate(prompt)
  const calls = yield* Ref.make(0)
  const counted = Ref.update(calls, (count) => count + 1)
  /** Estimates the cost from the question if the provider does not report it. */
  const pay = ({ inputTokens, outputTokens }: Usage) => budget.spend(inputTokens + outputTokens || asked)
  const put: Plain = { purpose, system, prompt, schema: jsonOf(schema), objectName, maxOutputTokens }
  const once = Effect.zipRight(
    counted,
    Effect.flatMap(
      Effect.suspend(() => model.ask(put)),
      readable
    )
  ).pipe(
    Effect.catchAllDefect((defect) => failure("unavailable", `it broke with ${kindOf(defect)}`)),
    Effect.tapBoth({
      onFailure: ({ reason, usage }) => (isPaid(reason) ? pay(usage) : Effect.void),
      onSuccess: ({ usage }) => pay(usage)
    })
  )
  const further = { add: (late: boolean) => Effect.zipRight(counted, late ? budget.spend(asked) : Effect.void) }
  const answering = Effect.gen(function* () {
    if (Duration.equals(timeout, Duration.zero)) return yield* lateBy(timeout)
    yield* Effect.mapError(budget.admit(asked), (detail) => failure("over_budget", detail))
    return yield* onceMore(once, deadline).pipe(
      Effect.provideService(Deadline.Deadline, deadline),
      Effect.provideService(FurtherCalls, further),
      Effect.disconnect,
      Effect.timeoutFail({ duration: timeout, onTimeout: () => null }),
      Effect.catchAll((failed) => failed ?? Effect.zipRight(budget.spend(asked), lateBy(timeout)))
    )
  })
  const said = yield* Effect.either(answering)
  const count = yield* Ref.get(calls)
  if (said._tag === "Left") {
    const { detail, model: by, reason, usage } = said.left
    return yield* new ModelFailure({
      reason,
      model: nameOf(by) ?? chosen,
      detail: detailOf(detail),
      calls: count,
      usage
    })
  }
  const { model: by, text, usage } = said.right
  return { text, value: valueIn(schema, text), model: nameOf(by) ?? chosen, usage, calls: count }
})
