/** Builds the agent's todo list from tool calls. Some calls set the whole list, others change one task. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import { todo, todosIn, todoStatus } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { Todo } from "@reflexion/core/Transcript"

const maxTodos = 500
const maxContent = 2000

type List = ReadonlyArray<Todo>
export const tools = ["TodoWrite", "TaskCreate", "TaskUpdate"] as const

export interface Call {
  readonly tool: string
  readonly input: unknown
  readonly result: unknown
}

/** The list has at most 500 todos. Null if the call does not change the list. */
export const step = (tasks: List, call: Call): List | null => {
  const input = Json.object(call.input)
  const details = Json.object(call.result)
  switch (call.tool) {
    case "TodoWrite":
      return todosIn(input["todos"])
    case "TaskList":
      return todosIn(details["tasks"])
    case "TaskCreate":
      return created(tasks, input, Json.object(details["task"]))
    case "TaskUpdate": {
      const refusal = refusalOf(call.result)
      if (refusal === null) return changed(tasks, input)
      return /\bnot found\b|\bno such\b|\bunknown task\b|\bdoes(?:n't| not) exist\b/i.test(refusal)
        ? without(tasks, input)
        : null
    }
    default:
      return null
  }
}

/** Why the host did not change a task. */
const refusalOf = (result: unknown): string | null => {
  const details = Json.object(result)
  if (details["success"] === false) return Json.text(details["error"]).slice(0, 200)
  const said = Json.text(result).slice(0, 200)
  return /^(?:error|<tool_use_error>)/i.test(said) ? said : null
}

const idOf = (input: Json.Json): string | null => Json.string(input["taskId"]) ?? Json.string(input["id"])

/** A task that the host no longer knows does not count as open. */
const without = (tasks: List, input: Json.Json): List | null =>
  tasks.some(({ id }) => id !== null && id === idOf(input)) ? tasks.filter(({ id }) => id !== idOf(input)) : null

const created = (tasks: List, input: Json.Json, made: Json.Json): List | null => {
  const added = todo({ ...input, ...made, status: "pending" })[0]
  return added === undefined ? null : Json.append(tasks, added, maxTodos)
}

const changed = (tasks: List, input: Json.Json): List | null => {
  const id = idOf(input)
  const old = tasks.find((one) => one.id === id)
  if (id === null || old === undefined) return null
  const next: Todo = {
    id,
    content: (Json.string(input["subject"]) ?? old.content).slice(0, maxContent),
    status: todoStatus(input["status"]) ?? old.status
  }
  const deleted = input["status"] === "deleted"
  return tasks.flatMap((one) => (one !== old ? [one] : deleted ? [] : [next]))
}
