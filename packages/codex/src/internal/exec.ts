/** Decodes the event stream of `codex exec --json`. Its items have no times, and the prompt is not included. */
import * as Calls from "./calls.ts"
import * as Functions from "./functions.ts"
import * as Items from "./items.ts"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Messages from "./messages.ts"
import * as Rollout from "./rollout.ts"
import { type Call, none, type State, type Step } from "./state.ts"

const never = { started: null, ended: null }

export const types: ReadonlySet<string> = new Set([
  "thread.started",
  "turn.started",
  "turn.completed",
  "turn.failed",
  "item.started",
  "item.updated",
  "item.completed",
  "error"
])

export const line = (state: State, value: Json.Json): Step => {
  switch (value["type"]) {
    case "thread.started":
      return [begun(state, Json.string(value["thread_id"])), none]
    case "turn.failed":
      return [state, Rollout.failure(Json.object(value["error"]), null)]
    case "item.started":
    case "item.updated":
      return open(state, Json.object(value["item"]))
    case "item.completed":
      return completed(state, Json.object(value["item"]))
    default:
      return [state, none]
  }
}

/** Each process counts its items from 0, so earlier calls are forgotten. */
const begun = (state: State, threadId: string | null): State => ({
  ...state,
  sessionId: state.sessionId ?? threadId,
  // No person is present when this command runs.
  attended: false,
  calls: [],
  running: [],
  seen: []
})

const open = (state: State, item: Json.Json): Step => {
  if (item["type"] === "todo_list") return todos(state, item)
  const call = callOf(state, item)
  return call === null || Calls.find(state, call.id) !== undefined ? [state, none] : Calls.issue(state, call)
}

const completed = (state: State, item: Json.Json): Step => {
  const id = Json.text(item["id"])
  switch (item["type"]) {
    case "agent_message":
      return Messages.said(state, { from: "item", id, at: null, text: Json.text(item["text"]), final: false })
    case "todo_list":
      return todos(state, item)
    case "command_execution":
      return Items.command(state, item, id, never)
    case "mcp_tool_call":
      return Items.mcp(state, item, id, never)
    default:
      return other(state, item)
  }
}

const todos = (state: State, item: Json.Json): Step => {
  const update = Calls.todoUpdate(item["items"], null)
  return [state, update === null ? none : [update]]
}

const callOf = (state: State, item: Json.Json): Call | null => {
  const id = Json.text(item["id"])
  if (id === "") return null
  const plain = (tool: string, input: unknown): Call => ({ id, at: null, tool, input, cwd: null, parts: [] })
  switch (item["type"]) {
    case "command_execution":
      return Functions.shellCall(state, Calls.shell, item, { id, at: null })
    case "file_change":
      return plain("file_change", { changes: changesOf(item["changes"]) })
    case "mcp_tool_call":
      return plain(
        `mcp__${Json.text(item["server"])}__${Json.text(item["tool"])}`.slice(0, 200),
        Functions.bounded(item["arguments"])
      )
    case "web_search":
      return plain("web_search", { query: Json.text(item["query"]).slice(0, 2000) })
    case "collab_tool_call":
      return plain(Json.text(item["tool"]).slice(0, 200) || "agent", {
        prompt: Json.text(item["prompt"]).slice(0, 8000)
      })
    default:
      return null
  }
}

const maxFiles = 200

/** The stream does not include the changed text. */
const changesOf = (changes: unknown): Json.Json =>
  Object.fromEntries(
    Json.list(changes)
      .slice(0, maxFiles)
      .map((change) => {
        const { kind, path } = Json.object(change)
        return [Json.text(path).slice(0, 4096), Json.text(kind)]
      })
  )

const other = (state: State, item: Json.Json): Step => {
  const call = callOf(state, item)
  if (call === null) return [state, none]
  const failed = item["status"] === "failed"
  const outcome = { status: failed ? "error" : "completed", exitCode: null, output: null, running: null } as const
  if (Calls.find(state, call.id) !== undefined) return Calls.settle(state, call.id, outcome, null)
  return state.seen.includes(call.id) ? [state, none] : Calls.done(state, call, outcome, null)
}
