/** Who was heard last, and what is still out: what of a session's life no verdict needs. */
import { attemptOf } from "../verdict/Feedback.ts"
import * as Json from "../../base/json/Json.ts"
import * as ShellCommand from "../../session/shell/ShellCommand.ts"
import { isGenuine } from "../../session/task/TaskContext.ts"
import type { AssistantMessage, ToolCall, TranscriptEvent, UserMessage } from "../../session/transcript/Transcript.ts"
import { callKey, clippedId } from "../../base/system/FileNames.ts"
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import type { Pulse as PulseSchema } from "./model.ts"
import { isRefusal } from "../../session/stop/StopSignal.ts"
import { oneLine } from "../../base/text/Text.ts"
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"

export type Pulse = typeof PulseSchema.Type

export const initial: Pulse = {
  version: 1,
  last: "nobody",
  owes: false,
  late: false,
  since: null,
  messageId: null,
  outputTokens: null,
  begun: false,
  open: [],
  delegated: [],
  failed: null,
  failedToAct: false,
  retrying: false
}

const maxOpen = 32

const telling = ["file_path", "filePath", "path", "description", "query", "pattern", "url"]

/** What the call is about, in a line; a whole input can be a file. */
const summaryOf = (call: ToolCall): string => {
  const input = Json.object(call.input)
  const given = shellCommand(call) ?? telling.map((name) => Json.string(input[name])).find((text) => text !== null)
  return oneLine(redactedHead(given ?? "", 1000), 120)
}

const entryOf = (call: ToolCall, id: string): Pulse["open"][number] => ({
  id,
  tool: oneLine(call.tool, 60),
  summary: summaryOf(call),
  at: call.at
})

/** Told that a background call has ended, the agent is to say what came of it; a refused prompt never reached it. */
const onHarness = (state: Pulse, message: UserMessage): Pulse => ({
  ...state,
  last: "harness",
  owes: (state.owes || state.late) && !isRefusal(message.text),
  late: false,
  since: state.owes ? state.since : message.at
})

const onUser = (state: Pulse, message: UserMessage): Pulse => {
  if (!message.synthetic) {
    const given: Pulse = { ...initial, last: "user", owes: true, since: message.at, messageId: clippedId(message.id) }
    return isGenuine(message) ? { ...given, open: state.open } : state
  }
  return attemptOf(message.text) === null
    ? onHarness(state, message)
    : {
        ...state,
        last: "feedback",
        owes: true,
        since: message.at,
        messageId: clippedId(message.id),
        begun: false,
        retrying: false
      }
}

/** What has no text yet is no word, unless the host says that it is the whole answer. */
const onAgent = (state: Pulse, message: AssistantMessage): Pulse => {
  if (message.text.trim() === "" && message.completed !== true)
    return { ...state, begun: message.completed === false && (message.outputTokens ?? 0) === 0 }
  return {
    ...state,
    last: "agent",
    owes: false,
    late: false,
    since: message.at,
    messageId: clippedId(message.id),
    outputTokens: message.outputTokens,
    begun: false,
    retrying: false
  }
}

const isOpen = (call: ToolCall): boolean => call.status === "pending" || call.status === "running"

const isFailed = (call: ToolCall): boolean => call.status === "error" || (call.exitCode !== null && call.exitCode !== 0)

const acting: ReadonlySet<string> = new Set(["install", "deploy", "commit", "push", "pr_create"])

const nothingToDo =
  /nothing to commit|no changes added|nothing added to commit|up[- ]to[- ]date|already (?:exists|installed)/i

/** A search that finds nothing fails as well; what was to change something did not. */
const isAct = (call: ToolCall): boolean => {
  if (toolKind(call.tool) === "edit") return true
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  if (command === null || nothingToDo.test((call.output ?? "").slice(-4000))) return false
  return ShellCommand.analyze(command).commands.some(
    ({ classes, soleSuspect }) => soleSuspect && classes.some((one) => acting.has(one))
  )
}

const withCall = (calls: Pulse["open"], call: ToolCall): Pulse["open"] => {
  const id = callKey(call.id)
  const others = calls.some((other) => other.id === id) ? calls.filter((other) => other.id !== id) : calls
  return isOpen(call) ? [...others, entryOf(call, id)].slice(-maxOpen) : others
}

/** Whoever comes back with an answer has nothing out any more. */
const hasReturned = (call: ToolCall): boolean =>
  toolKind(call.tool) === "agent" && !call.background && !isOpen(call) && call.status !== null

const onCall = (before: Pulse, call: ToolCall): Pulse => {
  if (call.agentId !== null) {
    const delegated = withCall(before.delegated, call)
    return delegated === before.delegated ? before : { ...before, delegated }
  }
  const state = before.delegated.length > 0 && hasReturned(call) ? { ...before, delegated: [] } : before
  const id = callKey(call.id)
  const others = state.open.some((other) => other.id === id)
    ? state.open.filter((other) => other.id !== id)
    : state.open
  if (others !== state.open && !isOpen(call) && !state.owes) return { ...state, open: others, late: true }
  const heard: Pulse = {
    ...state,
    last: "call",
    owes: true,
    since: call.endedAt ?? call.at,
    begun: false,
    retrying: false
  }
  if (isOpen(call)) return { ...heard, open: [...others, entryOf(call, id)].slice(-maxOpen) }
  if (call.status === "interrupted") return { ...heard, last: "interrupted_call", open: others }
  if (call.status === null) return { ...heard, last: "unknown_call", open: others }
  return isFailed(call)
    ? { ...heard, open: others, failed: entryOf(call, id), failedToAct: isAct(call) }
    : { ...heard, open: others, failed: null, failedToAct: false }
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
