/** Decodes the host's own report of what was done: items of newer versions, and events of older ones. */
import * as Calls from "./calls.ts"
import * as Functions from "./functions.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Messages from "./messages.ts"
import * as Outcome from "./outcome.ts"
import * as Patch from "./patch.ts"
import { type Call, none, type State, type Step } from "./state.ts"

interface Times {
  readonly started: string | null
  readonly ended: string | null
}

export const completed = (state: State, payload: Json.Json, at: string | null): Step => {
  const item = Json.object(payload["item"])
  const times = {
    started: Json.millis(payload["started_at_ms"]) ?? at,
    ended: Json.millis(payload["completed_at_ms"]) ?? at
  }
  switch (item["type"]) {
    case "UserMessage":
      return userMessage(state, item, at)
    case "AgentMessage":
      return Messages.said(state, {
        from: "event",
        id: Json.string(item["id"]),
        at,
        text: Json.contentText(item["content"]),
        final: item["phase"] === "final_answer"
      })
    case "CommandExecution":
      return command(state, item, Json.text(item["id"]), times)
    case "FileChange":
      return fileChange(state, item, Json.text(item["id"]), times)
    case "McpToolCall":
      return mcp(state, item, Json.text(item["id"]), times)
    default:
      return [state, none]
  }
}

const userMessage = (state: State, item: Json.Json, at: string | null): Step => {
  const content = Json.list(item["content"])
  const text = Json.contentText(content)
  return Messages.userEvent(
    state,
    text.trim() === "" && content.length > 0 ? "[image]" : text,
    Json.string(item["id"]),
    at
  )
}

/** These are not calls of the agent, but a command of the user or input to a running command. */
const foreign = new Set(["user_shell", "userShell", "unified_exec_interaction"])

export const command = (state: State, item: Json.Json, id: string, { ended, started }: Times): Step => {
  const outcome = Outcome.ofItem(item)
  if (Calls.find(state, id) !== undefined) return Calls.settle(state, id, outcome, ended)
  if (id === "" || foreign.has(Json.text(item["source"])) || state.seen.includes(id)) return [state, none]
  const call = Functions.shellCall(state, Calls.shell, item, { id, at: started })
  return Calls.done(Calls.named(state, "command", commandText(call)), call, outcome, ended)
}

const commandText = (call: Call): string => Json.text(Json.object(call.input)["command"])

/** A patch inside a shell command becomes a separate call. */
export const fileChange = (state: State, item: Json.Json, id: string, { ended, started }: Times): Step => {
  const failed = item["status"] === "failed" || item["success"] === false
  const status = item["status"] === "declined" ? "denied" : failed ? "error" : "completed"
  const output = Outcome.clipOutput(Json.text(failed ? item["stderr"] : item["stdout"]))
  const outcome: Outcome.Outcome = { status, exitCode: null, output, running: null }
  const issued = Calls.find(state, id)
  if (issued?.tool === Calls.patch) return Calls.settle(state, id, outcome, ended)
  if (id === "" || (issued === undefined && state.seen.includes(id))) return [state, none]
  const own = issued === undefined ? id : `${id}/patch`
  const call = Functions.patchCall(state, Patch.ofChanges(item["changes"]), { id: own, at: started })
  return Calls.done(Calls.named(state, "patch", null), call, outcome, ended)
}

export const mcp = (state: State, item: Json.Json, id: string, { ended, started }: Times): Step => {
  const invocation = Json.isObject(item["invocation"]) ? item["invocation"] : item
  const outcome = mcpOutcome(item)
  if (Calls.find(state, id) !== undefined) return Calls.settle(state, id, outcome, ended)
  if (id === "" || state.seen.includes(id)) return [state, none]
  const tool = `mcp__${Json.text(invocation["server"])}__${Json.text(invocation["tool"])}`.slice(0, 200)
  const call: Call = {
    id,
    at: started,
    tool,
    input: Functions.bounded(invocation["arguments"]),
    cwd: state.turnCwd,
    parts: []
  }
  return Calls.done(state, call, outcome, ended)
}

const mcpOutcome = (item: Json.Json): Outcome.Outcome => {
  const result = Json.object(item["result"])
  const answer = Json.isObject(result["Ok"]) ? result["Ok"] : result
  const isError =
    Object.hasOwn(result, "Err") ||
    Json.isObject(item["error"]) ||
    item["status"] === "failed" ||
    answer["is_error"] === true ||
    answer["isError"] === true
  const output = Outcome.clipOutput(Json.contentText(answer["content"]) || Json.text(result["Err"]))
  return { status: isError ? "error" : "completed", exitCode: null, output, running: null }
}

/** Older versions report the end of a call with these events. */
export const ended = (state: State, payload: Json.Json, at: string | null): Step => {
  const id = Json.text(payload["call_id"])
  const times = { started: at, ended: at }
  switch (payload["type"]) {
    case "exec_command_end":
      return command(state, payload, id, times)
    case "patch_apply_end":
      return fileChange(state, payload, id, times)
    default:
      return mcp(state, payload, id, times)
  }
}
