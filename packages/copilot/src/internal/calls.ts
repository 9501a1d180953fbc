/** Handles tool calls: their start, their result, and commands and agents that continue in the background. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import { type CallResult, pending, toolCall } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { ToolStatus } from "@reflexion/core/Transcript"
import { type Call, none, type State, type Step } from "./state.ts"

const outputEach = 64 * 1024
const maxOpen = 500

/** `create` alone does not say what it creates. */
const toolOf = (name: string): string => (name === "create" ? "create_file" : name.slice(0, 200))

const clipped = (value: unknown): unknown => (typeof value === "string" ? Json.clip(value, outputEach) : value)

const inputOf = (value: unknown): unknown =>
  Json.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clipped(part)]))
    : (clipped(value) ?? null)

export const issue = (state: State, data: Json.Json, agentId: string | null, at: string | null): Step => {
  const id = Json.string(data["toolCallId"])
  if (id === null) return [state, none]
  const input = inputOf(data["arguments"])
  const call: Call = { id, at, tool: toolOf(Json.text(data["toolName"])), input, cwd: state.cwd, agentId }
  const calls = state.calls.filter((one) => one.id !== id)
  return [{ ...state, calls: Json.append(calls, call, maxOpen) }, [toolCall(call, null, pending)]]
}

const statuses: Readonly<Record<string, ToolStatus>> = {
  denied: "denied",
  rejected: "denied",
  interrupted: "interrupted"
}

const guidance = "Additional guidance from postToolUse hooks:"

/** Returns the text without what hooks added to it. */
const ownText = (content: string): string => {
  const at = content.indexOf(guidance)
  const begin = at === -1 ? -1 : content.lastIndexOf('\n\nTool "', at)
  return begin === -1 ? content : content.slice(0, begin)
}

const longestMark = 1000
const exit = /\n?<(?:detached command with )?shellId: [^\n<>]{1,200} completed with exit code (\d{1,9})>\s{0,9}$/
const goesOn =
  /<command (?:started in (?:detached )?background )?with shellId: ([^\s<>]{1,200})(?:>| is still running| moved to background)/
const agent = /^Agent started in background with agent_id: ([\w-]{1,200})/

interface Outcome extends CallResult {
  /** What continues in the background. Null if nothing does. */
  readonly task: string | null
}

const settled = (status: ToolStatus, exitCode: number | null, output: string): Outcome => ({
  background: false,
  status,
  exitCode,
  output: Json.clip(output, outputEach),
  task: null
})

const outcome = ({ tool }: Call, data: Json.Json): Outcome => {
  const error = Json.object(data["error"])
  if (data["success"] === false)
    return settled(statuses[Json.text(error["code"])] ?? "error", null, Json.text(error["message"]))
  const content = ownText(Json.text(Json.object(data["result"])["content"]))
  const mark = content.slice(-longestMark)
  const task = (tool === "task" ? agent : tool === "bash" || tool === "powershell" ? goesOn : null)?.exec(mark)?.[1]
  if (task !== undefined) return { ...settled("running", null, content), background: true, task }
  const [trailer = "", printed] = exit.exec(mark) ?? []
  const recorded = Json.exitCode(Json.object(data["shellExecution"])["exitCode"])
  const exitCode = recorded ?? (printed === undefined ? null : Number(printed))
  const output = content.slice(0, content.length - trailer.length)
  return settled(exitCode === null || exitCode === 0 ? "completed" : "error", exitCode, output)
}

export const settle = (state: State, data: Json.Json, at: string | null): Step => {
  const call = state.calls.find(({ id }) => id === data["toolCallId"])
  if (call === undefined) return [state, none]
  const rest = { ...state, calls: state.calls.filter((one) => one !== call) }
  const { task, ...result } = outcome(call, data)
  if (task !== null) {
    const background = Json.append(rest.background, { task, call, ended: false }, maxOpen)
    return [{ ...rest, background }, [toolCall(call, null, result)]]
  }
  const shell = Json.text(Json.object(call.input)["shellId"])
  if (call.tool === "read_bash" && result.exitCode !== null) {
    const [next, events] = endTask(rest, shell, result, at)
    return [next, [toolCall(call, at, { ...result, status: "completed", exitCode: null }), ...events]]
  }
  const isStopped = call.tool === "stop_bash" && result.status === "completed"
  const [next, events] = isStopped ? endTask(rest, shell, interrupted, at) : [rest, none]
  return [next, [toolCall(call, at, result), ...events]]
}

const interrupted: CallResult = { background: false, status: "interrupted", exitCode: null, output: null }

/** Ends a background task. Its call is settled under its own id. */
const endTask = (state: State, task: string, result: CallResult, at: string | null): Step => {
  const found = state.background.findLast((one) => one.task === task)
  if (found === undefined) return [state, none]
  const ended = toolCall(found.call, at, { ...result, background: true })
  return [{ ...state, background: state.background.filter((one) => one !== found) }, [ended]]
}

/** Handles the host's report that a task ended. The output follows in a call that the host makes itself. */
export const reported = (state: State, kind: Json.Json, at: string | null): Step => {
  const task = Json.string(kind["shellId"]) ?? Json.text(kind["agentId"])
  const found = state.background.findLast((one) => one.task === task && !one.ended)
  if (found === undefined) return [state, none]
  const exitCode = Json.exitCode(kind["exitCode"])
  const status = exitCode === null || exitCode === 0 ? "completed" : "error"
  const background = state.background.map((one) => (one === found ? { ...one, ended: true } : one))
  return [{ ...state, background }, [toolCall(found.call, at, { background: true, status, exitCode, output: null })]]
}

/** Ends the open calls of a subagent, or all open calls if no subagent is named. */
export const abort = (state: State, agentId: string | null, at: string | null): Step => {
  const isOver = (call: Call) => agentId === null || call.agentId === agentId
  const events = state.calls.filter(isOver).map((call) => toolCall(call, at, interrupted))
  return events.length === 0 ? [state, none] : [{ ...state, calls: state.calls.filter((one) => !isOver(one)) }, events]
}

export const isDetached = ({ call }: { readonly call: Pick<Call, "input"> }): boolean =>
  Json.object(call.input)["detach"] === true

/** Handles the end of the host's process. Only detached commands go on without it. */
export const close = (state: State, at: string | null): Step => {
  const lost = state.background.filter((one) => !one.ended && !isDetached(one))
  if (state.background.length === 0) return [state, none]
  const events = lost.map(({ call }) => toolCall(call, at, { ...interrupted, background: true }))
  return [{ ...state, background: [] }, events]
}
