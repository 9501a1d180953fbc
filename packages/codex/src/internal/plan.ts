/** The plan that an agent keeps, as a todo list. */
import type { Todo, TodoUpdate } from "@reflexion/core/Transcript"
import * as Json from "@reflexion/core/internal/base/json/Json"

const maxSteps = 200
const maxContent = 2000

const statuses: Readonly<Record<string, Todo["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed"
}

/** The list as an update leaves it, null for a value that is none. */
export const ofSteps = (value: unknown, at: string | null): TodoUpdate | null =>
  Array.isArray(value) ? { type: "todo_update", at, todos: value.slice(0, maxSteps).flatMap(todo) } : null

const todo = (value: unknown): ReadonlyArray<Todo> => {
  const step = Json.object(value)
  const content = Json.string(step["step"]) ?? Json.string(step["text"])
  if (content === null) return []
  const told = statuses[Json.text(step["status"])]
  const status = told ?? (step["completed"] === true ? "completed" : "pending")
  return [{ id: null, content: content.slice(0, maxContent), status }]
}
