/** The judge of a plugin's stops: evidence, and what is consulted about those that it leaves open. */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import { type Consult, type Judged, JudgeService, type Seen } from "@reflexion/core/JudgeService"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { AskingModel } from "./AskingModel.ts"

/** What is built for it lasts as long as the layer does. */
export const layer = <R>(consult: Effect.Effect<Consult, never, R>) =>
  Layer.unwrapScoped(Effect.map(Effect.scope, (scope) => JudgeService.layer(Scope.extend(consult, scope))))

const isAsked = ({ judged, options, state }: Seen): boolean =>
  BeyondEvidence.dueAt(state, judged.verdict, options).model

/** Where no model is to be asked in the session now, that is no failure of anybody's. */
const allowed = Effect.fnUntraced(function* (seen: Seen) {
  const { sessionId } = seen.transcript
  const asking = yield* AskingModel
  if (sessionId !== null && (yield* asking.isOff(sessionId)))
    return { ...seen, without: ["model", "crossReview"] as const }
  // Reviewers are asked only where the user's configuration names them.
  if (yield* asking.lacksConsent(sessionId)) return { ...seen, without: ["model"] as const }
  if (sessionId === null) return seen
  const why = isAsked(seen) ? yield* asking.hindrance(sessionId) : null
  return why === null ? seen : { ...seen, without: ["model"] as const }
})

/** What only the last question of a session tells. */
const shown = ({ asked }: Judged) =>
  asked?.told == null
    ? Effect.void
    : Effect.flatMap(OpenCodeClient, ({ toast }) =>
        Effect.ignore(toast({ message: `${asked.told} \`/reflection model on\` asks again.`, variant: "warning" }))
      )

/** The host shows one line at a time, and what is said of the stop comes first. */
const afterTheStop = "10 seconds"

/** At a stop at which a model would be asked, whoever has not agreed is told that they can. No review waits for that. */
const offered = Effect.fnUntraced(function* (seen: Seen) {
  const { sessionId } = seen.transcript
  const asking = yield* AskingModel
  if (sessionId === null || !isAsked(seen)) return
  if ((yield* asking.isOff(sessionId)) || !(yield* asking.lacksConsent(sessionId))) return
  const { toast } = yield* OpenCodeClient
  const offering = Effect.gen(function* () {
    const message = yield* asking.offer(sessionId)
    if (message !== null) yield* Effect.ignore(toast({ message, variant: "info" }))
  })
  yield* Effect.forkDaemon(Effect.delay(offering, afterTheStop))
})

/** What is consulted, with a model or without. */
export const gated = (consult: Consult) =>
  Effect.map(
    Effect.context<OpenCodeClient>(),
    (context): Consult =>
      (seen) =>
        allowed(seen).pipe(
          Effect.flatMap(consult),
          Effect.tap(shown),
          Effect.tap(() => offered(seen)),
          Effect.provide(context)
        )
  )

/** Where nothing but the small model is to be consulted it is loaded when it is asked for the first time. */
export const lazily = <R>(load: Effect.Effect<Consult, never, R>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const loaded = yield* Effect.cached(Effect.provide(load, context))
    return yield* gated((seen) =>
      isAsked(seen) && seen.without === undefined
        ? Effect.flatMap(loaded, (consult) => consult(seen))
        : Effect.succeed(seen.judged)
    )
  })
