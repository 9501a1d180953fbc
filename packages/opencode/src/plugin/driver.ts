/**
 * What reviews: a program over the host's events where the process goes on after a stop, and where it ends with it, at the
 * agent's complete texts. Under a configuration that cannot be used either of them says so and no more.
 */
import * as TurnReview from "@reflexion/core/TurnReview"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as OpenCodeEvents from "../host/OpenCodeEvents.ts"
import type { EventInbox } from "../host/OpenCodeHost.ts"
import * as Memory from "./memory.ts"
import * as Problem from "./problem.ts"
import type { Services } from "./services.ts"
import * as SingleRun from "./singleRun.ts"

type Work = Effect.Effect<void, unknown, Services>

export interface Driver {
  /** Runs as long as the plugin does. */
  readonly program: Work
  /** Takes any event; what is due at it is to be begun at once. */
  readonly happened: (event: unknown) => Work | null
  /** What the host is to wait for before it goes on from a complete text; null: for nothing. */
  readonly spoke: ((spoken: SingleRun.Spoken) => Work) | null
  /** Waits for what was begun. */
  readonly rest: Work
}

export const served = (inbox: Context.Tag.Service<EventInbox>, problem: string | null): Driver => ({
  program: problem === null ? Memory.around(TurnReview.run()) : Problem.make(problem).program,
  happened: (event) => {
    inbox.offer(event)
    return null
  },
  spoke: null,
  rest: Effect.void
})

export const single = (problem: string | null): Driver => {
  if (problem !== null) {
    const { spoke } = Problem.make(problem)
    return { program: Effect.void, happened: () => null, spoke: ({ sessionID }) => spoke(sessionID), rest: Effect.void }
  }
  const { happened, rest, spoke } = SingleRun.make()
  return {
    program: Effect.void,
    happened: (event) => (OpenCodeEvents.isRelevant(event) ? happened(event) : null),
    spoke,
    rest
  }
}
