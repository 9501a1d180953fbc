/** Lines of the decision log where no review is behind them. */
import { AgentHost } from "@reflexion/core/AgentHost"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

export interface Decided {
  readonly event: string
  readonly decision: "failure" | "none" | "reminder" | "start" | "stop"
  readonly reason: string
}

export const write = Effect.fnUntraced(function* (sessionId: string, decided: Decided) {
  const host = yield* AgentHost
  const log = yield* DecisionLog
  const { maxAttempts } = yield* CurrentConfig
  yield* log.append({
    ...decided,
    at: DateTime.formatIso(yield* DateTime.now),
    host: host.name,
    sessionId,
    directory: yield* Effect.orElseSucceed(host.directory(sessionId), () => null),
    status: null,
    severity: null,
    attempt: null,
    maxAttempts,
    durationMs: null
  })
})

interface Failing {
  readonly event: string
  readonly what: string
}

const failed = (sessionId: string, { event, what }: Failing, cause: Cause.Cause<unknown>) => {
  const failure = Cause.squash(cause)
  const reason = `${what}: ${failure instanceof Error ? failure.message : String(failure)}`
  return write(sessionId, { event, decision: "failure", reason })
}

/** What the plugin fails at outside of a review is a line of it, and nothing else. */
export const orLogged =
  <B>(sessionId: string, failing: Failing, otherwise: B) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R | AgentHost | CurrentConfig | DecisionLog> =>
    Effect.catchAllCause(work, (cause) => Effect.as(failed(sessionId, failing, cause), otherwise))
