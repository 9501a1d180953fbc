/**
 * What a todo list can show of a plan that goes wrong, as data: so that a configuration can declare patterns of its own,
 * and none of them runs code.
 *
 * @since 0.1.0
 */
import * as Schemas from "./todoPatternSchema.ts"
import * as Words from "./todoWords.ts"
import type { Todo } from "../transcript/Transcript.ts"

/**
 * Which todos are meant: of these states; that contain one of these words or phrases, whatever their case; that are given
 * to another agent, or not; that are to write code, or not. What is left out does not matter.
 *
 * @since 0.1.0
 * @category models
 */
export const Which = Schemas.Which

/**
 * @since 0.1.0
 * @category models
 */
export type Which = typeof Schemas.Which.Type

/**
 * What is true of a list: how many of its todos are meant (at least one, where neither bound is given), or all, one or
 * none of several such; where it says more than one of these, all of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Condition {
  readonly count?: Which
  readonly atLeast?: number
  readonly atMost?: number
  readonly all?: ReadonlyArray<Condition>
  readonly any?: ReadonlyArray<Condition>
  readonly not?: Condition
}

/**
 * At most four conditions stand in one another.
 *
 * @since 0.1.0
 * @category models
 */
export const Condition = Schemas.Condition

/**
 * A pattern: `message` is what the agent is told, `limit` how often in the life of a list (once, unless said otherwise).
 *
 * @since 0.1.0
 * @category models
 */
export const Pattern = Schemas.Pattern

/**
 * @since 0.1.0
 * @category models
 */
export type Pattern = typeof Schemas.Pattern.Type

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
