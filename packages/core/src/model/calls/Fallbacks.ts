/** Combines models into one: each is asked only if the earlier ones did not answer. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Deadline from "./Deadline.ts"
import { type Answer, type Question, readable, type Service } from "./Model.ts"
import { failure, isPaid, type ModelFailure } from "./ModelFailures.ts"

/** Counts the calls to fallbacks. `late`: the earlier call may have cost tokens that are not counted yet. */
export class FurtherCalls extends Context.Reference<FurtherCalls>()("@reflexion/core/FurtherCalls", {
  defaultValue: (): { readonly add: (late: boolean) => Effect.Effect<void> } => ({ add: () => Effect.void })
}) {}

/** The configured name of the model that answered. The provider may report another name. */
export class AnsweredBy extends Context.Reference<AnsweredBy>()("@reflexion/core/AnsweredBy", {
  defaultValue: (): { readonly note: (name: string) => Effect.Effect<void> } => ({ note: () => Effect.void })
}) {}

export interface Link {
  readonly name: string
  readonly model: Service
}

const limited = (asking: Effect.Effect<Answer, ModelFailure>, share: Duration.Duration) =>
  Effect.timeoutFail(Effect.disconnect(asking), {
    duration: share,
    onTimeout: () => failure("timed_out", `no answer within ${Duration.format(share)}`)
  })

const passedOn = Effect.fnUntraced(function* (from: Link, to: Link, { detail, reason }: ModelFailure) {
  const counting = yield* FurtherCalls
  yield* counting.add(isPaid(reason))
  yield* Effect.logWarning(`${from.name} did not answer (${detail}); ${to.name} is asked`)
})

/** `timeout` is for all models together. Each gets an equal share of the time left. */
export const make = (
  [first, ...rest]: readonly [Link, ...ReadonlyArray<Link>],
  timeout: Duration.Duration
): Service => {
  const from = (link: Link, others: ReadonlyArray<Link>, question: Question): Effect.Effect<Answer, ModelFailure> => {
    const [next, ...later] = others
    const asking = Effect.flatMap(link.model.ask(question), readable)
    const noted = Effect.tap(asking, () => Effect.flatMap(AnsweredBy, ({ note }) => note(link.name)))
    if (next === undefined) return noted
    return Deadline.left(timeout).pipe(
      Effect.flatMap((left) =>
        limited(noted, Duration.millis(Math.ceil(Duration.toMillis(left) / (others.length + 1))))
      ),
      Effect.catchAll((failed) => Effect.zipRight(passedOn(link, next, failed), from(next, later, question)))
    )
  }
  return { ask: (question) => Deadline.within(timeout)(from(first, rest, question)) }
}
