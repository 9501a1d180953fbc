/** Whether an agent's complete text may be its last word, where nobody knows yet whether it goes on. */
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as StopSignal from "@reflexion/core/internal/session/stop/StopSignal"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import type { Transcript } from "@reflexion/core/Transcript"

/** What an agent looks with before it does anything. */
const looking = new Set(["read", "grep", "glob", "list", "ls", "webfetch", "websearch", "codesearch", "lsp", "skill"])

const hasActed = ({ events }: Transcript): boolean => {
  const since = events.findLastIndex((event) => event.type === "user_message" && TaskContext.isGenuine(event))
  return events.slice(since + 1).some((event) => event.type === "tool_call" && !looking.has(event.tool))
}

/** One before anything was done is not, unless it claims that it was. */
export const mayBeLast = (transcript: Transcript): boolean => {
  const signal = NeutralTranscript.events(transcript).reduce(StopSignal.step, StopSignal.initial)
  return StopSignal.read(signal).claims.length > 0 || hasActed(transcript)
}
