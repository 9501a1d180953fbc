/** The user's commands where no program reviews by the host's events: on the command line, and under a broken configuration. */
import { AgentHost, type HostEvent } from "@reflexion/core/AgentHost"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Decided from "./decided.ts"
import type { Problem } from "./problem.ts"
import * as Switching from "./switching.ts"

type Command = Extract<HostEvent["event"], { readonly _tag: "Command" }>

/** Keeps the user's word, and answers with how it stands then. */
const obey = Effect.fnUntraced(function* (sessionId: string, { by, command: word }: Command) {
  const host = yield* AgentHost
  const states = yield* ReviewStates
  if (word === "stop") yield* states.stop(sessionId)
  if (word === "start") yield* states.restart(sessionId)
  const reason = by === "agent" ? "by the agent" : "by the user"
  if (word !== "status") yield* Decided.write(sessionId, { event: "command", decision: word, reason })
  const state = yield* Switching.load(sessionId)
  yield* host.notify(sessionId, { kind: state.enabled ? "on" : "off", text: yield* Switching.standing(state) })
})

/** Takes commands, and a stop where there is something to be said of it. */
export const attend = Effect.fnUntraced(function* (problem: Pick<Problem, "stopped"> | null) {
  const host = yield* AgentHost
  const take = Effect.fnUntraced(
    function* ({ event, sessionId }: HostEvent) {
      if (event._tag === "Command") yield* obey(sessionId, event)
      if (event._tag === "Idle" && problem !== null) yield* problem.stopped(sessionId)
    },
    Effect.catchAllCause((cause) => Effect.logWarning("an event came to nothing", cause))
  )
  yield* Stream.runForEach(host.events, take)
})
