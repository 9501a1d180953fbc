/** Calls of other records than a host's, as the neutral form has them: all that a record does not say is left open. */
import type { ToolCall } from "@reflexion/core/Transcript"

/** A call whose outcome is unknown but for what is given. */
export const callOf = (given: Partial<ToolCall> & Pick<ToolCall, "tool" | "input">): ToolCall => ({
  type: "tool_call",
  id: null,
  at: null,
  endedAt: null,
  cwd: null,
  background: false,
  agentId: null,
  status: null,
  exitCode: null,
  output: null,
  ...given
})
