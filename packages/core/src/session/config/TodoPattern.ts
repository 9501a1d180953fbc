/**
 * What a todo list can show of a plan that goes wrong, as data: so that a configuration can declare patterns of its own,
 * and none of them runs code.
 */
import * as Words from "./todoWords.ts"
import type { Todo } from "../transcript/Transcript.ts"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Flag, list, must, shape, text, whole } from "./values.ts"

const statuses = ["pending", "in_progress", "completed", "cancelled"] as const

const Status = Schema.Literal(...statuses).annotations(must(`one of "${statuses.join('", "')}"`))

const maxWords = 50

/** None at all would mean that no todo is meant, whatever else is said. */
const some = <A, I>(item: Schema.Schema<A, I>, what: string) =>
  list(item, { most: maxWords, what }).pipe(Schema.minItems(1, shape(`at least one of the ${what}`)))

/**
 * Which todos are meant: of these states; that contain one of these words or phrases, whatever their case; that are given
 * to another agent, or not; that are to write code, or not. What is left out does not matter.
 *
 * @category models
 */
export const Which = Schema.Struct({
  status: Schema.optionalWith(some(Status, "states"), { exact: true }),
  contains: Schema.optionalWith(some(text(100), "words or phrases"), { exact: true }),
  delegated: Schema.optionalWith(Flag, { exact: true }),
  implementation: Schema.optionalWith(Flag, { exact: true })
}).annotations(shape("an object with status, contains, delegated or implementation"))

export type Which = typeof Which.Type

const mostTodos = 500

const count = whole(0, mostTodos)

/** How many conditions may stand in one another, and beside one another. */
export const maxDepth = 4
const maxParts = 20

const what = "an object with count (and atLeast or atMost), all, any or not"

const none = (value: unknown): value is Condition => Predicate.isNever(value)

const tooDeep: Schema.Schema<Condition> = Schema.declare(none).annotations(
  shape(`left out: at most ${maxDepth} conditions may stand in one another`)
)

const says = ({ all, any, atLeast, atMost, count, not }: Condition): boolean =>
  count === undefined
    ? atLeast === undefined && atMost === undefined && (all !== undefined || any !== undefined || not !== undefined)
    : all === undefined && any === undefined && not === undefined

/** As deep as it may be, and no deeper: what decodes it need not look out for anything that calls itself for ever. */
const level = (left: number): Schema.Schema<Condition> => {
  const part = left === 0 ? tooDeep : level(left - 1)
  const parts = list(part, { most: maxParts, what: "conditions" }).pipe(
    Schema.minItems(1, shape("at least one condition"))
  )
  return Schema.Struct({
    count: Schema.optionalWith(Which, { exact: true }),
    atLeast: Schema.optionalWith(count, { exact: true }),
    atMost: Schema.optionalWith(count, { exact: true }),
    all: Schema.optionalWith(parts, { exact: true }),
    any: Schema.optionalWith(parts, { exact: true }),
    not: Schema.optionalWith(part, { exact: true })
  }).pipe(Schema.annotations(shape(what)), Schema.filter(says, { message: () => `must be ${what}` }))
}

/**
 * At most four conditions stand in one another.
 *
 * @category models
 */
export const Condition = level(maxDepth - 1)

/**
 * What is true of a list: how many of its todos are meant (at least one, where neither bound is given), or all, one or
 * none of several such; where it says more than one of these, all of them.
 *
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

export const maxLimit = 20

/**
 * A pattern: `message` is what the agent is told, `limit` how often in the life of a list (once, unless said otherwise).
 *
 * @category models
 */
export const Pattern = Schema.Struct({
  name: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/),
    Schema.annotations(must("1 to 40 letters, digits, '.', '_', ':' or '-', beginning with a letter or digit"))
  ),
  when: Condition,
  message: text(1000),
  limit: Schema.optionalWith(whole(0, maxLimit), { exact: true })
}).annotations(shape("an object with name, when and message"))

export type Pattern = typeof Pattern.Type

const isMeant = (todo: Todo, { contains, delegated, implementation, status }: Which, agents: ReadonlyArray<string>) =>
  (status === undefined || status.includes(todo.status)) &&
  (contains === undefined || Words.hasOneOf(todo.content, contains)) &&
  (delegated === undefined || Words.isDelegated(todo.content, agents) === delegated) &&
  (implementation === undefined || Words.isImplementation(todo.content) === implementation)

/**
 * The todos that a condition is about: those that it counts, wherever it counts any.
 *
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
