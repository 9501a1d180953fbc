/** The judge of a plugin's stops: evidence, and what is consulted about those that it leaves open. */
import * as BeyondEvidence from "@reflexion/core/internal/ask/tiers/BeyondEvidence"
import { type Consult, JudgeService, type Seen } from "@reflexion/core/JudgeService"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AskingModel } from "./AskingModel.ts"
import { both } from "./reviewing.ts"

/** One judge reviews the stops, the other tells how things stand and asks nobody. */
export const layer = <R>(consult: Effect.Effect<Consult, never, R>) =>
  Layer.scoped(
    JudgeService,
    Effect.gen(function* () {
      const evidence = Context.get(yield* Layer.build(JudgeService.Evidence), JudgeService)
      const { review } = Context.get(yield* Layer.build(JudgeService.layer(consult)), JudgeService)
      return both(evidence, { judge: evidence.judge, review })
    })
  )

const withoutModel = (seen: Seen): Seen => {
  const { context } = seen.options
  return { ...seen, options: { ...seen.options, context: { ...context, config: { ...context.config, model: "off" } } } }
}

/** Where no model is to be asked in the session now, that is no failure of anybody's. */
const allowed = Effect.fnUntraced(function* (seen: Seen) {
  const { judged, options, state, transcript } = seen
  const { sessionId } = transcript
  if (sessionId === null || !BeyondEvidence.dueAt(state, judged.verdict, options).model) return seen
  const { hindrance } = yield* AskingModel
  return (yield* hindrance(sessionId)) === null ? seen : withoutModel(seen)
})

/** What is consulted, with a model or without. */
export const gated = (consult: Consult): Effect.Effect<Consult> =>
  Effect.map(
    AskingModel,
    (asking) => (seen) => Effect.flatMap(Effect.provideService(allowed(seen), AskingModel, asking), consult)
  )

/** Consulted where something is due, and loaded when something is due for the first time. */
export const lazily = <R>(load: Effect.Effect<Consult, never, R>): Effect.Effect<Consult, never, R> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const loaded = yield* Effect.cached(Effect.provide(load, context))
    return yield* gated((seen) => {
      const { judged, options, state } = seen
      return BeyondEvidence.isDue(state, judged.verdict, options)
        ? Effect.flatMap(loaded, (consult) => consult(seen))
        : Effect.succeed(judged)
    })
  })
