/** Handles tool calls: their start, their result, and work that continues after them. */
import type { TodoUpdate, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import {
  chain,
  pending,
  type CallResult,
  todosIn,
  toolCall
} from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import * as Outcome from "./outcome.ts"
import { type Call, none, type Part, type RunningWork, type State, type Step } from "./state.ts"

const maxSeen = 64
const maxPartial = 16 * 1024

export const shell = "exec_command"
export const patch = "apply_patch"
export const script = "code_mode"
export const opaqueScript = "code_mode_script"

const event = (call: Call, endedAt: string | null, settled: CallResult): ToolCall =>
  toolCall({ ...call, agentId: null }, endedAt, settled)

export const issue = (state: State, call: Call): Step => [
  { ...state, calls: [...state.calls, call] },
  [event(call, null, pending)]
]

/** The host reports this call only after its end. */
export const done = (state: State, call: Call, outcome: Outcome.Outcome, at: string | null): Step =>
  chain(
    state,
    (current) => issue(current, call),
    (current) => settle(current, call.id, outcome, at)
  )

export const find = (state: State, id: string): Call | undefined =>
  state.calls.find((call) => call.id === id) ?? state.running.find(({ call }) => call.id === id)?.call

/** A call with a final result does not change. */
export const settle = (state: State, id: string, outcome: Outcome.Outcome, at: string | null): Step => {
  const call = state.calls.find((one) => one.id === id)
  if (call !== undefined) return settleOpen(state, call, outcome, at)
  const running = state.running.find((one) => one.call.id === id)
  return running === undefined || outcome.running !== null ? [state, none] : end(state, running, outcome, at)
}

const settleOpen = (state: State, call: Call, outcome: Outcome.Outcome, at: string | null): Step => {
  const rest = { ...state, calls: state.calls.filter((one) => one !== call) }
  if (outcome.running === null) return over(rest, call, { ...outcome, background: false }, at)
  const started = { key: outcome.running, call, output: Json.clip(outcome.output ?? "", maxPartial / 2) }
  const settled: CallResult = { background: true, status: "running", exitCode: null, output: null }
  return [{ ...rest, running: [...rest.running, started] }, [event(call, null, settled)]]
}

/** The output also includes what the work printed earlier. */
const end = (state: State, running: RunningWork, outcome: Outcome.Outcome, at: string | null): Step => {
  const rest = { ...state, running: state.running.filter((one) => one !== running) }
  const printed = outcome.output ?? ""
  const whole = printed.startsWith(running.output) ? printed : `${running.output}${printed}`
  return over(rest, running.call, { ...outcome, output: Outcome.clipOutput(whole), background: true }, at)
}

const over = (state: State, call: Call, outcome: CallResult, at: string | null): Step => {
  const { background, exitCode, output, status } = outcome
  const settled = event(call, at, { background, status, exitCode, output })
  const plan = call.tool === "update_plan" && status === "completed" ? planOf(call, at) : none
  return chain(
    { ...state, seen: Json.append(state.seen, call.id, maxSeen) },
    (current) => [current, [settled, ...plan]],
    (current) => unnamed(current, call, outcome, at)
  )
}

export const todoUpdate = (steps: unknown, at: string | null): TodoUpdate | null => {
  const todos = todosIn(steps)
  return todos === null ? null : { type: "todo_update", at, todos }
}

const planOf = (call: Call, at: string | null): ReadonlyArray<TranscriptEvent> => {
  const update = todoUpdate(Json.object(call.input)["plan"], at)
  return update === null ? none : [update]
}

/** These parts of a script have no record of their own. If there is only one part, it gets the script's result. */
const unnamed = (state: State, call: Call, outcome: CallResult, at: string | null): Step => {
  const known = call.parts.length === 1 ? printed(outcome) : { ...outcome, exitCode: null, output: null }
  return chain(
    state,
    ...call.parts.map(
      (part, index) => (current: State) => done(current, partCall(call, part, index), { ...known, running: null }, at)
    )
  )
}

const partCall = (call: Call, part: Part, index: number): Call => ({
  id: `${call.id}/${index}`,
  at: call.at,
  tool: part.kind === "patch" ? patch : shell,
  input: part.kind === "patch" ? { patch: part.text } : { command: part.text },
  cwd: part.cwd ?? call.cwd,
  parts: []
})

/** If the script printed the result object itself, that object contains the exit code. */
const printed = ({ output, status }: CallResult): Pick<ToolCall, "status" | "exitCode" | "output"> => {
  const result = Json.object(output?.startsWith("{") === true ? JsonLines.first(output) : null)
  const exitCode = Json.exitCode(result["exit_code"])
  if (exitCode === null || status !== "completed") return { status, exitCode: null, output }
  return { status: exitCode === 0 ? status : "error", exitCode, output: Json.string(result["output"]) ?? output }
}

/** If a part of a script has a record of its own, the part must not become a second call. */
export const named = (state: State, kind: Part["kind"], text: string | null): State => {
  const isNamed = (part: Part): boolean => part.kind === kind && (text === null || part.text === text)
  const open = state.calls.find((call) => call.parts.some(isNamed))
  if (open !== undefined) {
    return { ...state, calls: state.calls.map((call) => (call === open ? withoutPart(call, isNamed) : call)) }
  }
  const running = state.running.find(({ call }) => call.parts.some(isNamed))
  if (running === undefined) return state
  const told = { ...running, call: withoutPart(running.call, isNamed) }
  return { ...state, running: state.running.map((one) => (one === running ? told : one)) }
}

const withoutPart = (call: Call, isNamed: (part: Part) => boolean): Call => {
  const found = call.parts.findIndex(isNamed)
  return { ...call, parts: call.parts.filter((_, index) => index !== found) }
}

export const polled = (state: State, key: string, outcome: Outcome.Outcome, at: string | null): Step => {
  const running = state.running.find((one) => one.key === key)
  if (running === undefined) return [state, none]
  if (outcome.running === null) return end(state, running, outcome, at)
  const output = Json.clip(running.output + (outcome.output ?? ""), maxPartial / 2)
  return [{ ...state, running: state.running.map((one) => (one === running ? { ...one, output } : one)) }, none]
}
