/** Limits how many tokens models may use in one review and in one day. Without a budget there is no limit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { AskLog } from "./AskLog.ts"

/**
 * A budget. `admit` does not count the cost of questions that have no answer yet.
 *
 * @category models
 */
export interface Budget {
  /** Fails with a line for the user if this many tokens would exceed the budget. */
  readonly admit: (tokens: number) => Effect.Effect<void, string>
  readonly spend: (tokens: number) => Effect.Effect<void>
}

/**
 * The current budget. `ModelCall.ask` respects this budget.
 *
 * @category references
 */
export class ModelBudget extends Context.Reference<ModelBudget>()("@reflexion/core/ModelBudget", {
  defaultValue: (): Budget => ({ admit: () => Effect.void, spend: () => Effect.void })
}) {}

const count = (tokens: number): string => tokens.toLocaleString("en-US")

const room = (what: string, limit: number, { spent, tokens }: { readonly spent: number; readonly tokens: number }) =>
  spent + tokens <= limit
    ? Effect.void
    : Effect.fail(
        `${count(spent)} tokens are spent and about ${count(tokens)} more are needed, but ${what} is ${count(limit)}`
      )

/**
 * Estimates the tokens of a text: about one for four characters.
 *
 * @category estimates
 */
export const estimate = (text: string): number => Math.ceil(text.length / 4)

/**
 * A limit per UTC day, for all processes that share the log. If the log cannot be read, no question is allowed.
 *
 * @category layers
 */
export const daily = (options: { readonly tokens: number }): Layer.Layer<ModelBudget> =>
  Layer.effect(
    ModelBudget,
    Effect.map(AskLog, (log): Budget => ({
      admit: (tokens) =>
        Effect.flatMap(
          Effect.mapError(log.spent, ({ message }) => message),
          (spent) => room("models.tokensPerDay", options.tokens, { spent, tokens })
        ),
      spend: (tokens) =>
        Effect.catchAll(log.spend(tokens), ({ message }) => Effect.logWarning(`tokens were not counted: ${message}`))
    }))
  )

/**
 * A limit for all questions in an effect, such as one review. The outer budget also applies.
 *
 * @category combinators
 */
export const within =
  (options: { readonly tokens: number }) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const around = yield* ModelBudget
      const total = yield* Ref.make(0)
      const budget: Budget = {
        admit: (tokens) =>
          Effect.flatMap(Ref.get(total), (spent) =>
            Effect.zipRight(room("models.tokensPerReview", options.tokens, { spent, tokens }), around.admit(tokens))
          ),
        spend: (tokens) =>
          Effect.zipRight(
            Ref.update(total, (before) => before + tokens),
            around.spend(tokens)
          )
      }
      return yield* Effect.provideService(effect, ModelBudget, budget)
    })
