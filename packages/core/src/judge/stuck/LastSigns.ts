/** Tracks who spoke last and which calls are still running, for the stuck check. */
import { attemptOf } from "../verdict/Feedback.ts"
import { callKey } from "../../base/system/FileNames.ts"
import { oneLine } from "../../base/text/Text.ts"
import { hasFailed } from "../../session/evidence/Calls.ts"
import { isRefusal } from "../../session/stop/StopSignal.ts"
import { isGenuine } from "../../session/task/TaskContext.ts"
import { toolKind } from "../../session/transcript/ToolKinds.ts"
import type { AssistantMessage, ToolCall, TranscriptEvent, UserMessage } from "../../session/transcript/Transcript.ts"
import { summaryOf } from "../loops/Loops.ts"

interface Call {
  readonly id: string
  readonly tool: string
  readonly summary: string
  readonly at: string | null
}

export interface Pulse {
  readonly last: "nobody" | "user" | "feedback" | "harness" | "agent" | "call" | "unknown_call" | "interrupted_call"
  /** True if the agent received something after its last message. It must then speak next. */
  readonly owes: boolean
  /** True if a call has ended that was still running at the agent's last message. */
  readonly late: boolean
  readonly outputTokens: number | null
  /** True if the host began an answer and no text has arrived yet. */
  readonly begun: boolean
  readonly open: ReadonlyArray<Call>
  /** The calls of subagents that are still running. */
  readonly delegated: ReadonlyArray<Call>
  readonly failed: Call | null
  /** True if the host reports each failed request and may retry it. Other hosts report only the end of the turn. */
  readonly retrying: boolean
}

export const initial: Pulse = {
  last: "nobody",
  owes: false,
  late: false,
  outputTokens: null,
  begun: false,
  open: [],
  delegated: [],
  failed: null,
  retrying: false
}

/** After the end of a background call, the agent must speak next. A refused prompt never reached the agent. */
const onUser = (state: Pulse, message: UserMessage): Pulse => {
  if (!message.synthetic) return isGenuine(message) ? { ...initial, last: "user", owes: true, open: state.open } : state
  if (attemptOf(message.text) !== null) return { ...state, last: "feedback", owes: true, begun: false, retrying: false }
  return { ...state, last: "harness", owes: (state.owes || state.late) && !isRefusal(message.text), late: false }
}

/** An empty message does not count, unless the host says that the answer is complete. */
const onAgent = (state: Pulse, { completed, outputTokens, text }: AssistantMessage): Pulse =>
  text.trim() === "" && completed !== true
    ? { ...state, begun: completed === false && (outputTokens ?? 0) === 0 }
    : { ...state, last: "agent", owes: false, late: false, outputTokens, begun: false, retrying: false }

const entryOf = (call: ToolCall): Call => ({
  id: callKey(call.id),
  tool: oneLine(call.tool, 60),
  summary: summaryOf(call),
  at: call.at
})

const isOut = ({ status }: ToolCall): boolean => status === "pending" || status === "running"

const maxOut = 32

const after = (calls: ReadonlyArray<Call>, call: ToolCall): ReadonlyArray<Call> => {
  const others = calls.filter(({ id }) => id !== callKey(call.id))
  return isOut(call) ? [...others, entryOf(call)].slice(-maxOut) : others
}

const onCall = (before: Pulse, call: ToolCall): Pulse => {
  if (call.agentId !== null) return { ...before, delegated: after(before.delegated, call) }
  const { status } = call
  // A subagent that has returned an answer has no running calls.
  const isBack = toolKind(call.tool) === "agent" && !call.background && !isOut(call) && status !== null
  const open = after(before.open, call)
  const state = { ...before, open, delegated: isBack ? [] : before.delegated }
  if (open.length < before.open.length && !before.owes) return { ...state, late: true }
  const heard: Pulse = { ...state, last: "call", owes: true, begun: false, retrying: false }
  if (status === null || status === "interrupted")
    return { ...heard, last: status === null ? "unknown_call" : "interrupted_call" }
  return isOut(call) ? heard : { ...heard, failed: hasFailed(call) ? entryOf(call) : null }
}

export const step = (state: Pulse, event: TranscriptEvent): Pulse => {
  switch (event.type) {
    case "user_message":
      return onUser(state, event)
    case "assistant_message":
      return onAgent(state, event)
    case "tool_call":
      return onCall(state, event)
    case "notice":
      return event.kind === "api_error" || event.kind === "rate_limited"
        ? { ...state, retrying: event.at === null }
        : state
    default:
      return state
  }
}
