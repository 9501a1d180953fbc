/**
 * The agent's todo list as Claude Code's tool calls make it, one after another: the whole of it at once, or task by task.
 */
import type { Todo } from "@reflexion/core/Transcript"
import * as Todos from "./internal/todos.ts"

/**
 * The tools that change a list.
 *
 * @category constants
 */
export const tools = ["TodoWrite", "TaskCreate", "TaskUpdate"] as const

/**
 * A tool call that has ended, with the host's own result.
 *
 * @category models
 */
export type Call = Todos.Finished

/**
 * The list after a call, at most 500 todos; null for a call that leaves it as it was.
 *
 * @category folds
 */
export const step = (todos: ReadonlyArray<Todo>, call: Call): ReadonlyArray<Todo> | null => Todos.after(todos, call)
