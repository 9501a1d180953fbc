/** What the plugin fails at beside a review is a line in the decision log, and nothing else. */
import type { AgentHost } from "@reflexion/core/AgentHost"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import type { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as DecidedLog from "./decided.ts"

export const orLogged =
  <B>(sessionId: string, { event, what }: { readonly event: string; readonly what: string }, otherwise: B) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R | AgentHost | CurrentConfig | DecisionLog> =>
    Effect.catchAllCause(work, (cause) => {
      const failure = Cause.squash(cause)
      const reason = `${what}: ${failure instanceof Error ? failure.message : String(failure)}`
      return Effect.as(DecidedLog.write(sessionId, { event, decision: "failure", reason }), otherwise)
    })
