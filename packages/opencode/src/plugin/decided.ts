/** Entries of the decision log that belong to no review. */
import { AgentHost } from "@reflexion/core/AgentHost"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"

export interface LoggedDecision {
  readonly event: string
  readonly decision: "failure" | "none" | "reminder" | "start" | "stop"
  readonly reason: string
}

export const write = Effect.fnUntraced(function* (sessionId: string, decided: LoggedDecision) {
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

export const orLogged =
  <B>(sessionId: string, { event, what }: { readonly event: string; readonly what: string }, otherwise: B) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R | AgentHost | CurrentConfig | DecisionLog> =>
    Effect.catchAllCause(work, (cause) => {
      const failure = Cause.squash(cause)
      const reason = `${what}: ${failure instanceof Error ? failure.message : String(failure)}`
      return Effect.as(write(sessionId, { event, decision: "failure", reason }), otherwise)
    })

/** If the configuration has a problem, no nudge is sent, and the user gets one message. */
export class CurrentProblem extends Context.Reference<CurrentProblem>()("@reflexion/opencode/CurrentProblem", {
  defaultValue: (): string | null => null
}) {}

export const tellProblem = Effect.fnUntraced(function* (sessionId: string, problem: string) {
  yield* write(sessionId, { event: "text.complete", decision: "failure", reason: problem })
  const host = yield* AgentHost
  const { log } = yield* OpenCodeClient
  const text = Notice.problem(problem)
  yield* log("error", text)
  yield* Effect.ignore(host.notify(sessionId, { kind: "incomplete", text }))
})
