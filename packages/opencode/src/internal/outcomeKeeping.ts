/** The outcome log of one project, opened when the first attempt has ended. */
import { type AttemptOutcome, isFailure } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as TurnOutcome from "@reflexion/core/TurnOutcome"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Options } from "./outcomes.ts"
import * as OwnFolder from "./ownFolder.ts"

export const make = Effect.fnUntraced(function* ({ log, root }: Options) {
  const scope = yield* Effect.scope
  const opening = Effect.map(
    Effect.provideService(Layer.build(log(`${OwnFolder.of(root)}/${TurnOutcome.fileName}`)), Scope.Scope, scope),
    (context) => Context.get(context, OutcomeLog)
  )
  const [opened, forget] = yield* Effect.cachedInvalidateWithTTL(opening, Duration.infinity)
  // What failed once is tried again at the next outcome.
  const open = Effect.zipRight(
    OwnFolder.refuseLink(root),
    Effect.tapErrorCause(opened, () => forget)
  )

  /** Where an attempt has failed, what is old is forgotten as well, once there is a tenth more of it. */
  const keep = Effect.fnUntraced(function* (outcome: AttemptOutcome) {
    const { reflexion } = yield* CurrentConfig
    const { append, prune } = yield* open
    yield* append(outcome)
    const maxAge = Duration.days(reflexion.retentionDays)
    if (isFailure(outcome)) yield* prune({ maxAge, slack: Duration.times(maxAge, 0.1) })
  })

  return { keep }
})
