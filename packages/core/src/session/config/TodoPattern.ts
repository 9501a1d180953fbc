/**
 * What a todo list can show of a plan that goes wrong, as data: so that a configuration can declare patterns of its own,
 * and none of them runs code.
 *
 * @since 0.1.0
 */
import * as Words from "./todoWords.ts"
import type { Todo } from "../transcript/Transcript.ts"
import { type Which, type Condition } from "./todoPatternSchema.ts"

export { Which, Condition, Pattern } from "./todoPatternSchema.ts"


const isMeant = (todo: Todo, { contains, delegated, implementation, status }: Which, agents: ReadonlyArray<string>) =>
  (status === undefined || status.includes(todo.status)) &&
  (contains === undefined || Words.hasOneOf(todo.content, contains)) &&
  (delegated === undefined || Words.isDelegated(todo.content, agents) === delegated) &&
  (implementation === undefined || Words.isImplementation(todo.content) === implementation)

/**
 * The todos that a condition is about: those that it counts, wherever it counts any.
 *
 * @since 0.1.0
 * @category accessors
 */
export const meant = (
  { all = [], any = [], count }: Condition,
  todos: ReadonlyArray<Todo>,
  agents: ReadonlyArray<string> = []
): ReadonlyArray<Todo> => {
  if (count !== undefined) return todos.filter((todo) => isMeant(todo, count, agents))
  const parts = [...all, ...any.filter((part) => holds(part, todos, agents))]
  const found = new Set(parts.flatMap((part) => meant(part, todos, agents)))
  return todos.filter((todo) => found.has(todo))
}

const isCounted = (
  { atLeast, atMost, count = {} }: Condition,
  todos: ReadonlyArray<Todo>,
  agents: ReadonlyArray<string>
): boolean => {
  const found = todos.filter((todo) => isMeant(todo, count, agents)).length
  return found >= (atLeast ?? (atMost === undefined ? 1 : 0)) && (atMost === undefined || found <= atMost)
}

/**
 * Whether a condition is true of a list. `agents` are the names of those who can be given work.
 *
 * @since 0.1.0
 * @category predicates
 */
export const holds = (
  condition: Condition,
  todos: ReadonlyArray<Todo>,
  agents: ReadonlyArray<string> = []
): boolean => {
  const { all, any, count, not } = condition
  return (
    (count === undefined || isCounted(condition, todos, agents)) &&
    (all === undefined || all.every((part) => holds(part, todos, agents))) &&
    (any === undefined || any.some((part) => holds(part, todos, agents))) &&
    (not === undefined || !holds(not, todos, agents))
  )
}
