/** How an attempt ended, for the outcome log; without one in the context nothing is reported. */
import type { AttemptOutcome, Status } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { orElse } from "./orElse.ts"
import type { Prepared, Ran, Task } from "./model.ts"

const idOf = Effect.map(
  Effect.replicateEffect(Random.nextIntBetween(0, 2 ** 31), 3),
  (parts) => `attempt_${parts.map((part) => part.toString(36)).join("")}`
)

const outcomeOf = Effect.fnUntraced(function* (task: Task, { startedAt }: Prepared, status: Status, ran: Ran) {
  const now = yield* Clock.currentTimeMillis
  const outcome: AttemptOutcome = {
    id: yield* idOf,
    taskId: task.taskId === "" ? null : task.taskId,
    sessionId: ran.sessionId ?? task.sessionId ?? "",
    objective: task.description,
    status,
    durationMs: Math.max(0, now - (startedAt ?? now)),
    tools: ran.tools ?? [],
    loaded: ran.loaded ?? [],
    resultLength: ran.resultLength ?? null,
    backend: ran.backend ?? "unknown",
    at: new Date(now).toISOString()
  }
  return outcome
})

/** Costs the attempt nothing, whatever becomes of it. */
export const report = Effect.fnUntraced(function* (task: Task, prepared: Prepared, status: Status, ran: Ran) {
  const log = yield* Effect.serviceOption(OutcomeLog)
  if (log._tag === "None") return
  const { append } = log.value
  yield* orElse(() => Effect.flatMap(outcomeOf(task, prepared, status, ran), append), {
    what: "how the attempt ended is not in the outcome log",
    otherwise: undefined
  })
})
