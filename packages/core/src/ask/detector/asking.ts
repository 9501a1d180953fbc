/** Asking the model, at most once a minute about one message. */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Cache from "effect/Cache"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as JsonAnswer from "../../ground/json/JsonAnswer.ts"
import { type Budget, estimate, ModelBudget } from "../models/ModelBudget.ts"
import { LanguageModelTag } from "../models/LanguageModelTag.ts"
import type { Look } from "../../judge/stuck/StuckLook.ts"
import { Answer } from "./model.ts"
import * as Prompt from "./prompt.ts"

const checksum = (text: string): number => Hash.string(text)

/** A question is the same as another if it is about the same words of the same session. */
class Asked implements Equal.Equal {
  readonly id: string
  readonly look: Look
  readonly budget: Budget
  constructor(look: Look, budget: Budget) {
    const { options, known } = look.nudging
    const { messageId, outputTokens } = known.pulse
    const text = known.judgment.stop.text
    this.id = JSON.stringify([
      options.session.host,
      options.session.sessionId,
      messageId,
      outputTokens,
      text.length,
      checksum(text)
    ])
    this.look = look
    this.budget = budget
  }
  [Equal.symbol](that: Equal.Equal): boolean {
    return that instanceof Asked && that.id === this.id
  }
  [Hash.symbol](): number {
    return Hash.string(this.id)
  }
}

const nonce = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 0x1_0000_0000), 3),
  (parts) => `record-${parts.map((part) => part.toString(36)).join("")}`
)

/** The answer in a model's own words around it: a fence, or a sentence before. */
const salvaged = (error: unknown) => {
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : undefined
  const said = ParseResult.isParseError(cause) && "actual" in cause.issue ? cause.issue.actual : undefined
  const object = typeof said === "string" ? JsonAnswer.lastObject(said) : null
  return object === null ? Effect.fail(error) : Schema.decode(Schema.parseJson(Answer))(object)
}

/** The kind of a failure, and no more of it: an error of a provider may carry the key that it was asked with. */
const kindOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (Predicate.hasProperty(error, "_tag")) return String(error._tag)
  return error instanceof Error ? error.name : "defect"
}

const overBudget = () => ({ _tag: "over_budget" as const })

const timeout = "10 seconds"

/** However the model fails, nobody knows more than before. */
const ask = Effect.fnUntraced(function* ({ budget, look }: Asked, model: LanguageModel.Service) {
  const prompt = Prompt.render(look, yield* nonce)
  const asked = estimate(prompt)
  const answer = model.generateObject({ prompt, schema: Answer, objectName: "stuck_answer" }).pipe(
    Effect.tap(({ usage }) => budget.spend(usage.totalTokens || asked)),
    Effect.tapError(() => budget.spend(asked)),
    Effect.map(({ value }): Answer => value)
  )
  return yield* Effect.zipRight(Effect.mapError(budget.admit(asked), overBudget), answer).pipe(
    Effect.catchAll(salvaged),
    Effect.scoped,
    Effect.disconnect,
    Effect.timeout(timeout),
    Effect.catchAllCause((cause) =>
      Effect.as(Effect.logWarning(`the model could not say what a quiet session is doing (${kindOf(cause)})`), null)
    )
  )
})

const capacity = 64
const timeToLive = "60 seconds"

export const make = Effect.gen(function* () {
  const model = yield* LanguageModelTag
  const cache = yield* Cache.make({ capacity, timeToLive, lookup: (asked: Asked) => ask(asked, model) })
  return (look: Look): Effect.Effect<Answer | null> =>
    Effect.flatMap(ModelBudget, (budget) => cache.get(new Asked(look, budget)))
})
