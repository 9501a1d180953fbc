/**
 * How many tokens models may cost, in one review and in a day. Without a budget there is no limit.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { TokenLedger } from "./TokenLedger.ts"

/**
 * `admit` fails with a line for the user where a question of about so many tokens would cost more than is left; `spend`
 * counts what was paid.
 *
 * @since 0.1.0
 * @category models
 */
export interface Budget {
  readonly admit: (tokens: number) => Effect.Effect<void, string>
  readonly spend: (tokens: number) => Effect.Effect<void>
}

/**
 * The budget in force, which `ModelCall.ask` keeps to.
 *
 * @since 0.1.0
 * @category references
 */
export class ModelBudget extends Context.Reference<ModelBudget>()("@reflexion/core/ModelBudget", {
  defaultValue: (): Budget => ({ admit: () => Effect.void, spend: () => Effect.void })
}) {}

const count = (tokens: number): string => tokens.toLocaleString("en-US")

const admitted = (
  tokens: number,
  options: { readonly spent: number; readonly limit: number; readonly what: string }
): Effect.Effect<void, string> =>
  options.spent + tokens <= options.limit
    ? Effect.void
    : Effect.fail(
        `${count(options.spent)} tokens are spent and about ${count(tokens)} more are needed, where ${options.what} is ${count(options.limit)}`
      )

/**
 * What a text costs, roughly: a token has four characters.
 *
 * @since 0.1.0
 * @category estimates
 */
export const estimate = (text: string): number => Math.ceil(text.length / 4)

/**
 * A limit for every day, over all processes that share the ledger. Where the day cannot be counted nothing is admitted.
 *
 * @since 0.1.0
 * @category layers
 */
export const daily = (options: { readonly tokens: number }): Layer.Layer<ModelBudget, never, TokenLedger> =>
  Layer.effect(
    ModelBudget,
    Effect.map(TokenLedger, (ledger): Budget => ({
      admit: (tokens) =>
        Effect.flatMap(
          Effect.mapError(ledger.spent, ({ message }) => message),
          (spent) => admitted(tokens, { spent, limit: options.tokens, what: "models.tokensPerDay" })
        ),
      spend: (tokens) =>
        Effect.catchAll(ledger.add(tokens), ({ message }) => Effect.logWarning(`tokens were not counted: ${message}`))
    }))
  )

/**
 * A limit for all that is asked in an effect, such as one review, within the budget around it.
 *
 * @since 0.1.0
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
          Effect.zipRight(
            Effect.flatMap(Ref.get(total), (spent) =>
              admitted(tokens, { spent, limit: options.tokens, what: "models.tokensPerReview" })
            ),
            around.admit(tokens)
          ),
        spend: (tokens) =>
          Effect.zipRight(
            Ref.update(total, (before) => before + tokens),
            around.spend(tokens)
          )
      }
      return yield* Effect.provideService(effect, ModelBudget, budget)
    })
