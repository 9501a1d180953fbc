/** A configuration that cannot be used: nothing is pushed by it, which is written down, and the user is told once. */
import { AgentHost, type HostEvent } from "@reflexion/core/AgentHost"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as Decided from "./decided.ts"

/** What is wrong with the configuration, null for nothing. */
export class CurrentProblem extends Context.Reference<CurrentProblem>()("@reflexion/opencode/CurrentProblem", {
  defaultValue: (): string | null => null
}) {}

/** On the screen where there is one, and in the host's log. */
const show = Effect.fnUntraced(function* (sessionId: string, problem: string) {
  const host = yield* AgentHost
  const { log } = yield* OpenCodeClient
  const text = Notice.problem(problem)
  yield* log("error", text)
  yield* Effect.ignore(host.notify(sessionId, { kind: "incomplete", text }))
})

const isAgents = Effect.fnUntraced(function* (sessionId: string) {
  const client = yield* OpenCodeClient
  return typeof (yield* client.session(sessionId))["parentID"] === "string"
})

export const make = (problem: string) => {
  let told = false
  const meet = Effect.fnUntraced(function* (sessionId: string, event: string) {
    yield* Decided.write(sessionId, { event, decision: "failure", reason: problem })
    if (told) return
    told = true
    yield* show(sessionId, problem)
  })
  const take = ({ event, sessionId }: HostEvent) =>
    event._tag === "Idle" ? Effect.ignore(meet(sessionId, "session.idle")) : Effect.void
  return {
    /** Over the host's events: a stop is not reviewed. */
    program: Effect.flatMap(AgentHost, ({ events }) => Stream.runForEach(events, take)),
    /** A text that may be the agent's last: where the process ends with it, nothing is left to be done at the stop. */
    spoke: Effect.fnUntraced(function* (sessionId: string) {
      if (told || (yield* isAgents(sessionId))) return
      yield* meet(sessionId, "text.complete")
    })
  }
}
