/** One analysis: a question to a model, within the day's budget. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Model } from "../../ask/models/Model.ts"
import * as ModelCall from "../../ask/models/ModelCall.ts"
import * as RecommendedAction from "./RecommendedAction.ts"
import { nonce } from "../../base/system/Nonce.ts"
import * as Prompt from "./prompt.ts"
import type { Analysis, Input, Options } from "./model.ts"

/** A day's analyses where nothing else is said: one an hour. */
const defaultPerDay = 24

const today = Effect.map(DateTime.now, DateTime.formatIsoDateUtc)

interface Made {
  readonly day: string
  readonly count: number
}

const spent = (perDay: number) =>
  new ModelCall.ModelFailure({
    reason: "over_budget",
    model: null,
    detail: `${perDay} analyses were made today (UTC), which is the most for a day`
  })

/** Counts an analysis, unless the day has had its number; says of which day. */
const counted = (
  made: Ref.Ref<Made>,
  { before: known, perDay }: { readonly before: number; readonly perDay: number }
) =>
  Effect.gen(function* () {
    const day = yield* today
    const isLeft = yield* Ref.modify(made, (before): readonly [boolean, Made] => {
      const count = Math.max(before.day === day ? before.count : 0, known)
      return count < perDay ? [true, { day, count: count + 1 }] : [false, { day, count }]
    })
    return isLeft ? day : yield* spent(perDay)
  })

/** An analysis that nobody was there for was none. */
const givenBack = (made: Ref.Ref<Made>, counted: string, { reason }: ModelCall.ModelFailure): Effect.Effect<void> =>
  reason === "unavailable"
    ? Ref.update(made, (now) => (now.day === counted ? { ...now, count: Math.max(0, now.count - 1) } : now))
    : Effect.void

const ask = Effect.fnUntraced(function* (input: Input, { model, prompt, timeout = "60 seconds" }: Options) {
  const question = {
    purpose: "analysis",
    ...Prompt.render(input, yield* nonce("runs"), prompt ?? null),
    schema: Prompt.Answer,
    objectName: "analysis",
    model: model ?? null,
    timeout
  } as const
  const answer = yield* ModelCall.ask(question)
  const said = RecommendedAction.parse(answer.text, { known: Prompt.namesIn(input) })
  const analysis: Analysis = { ...said, model: answer.model }
  return analysis
})

const nothing: Analysis = { observations: "", actions: [], model: null }

/** `withModel` gives the model that is asked, when it is. */
export const make = Effect.fnUntraced(function* (
  options: Options,
  withModel: <A, E>(asking: Effect.Effect<A, E, Model>) => Effect.Effect<A, E | ModelCall.ModelFailure>
) {
  const { perDay = defaultPerDay } = options
  const around = yield* Effect.context<never>()
  const made = yield* Ref.make<Made>({ day: "", count: 0 })
  return Effect.fn("ReflectionAnalysis.analyse")(function* (input: Input) {
    if (input.findings.length === 0) return nothing
    const day = yield* counted(made, { before: input.madeToday ?? 0, perDay })
    // A budget that only the layer was given counts as one that is given here.
    return yield* Effect.mapInputContext(withModel(ask(input, options)), (here: Context.Context<never>) =>
      Context.merge(around, here)
    ).pipe(Effect.tapError((failure) => givenBack(made, day, failure)))
  })
})
