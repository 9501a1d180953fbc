/** Several models as one: each is asked only where the ones before it did not answer. */
import * as AiError from "@effect/ai/AiError"
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { AnsweredBy, FurtherCalls } from "./AnsweringModel.ts"
import * as Deadline from "./Deadline.ts"
import { ofAiError } from "./ModelFailures.ts"
import { unusable } from "./reading.ts"
import * as OneShotModel from "./oneShotModel.ts"
import * as ProviderModel from "./providers/providerModel.ts"

export interface Link {
  readonly name: string
  readonly model: LanguageModel.Service
}

type Links = readonly [Link, ...Array<Link>]

const module = "Models"

const attempt = ({ model }: Link, options: LanguageModel.ProviderOptions) =>
  Effect.map(ProviderModel.ask(model, options), ProviderModel.partsOf)

interface Failure {
  readonly error: AiError.AiError
  readonly late: boolean
}

const failure = (method: string, description: string): Failure => ({
  error: new AiError.UnknownError({ module, method, description }),
  late: true
})

/** One that declines, or is cut off, did not answer either. */
const answered = ({ model }: Link, method: string, options: LanguageModel.ProviderOptions) =>
  ProviderModel.ask(model, options).pipe(
    Effect.mapError((error): Failure => ({ error, late: false })),
    Effect.flatMap((raw) => {
      const problem = unusable(raw)
      return problem === null
        ? Effect.succeed(ProviderModel.partsOf(raw))
        : Effect.fail(failure(method, problem.detail))
    })
  )

/** One that hangs leaves the others their share of the time. */
const limited = (link: Link, method: string, options: LanguageModel.ProviderOptions, share: Duration.Duration) =>
  Effect.disconnect(answered(link, method, options)).pipe(
    Effect.timeoutFail({
      duration: share,
      onTimeout: () => failure(method, `no answer within ${Duration.format(share)}`)
    })
  )

const passedOn = Effect.fnUntraced(function* (from: Link, to: Link, { error, late }: Failure) {
  const counting = yield* FurtherCalls
  yield* counting.add({ late })
  const { detail } = ofAiError(error, yield* Clock.currentTimeMillis)
  yield* Effect.logWarning(`${from.name} did not answer (${detail}); ${to.name} is asked`)
})

const noted = <E>(link: Link, answering: Effect.Effect<OneShotModel.Parts, E>) =>
  Effect.tap(answering, () => Effect.flatMap(AnsweredBy, ({ note }) => note(link.name)))

/** `timeout` is for an answer, whoever gives it. Whoever is asked has an equal share of what is left of it. */
export const make = ([first, ...rest]: Links, timeout: Duration.Duration): Effect.Effect<LanguageModel.Service> => {
  const from = (
    link: Link,
    others: ReadonlyArray<Link>,
    method: string,
    options: LanguageModel.ProviderOptions
  ): Effect.Effect<OneShotModel.Parts, AiError.AiError> => {
    const [next, ...later] = others
    if (next === undefined) return noted(link, attempt(link, options))
    const share = Effect.map(Deadline.left(timeout), (left) =>
      Duration.millis(Math.ceil(Duration.toMillis(left) / (others.length + 1)))
    )
    const limitedTo = (duration: Duration.Duration) => noted(link, limited(link, method, options, duration))
    return Effect.catchAll(Effect.flatMap(share, limitedTo), (failed) =>
      Effect.zipRight(passedOn(link, next, failed), from(next, later, method, options))
    )
  }
  return OneShotModel.make({
    module,
    answer: (method, options) => Deadline.within(timeout)(from(first, rest, method, options))
  })
}
