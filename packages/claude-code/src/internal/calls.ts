/** Handles tool calls: their start, their result, and calls that continue in the background. */
import { pending, toolCall } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { ToolStatus, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Outcome from "./outcome.ts"
import { tagged } from "./prompt.ts"
import { type Call, none, type Result, type State, type Step } from "./state.ts"
import * as Todos from "../ClaudeCodeTodos.ts"

export const issue = (state: State, call: Call): Step => {
  const early = state.early.find((one) => one.id === call.id)
  const issued = toolCall(call, null, pending)
  if (early === undefined) return [{ ...state, calls: [...state.calls, call] }, [issued]]
  const rest = { ...state, early: state.early.filter((one) => one !== early) }
  const [next, events] = settleCall(rest, call, early)
  return [next, [issued, ...events]]
}

export const settle = (state: State, result: Result): Step => {
  const call = state.calls.find((one) => one.id === result.id)
  if (call === undefined) return [{ ...state, early: [...state.early, result] }, none]
  return settleCall({ ...state, calls: state.calls.filter((one) => one !== call) }, call, result)
}

const settleCall = (state: State, call: Call, result: Result): Step => {
  const outcome = Outcome.outcome(call.tool, call.input, Json.object(result.block), result.result)
  const { status, exitCode, output, task } = outcome
  const settled = toolCall(call, task === null ? result.at : null, {
    background: task !== null,
    status,
    exitCode,
    output
  })
  const started = task === null ? state : { ...state, background: [...state.background, { task, call }] }
  const [next, events] = call.agentId === null ? consequences(started, call, outcome, result) : [started, none]
  return [next, [settled, ...events]]
}

const consequences = (state: State, call: Call, outcome: Outcome.Outcome, { at, result }: Result): Step => {
  if (outcome.said !== null) return [state, [said(state, call, at, outcome.said)]]
  if (outcome.status === "error" && call.tool === "TaskUpdate")
    return listed(state, call, Json.string(result) ?? `Error: ${outcome.output ?? ""}`, at)
  if (outcome.status !== "completed") return [state, none]
  switch (call.tool) {
    case "EnterPlanMode":
      return setMode(state, "plan", at)
    case "ExitPlanMode":
      return setMode(state, "build", at)
    // With `--json-schema`, the answer is the input of this call. No text follows.
    case "StructuredOutput":
      return [state, [answer(call, at)]]
    case "ScheduleWakeup":
      return [state, [{ type: "notice", at, kind: "background_running", detail: "a wake-up is scheduled" }]]
    case "TaskOutput":
    case "BashOutput":
      return polled(state, Json.object(call.input), pollOf(result, outcome.output), at)
    case "TaskStop":
    case "KillShell":
    case "KillBash":
      return endTask(state, {
        task: taskIdOf(Json.object(call.input)),
        status: "interrupted",
        exitCode: null,
        output: null,
        at
      })
    default:
      return listed(state, call, result, at)
  }
}

const listed = (state: State, { input, tool }: Call, result: unknown, at: string | null): Step => {
  const tasks = Todos.step(state.tasks, { tool, input, result })
  return tasks === null ? [state, none] : [{ ...state, tasks }, [{ type: "todo_update", at, todos: tasks }]]
}

const said = (state: State, call: Call, at: string | null, text: string): TranscriptEvent => ({
  type: "user_message",
  id: `${call.id}#said`,
  at,
  text,
  synthetic: false,
  turn: Math.max(0, state.turn)
})

const answer = (call: Call, at: string | null): TranscriptEvent => ({
  type: "assistant_message",
  id: `${call.id}#answer`,
  at,
  text: Outcome.clipOutput(JSON.stringify(call.input) ?? ""),
  completed: true,
  outputTokens: null,
  model: null
})

export const setMode = (state: State, mode: "build" | "plan", at: string | null): Step =>
  state.mode === mode && state.nextMode === null
    ? [state, none]
    : [{ ...state, mode, nextMode: null }, state.mode === mode ? none : [{ type: "mode_change", at, mode }]]

export interface TaskEnd {
  readonly task: string
  readonly callId?: string | null
  readonly status: ToolStatus
  readonly exitCode: number | null
  readonly output: string | null
  readonly at: string | null
}

/** The task's result becomes the result of the call that started the task. */
export const endTask = (state: State, ended: TaskEnd): Step => {
  const found = state.background.find(
    (one) => (one.task !== "" && one.task === ended.task) || one.call.id === ended.callId
  )
  if (found === undefined) return [state, none]
  const { status, exitCode, output, at } = ended
  const settled = toolCall(found.call, at, { background: true, status, exitCode, output })
  return [{ ...state, background: state.background.filter((one) => one !== found) }, [settled]]
}

const taskIdOf = (input: Json.Json): string =>
  Json.string(input["task_id"]) ?? Json.string(input["bash_id"]) ?? Json.text(input["shell_id"])

const ends: Readonly<Record<string, ToolStatus>> = {
  completed: "completed",
  failed: "error",
  error: "error",
  killed: "interrupted",
  stopped: "interrupted",
  cancelled: "interrupted"
}

export const endStatus = (status: string): ToolStatus | null => ends[status] ?? null

/** Some versions give only the text that the model reads. */
const pollOf = (result: unknown, text: string | null): Json.Json => {
  if (Json.isObject(result) || text === null) return Json.object(result)
  const code = (tagged(text, "exit_code") ?? "").trim()
  return {
    task_id: (tagged(text, "task_id") ?? "").trim(),
    status: (tagged(text, "status") ?? "").trim(),
    output: tagged(text, "output") ?? tagged(text, "stdout"),
    exitCode: /^-?\d{1,9}$/.test(code) ? Number(code) : null
  }
}

const polled = (state: State, input: Json.Json, result: Json.Json, at: string | null): Step => {
  const task = Object.hasOwn(result, "task") ? Json.object(result["task"]) : result
  const status = endStatus(Json.text(task["status"]))
  if (status === null) return [state, none]
  const output = Json.string(task["output"]) ?? Json.string(task["stdout"])
  return endTask(state, {
    task: taskIdOf(task) || taskIdOf(input),
    status,
    exitCode: Json.number(task["exitCode"]),
    output: output === null ? null : Outcome.clipOutput(output),
    at
  })
}
