/** How many tokens models may cost, in one review and in a day. Without a budget there is no limit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import { AskLog } from "./AskLog.ts"

/**
 * `admit` fails with a line for the user where a question of about so many tokens would cost more than is left; `spend`
 * counts what was paid. Within a review what is asked and not paid for yet counts as long as the scope of `admit` is open.
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

/** Null where there is room for so many. */
const refusal = (
  tokens: number,
  spent: number,
  { limit, what }: { readonly limit: number; readonly what: string }
): string | null =>
  spent + tokens <= limit
    ? null
    : `${count(spent)} tokens are spent and about ${count(tokens)} more are needed, where ${what} is ${count(limit)}`

const refuse = (why: string | null): Effect.Effect<void, string> => (why === null ? Effect.void : Effect.fail(why))

/**
 * What a text costs, roughly: a token has four characters.
 *
 * @category estimates
 */
export const estimate = (text: string): number => Math.ceil(text.length / 4)

/**
 * A limit for every day of UTC, over all processes that share the log of questions. Those that ask at the same moment do
 * not see each other. Where the day cannot be counted nothing is admitted.
 *
 * @category layers
 */
export const daily = (options: { readonly tokens: number }): Layer.Layer<ModelBudget> =>
  Layer.effect(
    ModelBudget,
    Effect.map(AskLog, (log): Budget => {
      const limit = { limit: options.tokens, what: "models.tokensPerDay" }
      return {
        admit: (tokens) =>
          Effect.matchEffect(log.spent, {
            onFailure: ({ message }) => Effect.fail(message),
            onSuccess: (spent) => refuse(refusal(tokens, spent, limit))
          }),
        spend: (tokens) =>
          Effect.catchAll(log.spend(tokens), ({ message }) => Effect.logWarning(`tokens were not counted: ${message}`))
      }
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
      const limit = { limit: options.tokens, what: "models.tokensPerReview" }
      const add = (tokens: number) => Ref.update(total, (before) => before + tokens)
      const hold = (tokens: number) =>
        Effect.flatten(
          Ref.modify(total, (before) => {
            const why = refusal(tokens, before, limit)
            return [refuse(why), why === null ? before + tokens : before]
          })
        )
      const budget: Budget = {
        admit: (tokens) =>
          Effect.zipRight(
            Effect.acquireRelease(hold(tokens), () => add(-tokens)),
            around.admit(tokens)
          ),
        spend: (tokens) => Effect.zipRight(add(tokens), around.spend(tokens))
      }
      return yield* Effect.provideService(effect, ModelBudget, budget)
    })
