/** The agent's todo list, in both forms that the host has had: the whole list at once, and tasks one by one. */
import type { Todo, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Json from "@reflexion/core/Json"
import type * as State from "./state.ts"

type Step = readonly [State.State, ReadonlyArray<TranscriptEvent>]

const maxTodos = 500
const maxContent = 2000
const none: ReadonlyArray<TranscriptEvent> = []

const statuses: Readonly<Record<string, Todo["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "cancelled"
}

const todo = (value: unknown): ReadonlyArray<Todo> => {
  const item = Json.object(value)
  const content = Json.string(item["content"]) ?? Json.string(item["subject"])
  if (content === null) return []
  const status = statuses[Json.text(item["status"])] ?? "pending"
  return [{ id: Json.string(item["id"]), content: content.slice(0, maxContent), status }]
}

const whole = (state: State.State, values: unknown, at: string | null): Step => {
  const tasks = Json.list(values).slice(0, maxTodos).flatMap(todo)
  return [{ ...state, tasks }, [{ type: "todo_update", at, todos: tasks }]]
}

export const update = (state: State.State, call: State.Call, result: unknown, at: string | null): Step => {
  const input = Json.object(call.input)
  const details = Json.object(result)
  switch (call.tool) {
    case "TodoWrite":
      return Array.isArray(input["todos"]) ? whole(state, input["todos"], at) : [state, none]
    case "TaskList":
      return Array.isArray(details["tasks"]) ? whole(state, details["tasks"], at) : [state, none]
    case "TaskCreate":
      return create(state, input, Json.object(details["task"]), at)
    case "TaskUpdate":
      return details["success"] === false ? [state, none] : change(state, input, at)
    default:
      return [state, none]
  }
}

const create = (state: State.State, input: Json.Json, made: Json.Json, at: string | null): Step => {
  const added = todo({ ...input, ...made, status: "pending" })[0]
  if (added === undefined) return [state, none]
  const tasks = Json.append(state.tasks, added, maxTodos)
  return [{ ...state, tasks }, [{ type: "todo_update", at, todos: tasks }]]
}

const change = (state: State.State, input: Json.Json, at: string | null): Step => {
  const id = Json.string(input["taskId"]) ?? Json.string(input["id"])
  const old = state.tasks.find((one) => one.id === id)
  if (id === null || old === undefined) return [state, none]
  const changed: Todo = {
    id,
    content: (Json.string(input["subject"]) ?? old.content).slice(0, maxContent),
    status: statuses[Json.text(input["status"])] ?? old.status
  }
  const deleted = input["status"] === "deleted"
  const tasks = state.tasks.flatMap((one) => (one !== old ? [one] : deleted ? [] : [changed]))
  return [{ ...state, tasks }, [{ type: "todo_update", at, todos: tasks }]]
}
