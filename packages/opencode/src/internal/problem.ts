/** A configuration that cannot be used: nothing is pushed by it, and the user is told once. */
import { AgentHost } from "@reflexion/core/AgentHost"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import * as Notice from "@reflexion/core/Notice"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const record = Effect.fnUntraced(function* (sessionId: string, problem: string) {
  const host = yield* AgentHost
  const log = yield* DecisionLog
  const { maxAttempts } = yield* CurrentConfig
  yield* log.append({
    at: DateTime.formatIso(yield* DateTime.now),
    host: host.name,
    sessionId,
    directory: yield* Effect.orElseSucceed(host.directory(sessionId), () => null),
    event: "session.idle",
    decision: "failure",
    reason: problem,
    status: null,
    severity: null,
    attempt: null,
    maxAttempts,
    durationMs: null
  })
})

/** At the first stop, when somebody looks; every stop is written down. */
export const tell = Effect.fnUntraced(function* (problem: string) {
  const host = yield* AgentHost
  let told = false
  yield* Stream.runForEach(
    host.events,
    Effect.fnUntraced(function* ({ event, sessionId }) {
      const notify = (kind: "incomplete" | "off") =>
        Effect.ignore(host.notify(sessionId, { kind, text: Notice.problem(problem) }))
      if (event._tag === "Command") return yield* notify("off")
      if (event._tag !== "Idle") return
      yield* record(sessionId, problem)
      if (told) return
      told = true
      yield* notify("incomplete")
    })
  )
})
