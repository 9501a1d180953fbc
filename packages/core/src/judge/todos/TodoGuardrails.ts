/**
 * What a coordinating agent is told about its todo list, bounded: one reminder at an update, one of a pattern in the life
 * of a list, and one checkpoint when all of it is done. A fold over the list's updates; its state is data and outlasts a
 * process, a compaction and the user's next message.
 */
import * as Lists from "./lists.ts"
import * as Config from "../../session/config/Defaults.ts"
import type { ReflexionConfig } from "../../session/config/model.ts"
import { oneLine, plural } from "../../base/text/Text.ts"
import * as Words from "./words.ts"
import type { Todo } from "../../session/transcript/Transcript.ts"

/**
 * What agents are told about their todo lists, as the configuration says it.
 *
 * @category models
 */
export type Options = ReflexionConfig["todos"]

export const defaults: Options = Config.defaults.todos

/** A list from when it is made until all of it is done or another is in its place. */
interface Life {
  readonly number: number
  readonly list: ReadonlyArray<string>
  readonly told: Readonly<Record<string, number>>
  readonly done: boolean
}

/**
 * What is remembered of a session's lists: plain JSON.
 *
 * @category models
 */
export interface State {
  readonly lives: number
  readonly current: Life | null
  readonly asked: boolean
}

/**
 * What a configuration leaves out is as in `defaults`.
 *
 * @category constructors
 */
export const make = (given: Partial<Options> = {}): Options => ({ ...defaults, ...given })

export const initial: State = { lives: 0, current: null, asked: false }

/**
 * Why a pattern that held was not told: it was as often as it may be in this list's life, or another was told.
 *
 * @category models
 */
export interface Skipped {
  readonly pattern: string
  readonly why: "limit" | "one_at_a_time"
}

/**
 * What comes of an update. `life` counts the lists from 1, 0 where there is none yet. `pattern` of a reminder is
 * `completed` for the checkpoint, and `required` for a list that is missing.
 *
 * @category models
 */
export interface Told {
  readonly life: number
  readonly reminder: { readonly pattern: string; readonly text: string } | null
  readonly skipped: ReadonlyArray<Skipped>
}

interface Pattern {
  readonly name: string
  readonly message: string
  /** The todos that the pattern is about; none where it does not hold. */
  readonly meant: (todos: ReadonlyArray<Todo>, options: Options) => ReadonlyArray<Todo>
}

const isGiven =
  ({ delegates }: Options) =>
  ({ content }: Todo): boolean =>
    Words.isDelegated(content, delegates)

/** Those that are meant, if there are so many. */
const atLeast = (least: number, todos: ReadonlyArray<Todo>): ReadonlyArray<Todo> => (todos.length < least ? [] : todos)

const patterns: ReadonlyArray<Pattern> = [
  {
    name: "implementation",
    message: "You coordinate, and plan to write code yourself. Give such work to an agent, or keep it for a reason.",
    meant: (todos, options) =>
      todos.filter((todo) => Lists.isOpen(todo) && Words.isImplementation(todo.content) && !isGiven(options)(todo))
  },
  {
    name: "no-delegation",
    message: "You coordinate, and nothing of this is given to another agent. Say which of it is whose.",
    meant: (todos, options) =>
      todos.some(isGiven(options)) ? [] : atLeast(options.delegateFrom, todos.filter(Lists.isOpen))
  },
  {
    name: "parallel",
    message: "Several of these wait to be given to agents. Are they independent? Then start them together.",
    meant: (todos, options) =>
      atLeast(
        2,
        todos.filter((todo) => todo.status === "pending" && isGiven(options)(todo))
      )
  },
  {
    name: "large-list",
    message: "This is a long list for one go. Would fewer, larger pieces with an outcome each be easier to follow?",
    meant: (todos, { largeFrom }) => atLeast(largeFrom, todos)
  }
]

const intro = "About your todo list (a reminder of reflexion's, not the user's): "

const namedMost = 3

const quoted = (todos: ReadonlyArray<Todo>): string => {
  const names = todos.slice(0, namedMost).map(({ content }) => `"${oneLine(content, 60).replaceAll('"', "'")}"`)
  const more = todos.length - names.length
  return `${names.join(", ")}${more > 0 ? ` and ${plural(more, "other")}` : ""}`
}

/** Where all are meant, naming some of them says nothing. */
const reminderOf = ({ meant, message }: Pattern, todos: ReadonlyArray<Todo>, options: Options): string => {
  const found = meant(todos, options)
  const which = found.length === todos.length ? "" : ` (${quoted(found)})`
  return `${intro}${message}${which}`
}

const checkpointOf = (todos: ReadonlyArray<Todo>): string => {
  const cancelled = todos.filter(({ status }) => status === "cancelled")
  const left = cancelled.length === 0 ? "" : ` Say why these were cancelled: ${quoted(cancelled)}.`
  return `${intro}all of it is done or cancelled. When you come to an end, tell the user in a few sentences what was done and how it was checked.${left}`
}

const isSameLife = (life: Life, todos: ReadonlyArray<Todo>, { resetOn }: Options): boolean => {
  if (resetOn !== "completion") return resetOn === "never"
  return life.done ? Lists.isReopened(life.list, todos) : Lists.areAlike(life.list, Lists.contentsOf(todos))
}

const lifeOf = ({ current, lives }: State, todos: ReadonlyArray<Todo>, options: Options): Life => {
  const known = current !== null && isSameLife(current, todos, options) ? current : { number: lives + 1, told: {} }
  return { ...known, list: Lists.contentsOf(todos), done: !todos.some(Lists.isOpen) }
}

const applies = ({ agents }: Options, agent: string | null): boolean =>
  agent !== null && agents.some((name) => name.toLowerCase() === agent.toLowerCase())

/** Whoever names a pattern `constructor` means no property of every object. */
const at = (counts: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(counts, name) ? counts[name] : undefined

const limitOf = (name: string, { limits }: Options): number => at(limits, name) ?? 1

const timesTold = ({ told }: Life, name: string): number => at(told, name) ?? 0

const tell = (life: Life, name: string): Life => ({
  ...life,
  told: { ...life.told, [name]: timesTold(life, name) + 1 }
})

/** The checkpoint's name. */
const completed = "completed"

/** The patterns that hold; of a list that was open and is all done the checkpoint alone. */
const holding = (before: State, life: Life, { agent, todos }: Update, options: Options): ReadonlyArray<string> => {
  if (life.done) return before.current?.done === false ? [completed] : []
  if (!applies(options, agent)) return []
  return patterns.filter(({ meant }) => meant(todos, options).length > 0).map(({ name }) => name)
}

const textOf = (name: string, todos: ReadonlyArray<Todo>, options: Options): string => {
  const pattern = patterns.find((one) => one.name === name)
  return pattern === undefined ? checkpointOf(todos) : reminderOf(pattern, todos, options)
}

interface Update {
  readonly todos: ReadonlyArray<Todo>
  readonly agent: string | null
}

/**
 * Takes the whole list as it stands after an update. An empty list says nothing: it is neither done nor another. Told is the
 * first pattern that may be; one that was told often enough hides no other.
 *
 * @category folds
 */
export const update = (state: State, given: Update, options: Options): readonly [State, Told] => {
  const { todos } = given
  if (todos.length === 0 || !options.enabled)
    return [state, { life: state.current?.number ?? 0, reminder: null, skipped: [] }]
  const life = lifeOf(state, todos, options)
  const held = holding(state, life, given, options).filter((name) => limitOf(name, options) > 0)
  const due = held.find((name) => timesTold(life, name) < limitOf(name, options))
  const skipped = held.flatMap((pattern): ReadonlyArray<Skipped> => {
    if (pattern === due) return []
    return [{ pattern, why: timesTold(life, pattern) < limitOf(pattern, options) ? "one_at_a_time" : "limit" }]
  })
  const current = due === undefined ? life : tell(life, due)
  const reminder = due === undefined ? null : { pattern: due, text: textOf(due, todos, options) }
  return [
    { ...state, lives: Math.max(state.lives, life.number), current },
    { life: life.number, reminder, skipped }
  ]
}

/**
 * An agent begins to work: where a list is required and none was ever made, it is told so once.
 *
 * @category folds
 */
export const work = (state: State, agent: string | null, options: Options): readonly [State, Told] => {
  const nothing = { life: state.current?.number ?? 0, reminder: null, skipped: [] }
  const isDue = options.enabled && options.required && !state.asked && state.lives === 0
  if (!isDue || !applies(options, agent)) return [state, nothing]
  const text = `${intro}there is none. Write down the steps before you begin, so that they can be followed.`
  return [
    { ...state, asked: true },
    { ...nothing, reminder: { pattern: "required", text } }
  ]
}

const whyNot: Readonly<Record<Skipped["why"], string>> = {
  limit: "as often as it may be in the life of this list",
  one_at_a_time: "one reminder at an update"
}

/**
 * What the decision log says of an update: what the agent was told, and what it was not told and why.
 *
 * @category rendering
 */
export const decisions = ({
  life,
  reminder,
  skipped
}: Told): ReadonlyArray<{ readonly decision: "reminder" | "none"; readonly reason: string }> => {
  const list = life === 0 ? "todo list" : `todo list ${life}`
  const not = skipped.map(({ pattern, why }) => `${pattern} (${whyNot[why]})`).join(", ")
  return [
    ...(reminder === null ? [] : [{ decision: "reminder" as const, reason: `${list}: ${reminder.pattern}` }]),
    ...(not === "" ? [] : [{ decision: "none" as const, reason: `${list}: not told of ${not}` }])
  ]
}
