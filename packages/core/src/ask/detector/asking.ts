/** Asking the model about a quiet session: once for as long as its evidence stands. */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Random from "effect/Random"
import { Model, type Service as ModelService } from "../models/Model.ts"
import { type Budget, ModelBudget } from "../models/ModelBudget.ts"
import * as ModelCall from "../models/ModelCall.ts"
import * as Judgment from "../../judge/verdict/Judgment.ts"
import type { Look } from "../../judge/stuck/StuckLook.ts"
import { Answer, loosely } from "./answer.ts"
import * as Prompt from "./prompt.ts"

/** A question is the same as another if nothing has moved since: the same words, the same calls, and the same evidence. */
class Asked implements Equal.Equal {
  readonly id: string
  readonly look: Look
  readonly budget: Budget
  constructor(look: Look, budget: Budget) {
    const { options, known } = look
    const { failed, open, outputTokens } = known.pulse
    const { host, sessionId } = options.session
    const { stop, task } = known.judgment
    const mark = Judgment.mark(known.judgment, options.context)
    this.id = JSON.stringify([host, sessionId, task.turn, stop.text, outputTokens, mark, failed, open])
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

/** However the model fails, nobody knows more than before. */
const ask = Effect.fnUntraced(function* ({ budget, look }: Asked, model: ModelService) {
  const { prompt, system } = Prompt.render(look, yield* nonce)
  return yield* ModelCall.ask({
    purpose: "stuck",
    system,
    prompt,
    timeout: "10 seconds",
    maxOutputTokens: 1000,
    schema: Answer,
    objectName: "stuck_answer"
  }).pipe(
    Effect.map(({ text, value }) => value ?? loosely(text)),
    Effect.provideService(ModelBudget, budget),
    Effect.provideService(Model, model),
    Effect.catchAll(({ message }) =>
      Effect.as(Effect.logWarning(`a quiet session could not be assessed by a model: ${message}`), null)
    )
  )
})

export const make = Effect.gen(function* () {
  const model = yield* Model
  const cache = yield* Cache.make({ capacity: 64, timeToLive: "1 day", lookup: (asked: Asked) => ask(asked, model) })
  return (look: Look): Effect.Effect<Answer | null> =>
    Effect.flatMap(ModelBudget, (budget) => cache.get(new Asked(look, budget)))
})
