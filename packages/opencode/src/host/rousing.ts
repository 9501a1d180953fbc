/** Ending what an agent hangs in, so that it can be asked to go on. */
import { AgentHostError } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { OpenCodeClient } from "./OpenCodeClient.ts"

const maxSigns = 512

/** When each agent last gave a sign of life, in ms; 0 for one that gave none. */
const makeSigns = () => {
  const signs = new Map<string, number>()
  const last = (sessionId: string): number => signs.get(sessionId) ?? 0
  const give = (sessionId: string, at: number): void => {
    if (!signs.has(sessionId) && signs.size >= maxSigns) signs.delete(signs.keys().next().value ?? "")
    signs.set(sessionId, at)
  }
  return { last, give, forget: (sessionId: string) => signs.delete(sessionId) }
}

const rejected = (sessionId: string, detail: string) => new AgentHostError({ reason: "rejected", sessionId, detail })

const patience = Duration.seconds(5)

/** The host answers before what was aborted has come to its end. */
const abort = Effect.fnUntraced(function* (sessionId: string) {
  const client = yield* OpenCodeClient
  yield* client.abort(sessionId)
  const resting = Effect.map(client.status(sessionId), (status) => status === "idle")
  yield* Effect.repeat(resting, { until: (rests) => rests, schedule: Schedule.spaced("50 millis") }).pipe(
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () => rejected(sessionId, "what the agent hangs in could not be ended")
    })
  )
})

/** Whether the agent came to an end of its own, just before it was to be aborted. */
const hasStopped = (messages: ReadonlyArray<unknown>): boolean => {
  const info = Json.object(Json.object(messages.at(-1))["info"])
  const finish = Json.string(info["finish"])
  return info["role"] === "assistant" && finish !== null && finish !== "tool-calls" && !Json.isObject(info["error"])
}

export const make = () => {
  const signs = makeSigns()
  const expected = new Set<string>()
  const rouse = Effect.fnUntraced(function* (sessionId: string, silentSince: number) {
    const client = yield* OpenCodeClient
    const status = yield* client.status(sessionId)
    if (status === "retry") return yield* rejected(sessionId, "the model is about to be asked again")
    if (signs.last(sessionId) > silentSince) return yield* rejected(sessionId, "the agent goes on")
    if (status === "idle") return
    expected.add(sessionId)
    yield* abort(sessionId)
    if (hasStopped(yield* client.messages(sessionId, 1))) return yield* rejected(sessionId, "the agent has stopped")
  })
  return {
    signs,
    rouse,
    /** Whether an abort that the host reports is ours: of each of ours it reports one, any other is the user's. */
    isOurs: (sessionId: string): boolean => expected.delete(sessionId),
    over: (sessionId: string): boolean => expected.delete(sessionId)
  }
}
