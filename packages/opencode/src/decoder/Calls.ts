/** Decodes tool parts: which tool was called, and how the call ended. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { Todo, ToolCall, TodoUpdate } from "@reflexion/core/Transcript"

type Outcome = Pick<ToolCall, "status" | "exitCode" | "output">

const maxOutput = 64 * 1024

/** Uses the part's id first, because some models give several calls of a session the same call id. */
const idOf = (part: Json.Json): string | null => Json.string(part["id"]) ?? Json.string(part["callID"])

const isAbsolute = (path: string): boolean => /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)

const directory = (workdir: unknown, cwd: string | null): string | null => {
  const path = Json.string(workdir)
  if (path === null || path === "") return cwd
  return isAbsolute(path) || cwd === null ? path : `${cwd}/${path}`
}

const noOutput = /^\(no output\)(?:\n\s*|$)/

/** The host adds this note below a command's output. */
const userAborted = /<((?:shell_|bash_)?metadata)>\n(?:[^<\n]{0,300}\n)?User aborted the command\n<\/\1>\s{0,9}$/

/** A call that the host does not understand becomes a "completed" call of a tool named "invalid". */
const completed = (part: Json.Json, state: Json.Json): Outcome => {
  const metadata = Json.object(state["metadata"])
  const printed = Json.string(state["output"]) ?? Json.text(metadata["output"])
  const output = Json.clip(printed.replace(noOutput, ""), maxOutput)
  const { exit } = metadata
  if (part["tool"] === "invalid") return { status: "error", exitCode: null, output }
  if (typeof exit === "number")
    return { status: exit === 0 ? "completed" : "error", exitCode: Json.exitCode(exit), output }
  const ended = exit === null ? "error" : "completed"
  return { status: userAborted.test(output.slice(-200)) ? "interrupted" : ended, exitCode: null, output }
}

const denials = [
  "The user rejected permission",
  "The user has specified a rule which prevents",
  "The user dismissed this question"
]

const interruptions = ["Tool execution aborted", "Task cancelled"]

const failed = (state: Json.Json): Outcome => {
  const error = Json.text(state["error"])
  const said = error.replace(/^Error: /, "")
  const { exit, interrupted: isInterrupted } = Json.object(state["metadata"])
  const interrupted = isInterrupted === true || interruptions.some((one) => said.startsWith(one))
  const denied = denials.some((one) => said.startsWith(one))
  return {
    status: denied ? "denied" : interrupted ? "interrupted" : "error",
    exitCode: Json.exitCode(exit),
    output: Json.clip(error, maxOutput)
  }
}

const outcome = (part: Json.Json, state: Json.Json): Outcome => {
  const { status } = state
  if (status === "completed" || status === "success") return completed(part, state)
  if (status === "error") return failed(state)
  return { status: status === "running" ? "running" : "pending", exitCode: null, output: null }
}

/** `cwd` is the directory of the part's message. */
export const ofPart = (part: Json.Json, cwd: string | null): ToolCall => {
  const state = Json.object(part["state"])
  const time = Json.object(state["time"])
  const input = state["input"] ?? null
  const given = Json.object(input)
  return {
    type: "tool_call",
    id: idOf(part),
    at: Json.millis(time["start"]),
    endedAt: Json.millis(time["end"]),
    tool: (Json.string(part["tool"]) ?? "unknown").slice(0, 200),
    input,
    cwd: directory(given["workdir"] ?? given["cwd"], cwd),
    background: false,
    agentId: null,
    ...outcome(part, state)
  }
}

const agent = /^<task id="(\w[\w-]{0,200})" state="(running|completed|error)">/

/** Null if the host's text names no session of an agent. */
export const agentIn = (text: string): { readonly session: string; readonly state: string } | null => {
  const [, session, state] = agent.exec(text.slice(0, 300)) ?? []
  return session === undefined || state === undefined ? null : { session, state }
}

/** The session of the background agent that the part started. Null if the part did something else. */
export const startedBy = (part: Json.Json): string | null => {
  const { metadata, output, status } = Json.object(part["state"])
  const told = agentIn(Json.text(output))
  const isStart = status === "completed" && Json.object(metadata)["background"] === true && told?.state === "running"
  return isStart ? told.session : null
}

export const childOf = (part: Json.Json): string | null => {
  const metadata = Json.object(Json.object(part["state"])["metadata"])
  return part["type"] === "tool" ? (Json.string(metadata["sessionId"]) ?? Json.string(metadata["sessionID"])) : null
}

export const todosOf = (call: ToolCall): TodoUpdate | null => {
  if (call.tool !== todoTool || call.status !== "completed") return null
  const todos = todosIn(call.input)
  return todos === null ? null : { type: "todo_update", at: call.endedAt ?? call.at, todos }
}

export const todoTool = "todowrite"

export const todosIn = (input: unknown): ReadonlyArray<Todo> | null =>
  TranscriptDecoder.todosIn(Json.object(input)["todos"])
