/**
 * What a todo list can show of a plan that goes wrong, as data: so that a configuration can declare patterns of its own,
 * and none of them runs code.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Words from "./internal/todoWords.ts"
import type { Todo } from "./Transcript.ts"

const Status = Schema.Literal("pending", "in_progress", "completed", "cancelled")

/**
 * Which todos are meant: of these states; that contain one of these words or phrases, whatever their case; that are given
 * to another agent, or not; that are to write code, or not. What is left out does not matter.
 *
 * @since 0.1.0
 * @category models
 */
export const Which = Schema.Struct({
  status: Schema.optional(Schema.Array(Status).pipe(Schema.minItems(1))),
  contains: Schema.optional(Schema.Array(Schema.NonEmptyTrimmedString).pipe(Schema.minItems(1))),
  delegated: Schema.optional(Schema.Boolean),
  implementation: Schema.optional(Schema.Boolean)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Which = typeof Which.Type

const count = Schema.NonNegativeInt

/**
 * What is true of a list: how many of its todos are meant (at least one, where neither bound is given), or several such.
 *
 * @since 0.1.0
 * @category models
 */
export type Condition =
  | { readonly count: Which; readonly atLeast?: number | undefined; readonly atMost?: number | undefined }
  | { readonly all: ReadonlyArray<Condition> }
  | { readonly any: ReadonlyArray<Condition> }
  | { readonly not: Condition }

/**
 * @since 0.1.0
 * @category models
 */
export const Condition: Schema.Schema<Condition> = Schema.Union(
  Schema.Struct({ count: Which, atLeast: Schema.optional(count), atMost: Schema.optional(count) }),
  Schema.Struct({ all: Schema.Array(Schema.suspend((): Schema.Schema<Condition> => Condition)) }),
  Schema.Struct({ any: Schema.Array(Schema.suspend((): Schema.Schema<Condition> => Condition)) }),
  Schema.Struct({ not: Schema.suspend((): Schema.Schema<Condition> => Condition) })
)

/**
 * A pattern: `message` is what the agent is told, `limit` how often in the life of a list (once, unless said otherwise).
 *
 * @since 0.1.0
 * @category models
 */
export const Pattern = Schema.Struct({
  name: Schema.NonEmptyTrimmedString.pipe(Schema.maxLength(40)),
  when: Condition,
  message: Schema.NonEmptyTrimmedString.pipe(Schema.maxLength(1000)),
  limit: Schema.optional(count)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Pattern = typeof Pattern.Type

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
  condition: Condition,
  todos: ReadonlyArray<Todo>,
  agents: ReadonlyArray<string> = []
): ReadonlyArray<Todo> => {
  if ("count" in condition) return todos.filter((todo) => isMeant(todo, condition.count, agents))
  if ("not" in condition) return []
  const parts = "all" in condition ? condition.all : condition.any.filter((part) => holds(part, todos, agents))
  const found = new Set(parts.flatMap((part) => meant(part, todos, agents)))
  return todos.filter((todo) => found.has(todo))
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
  if ("all" in condition) return condition.all.every((part) => holds(part, todos, agents))
  if ("any" in condition) return condition.any.some((part) => holds(part, todos, agents))
  if ("not" in condition) return !holds(condition.not, todos, agents)
  const { atMost } = condition
  const { atLeast = atMost === undefined ? 1 : 0 } = condition
  const found = todos.filter((todo) => isMeant(todo, condition.count, agents)).length
  return found >= atLeast && (atMost === undefined || found <= atMost)
}
