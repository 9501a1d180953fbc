/** Handles tool calls, and commands and agents that continue in the background. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import { type CallResult, pending, toolCall } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { ToolStatus, TranscriptEvent } from "@reflexion/core/Transcript"
import { type Background, type Call, none, type State, type Step } from "./state.ts"

const outputEach = 64 * 1024
const maxOpen = 500

/** The name `create` does not say that it creates a file. */
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

/** Hooks add this to a tool's own output. */
const guidance = /\n\nTool "[^"\n]{1,200}" \w{1,20}\. Additional guidance from postToolUse hooks:\n/

const longestMark = 1000
const exit = /\n?<(?:detached command with )?shellId: [^\n<>]{1,200} completed with exit code (\d{1,9})>\s{0,9}$/
const goesOn =
  /<command (?:started in (?:detached )?background )?with shellId: ([^\s<>]{1,200})(?:>| is still running| moved to background)/
const agent = /^Agent started in background with agent_id: ([\w-]{1,200})/

const patterns: Readonly<Record<string, RegExp>> = { bash: goesOn, powershell: goesOn, task: agent }

const settled = (status: ToolStatus, exitCode: number | null, output: string | null): CallResult => ({
  background: status === "running",
  status,
  exitCode,
  output: output === null ? null : Json.clip(output, outputEach)
})

/** The second value is the id of the work that continues in the background. */
const outcome = ({ tool }: Call, data: Json.Json): readonly [CallResult, task: string | null] => {
  const error = Json.object(data["error"])
  if (data["success"] === false)
    return [settled(statuses[Json.text(error["code"])] ?? "error", null, Json.string(error["message"])), null]
  const [content = ""] = Json.text(Json.object(data["result"])["content"]).split(guidance, 1)
  const mark = content.slice(-longestMark)
  const task = patterns[tool]?.exec(mark)?.[1]
  if (task !== undefined) return [settled("running", null, content), task]
  const [trailer = "", printed] = exit.exec(mark) ?? []
  const recorded = Json.exitCode(Json.object(data["shellExecution"])["exitCode"])
  const exitCode = recorded ?? (printed === undefined ? null : Number(printed))
  const output = content.slice(0, content.length - trailer.length)
  return [settled(exitCode === null || exitCode === 0 ? "completed" : "error", exitCode, output), null]
}

export const settle = (state: State, data: Json.Json, at: string | null): Step => {
  const call = state.calls.find(({ id }) => id === data["toolCallId"])
  if (call === undefined) return [state, none]
  const rest = { ...state, calls: state.calls.filter((one) => one !== call) }
  const [result, task] = outcome(call, data)
  if (task !== null)
    return [
      { ...rest, background: Json.append(rest.background, { task, call }, maxOpen) },
      [toolCall(call, null, result)]
    ]
  const isOf = (one: Background): boolean => one.task === Json.object(call.input)["shellId"]
  // A background command ends when a call reads its last output. If the agent makes no such call, the host makes it.
  if (call.tool === "read_bash" && result.exitCode !== null)
    return after(
      toolCall(call, at, { ...result, status: "completed", exitCode: null }),
      endTask(rest, isOf, result, at)
    )
  if (call.tool === "stop_bash") return after(toolCall(call, at, result), endTask(rest, isOf, interrupted, at))
  return [rest, [toolCall(call, at, result)]]
}

const after = (event: TranscriptEvent, [state, events]: Step): Step => [state, [event, ...events]]

const interrupted = settled("interrupted", null, null)

/** The task's result becomes the result of the call that started the task. */
const endTask = (state: State, isOf: (one: Background) => boolean, result: CallResult, at: string | null): Step => {
  const found = state.background.findLast(isOf)
  if (found === undefined) return [state, none]
  const background = state.background.filter((one) => one !== found)
  return [{ ...state, background }, [toolCall(found.call, at, { ...result, background: true })]]
}

export const agentEnded = (state: State, data: Json.Json, status: ToolStatus, at: string | null): Step =>
  endTask(state, ({ call }) => call.id === data["toolCallId"], settled(status, null, null), at)

/** If `agentId` is null, all open calls end. */
export const abort = (state: State, agentId: string | null, at: string | null): Step => {
  const isOver = (call: Call) => agentId === null || call.agentId === agentId
  const events = state.calls.filter(isOver).map((call) => toolCall(call, at, interrupted))
  return events.length === 0 ? [state, none] : [{ ...state, calls: state.calls.filter((one) => !isOver(one)) }, events]
}
