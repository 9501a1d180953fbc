/** Says when the end of a turn must not be reviewed. The agent then gets no nudge. */
import type { RecordedDecision, ReviewState } from "./model.ts"

export const record = (decision: RecordedDecision["decision"], reason: string): RecordedDecision => ({
  _tag: "Record",
  decision,
  reason,
  status: null,
  severity: null,
  attempt: null
})

export const refusal = (state: ReviewState): string | null => {
  if (state.kind === "subagent") return "it is a subagent's session"
  if (state.kind === "judge") return "it is one of reflexion's own sessions"
  if (!state.enabled) return "the user stopped reflexion in this session"
  if (state.root === null) return "no message of the user began this turn"
  if (state.halted === "aborted") return "the user interrupted the agent"
  if (state.halted === "failed") return "the turn failed with an error of the host"
  if (state.compacting) return "the context is being compacted"
  if (state.mode === "plan") return "the agent is in plan mode"
  if (state.asked.length > 0) return "a question is open"
  if (state.background > 0) return "work goes on in the background"
  return state.queued > 0 ? "the next message of the user is waiting" : null
}
