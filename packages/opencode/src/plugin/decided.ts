/** Lines of the decision log where no review is behind them. */
import { AgentHost } from "@reflexion/core/AgentHost"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
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
