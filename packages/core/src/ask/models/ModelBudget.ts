/** How many tokens models may cost, in one review and in a day. Without a budget there is no limit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import { TokenLedger } from "./TokenLedger.ts"

/**
 * `admit` fails with a line for the user where a question of about so many tokens would cost more than is left, and holds
 * so many as long as its scope is open, for others may be asked at the same time; `spend` counts what was paid.
 *
 * @category models
 */
export interface Budget {
  readonly admit: (tokens: number) => Effect.Effect<void, string, Scope.Scope>
  readonly spend: (tokens: number) => Effect.Effect<void>
}

/**
 * The budget in force, which `ModelCall.ask` keeps to.
 *
 * @category references
 */
export class ModelBudget extends Context.Reference<ModelBudget>()("@reflexion/core/ModelBudget", {
  defaultValue: (): Budget => ({ admit: () => Effect.void, spend: () => Effect.void })
}) {}

const count = (tokens: number): string => tokens.toLocaleString("en-US")

interface Limit {
  readonly limit: number
  readonly what: string
}

const refusal = (tokens: number, spent: number, { limit, what }: Limit): string =>
  `${count(spent)} tokens are spent and about ${count(tokens)} more are needed, where ${what} is ${count(limit)}`

/** What is asked and not paid for yet counts as well. */
const admission = Effect.fnUntraced(function* (total: Ref.Ref<number>, limit: Limit) {
  const held = yield* Ref.make(0)
  const oneByOne = yield* Effect.makeSemaphore(1)
  const hold = Effect.fnUntraced(function* (tokens: number) {
    const before = (yield* Ref.get(total)) + (yield* Ref.get(held))
    if (before + tokens > limit.limit) return yield* Effect.fail(refusal(tokens, before, limit))
    yield* Ref.update(held, (was) => was + tokens)
  })
  return (tokens: number): Effect.Effect<void, string, Scope.Scope> =>
    Effect.acquireRelease(oneByOne.withPermits(1)(hold(tokens)), () => Ref.update(held, (before) => before - tokens))
})

/**
 * What a text costs, roughly: a token has four characters.
 *
 * @category estimates
 */
export const estimate = (text: string): number => Math.ceil(text.length / 4)

/**
 * A limit for every day, over all processes that share the ledger. Where the day cannot be counted nothing is admitted.
 *
 * @category layers
 */
export const daily = (options: { readonly tokens: number }): Layer.Layer<ModelBudget, never, TokenLedger> =>
  Layer.effect(
    ModelBudget,
    Effect.gen(function* () {
      const ledger = yield* TokenLedger
      const limit = { limit: options.tokens, what: "models.tokensPerDay" }
      const budget: Budget = {
        admit: (tokens) =>
          ledger.reserve(tokens, options.tokens).pipe(
            Effect.mapError(({ message }) => message),
            Effect.flatMap(({ admitted, before }) =>
              admitted ? Effect.void : Effect.fail(refusal(tokens, before, limit))
            )
          ),
        spend: (tokens) =>
          Effect.catchAll(ledger.add(tokens), ({ message }) => Effect.logWarning(`tokens were not counted: ${message}`))
      }
      return budget
    })
  )

/**
 * A limit for all that is asked in an effect, such as one review, within the budget around it.
 *
 * @category combinators
 */
export const within =
  (options: { readonly tokens: number }) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const around = yield* ModelBudget
      const total = yield* Ref.make(0)
      const own = yield* admission(total, { limit: options.tokens, what: "models.tokensPerReview" })
      const budget: Budget = {
        admit: (tokens) => Effect.zipRight(own(tokens), around.admit(tokens)),
        spend: (tokens) =>
          Effect.zipRight(
            Ref.update(total, (before) => before + tokens),
            around.spend(tokens)
          )
      }
      return yield* Effect.provideService(effect, ModelBudget, budget)
    })
