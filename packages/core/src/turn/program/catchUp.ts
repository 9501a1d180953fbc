/** What a session's transcript knows and its events did not say, because nobody listened then. */
import * as Effect from "effect/Effect"
import { AgentHost } from "./AgentHost.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import type { ReviewEvent, ReviewState } from "../machine/ReviewState.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"

const eventsOf = (transcript: Transcript, state: ReviewState, at: number): ReadonlyArray<ReviewEvent> => {
  const task = NeutralTranscript.events(transcript).reduce(TaskContext.step, TaskContext.initial)
  const events: Array<ReviewEvent> = []
  if (NeutralTranscript.isSubagent(transcript) && state.kind === "root")
    events.push({ _tag: "ChildSession", kind: "subagent", at })
  if (task.mode !== "unknown" && task.mode !== state.mode) events.push({ _tag: "ModeChanged", mode: task.mode, at })
  if (task.userMessageId !== null && task.userMessageId !== state.root)
    events.push({ _tag: "UserMessage", id: task.userMessageId, genuine: true, at })
  return events
}

/** The events that are to be taken before a stop. A session that cannot be read is caught up with at its next stop. */
export const caughtUp = Effect.fnUntraced(function* (
  sessionId: string,
  event: ReviewEvent,
  options: { readonly state: ReviewState; readonly always: boolean }
) {
  const { always, state } = options
  if (event._tag !== "Idle" || state.ended || (state.root !== null && !always)) return []
  const host = yield* AgentHost
  return yield* host.transcript(sessionId).pipe(
    Effect.disconnect,
    Effect.timeout("10 seconds"),
    Effect.map((transcript) => eventsOf(transcript, state, event.at)),
    Effect.catchAll((error) =>
      Effect.as(Effect.logWarning(`session ${sessionId} could not be read at its stop: ${error.message}`), [])
    )
  )
})
