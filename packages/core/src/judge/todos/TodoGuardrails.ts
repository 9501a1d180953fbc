/**
 * What a coordinating agent is told about its todo list, bounded: one reminder at an update, one of a pattern in the life
 * of a list, and one checkpoint when all of it is done. A fold over the list's updates; its state is data and outlasts a
 * process, a compaction and the user's next message.
 */
import * as Config from "../../session/config/Defaults.ts"
import type { ReflexionConfig } from "../../session/config/model.ts"
import { oneLine, plural } from "../../base/text/Text.ts"
import * as Words from "./words.ts"
import type { Todo } from "../../session/transcript/Transcript.ts"

/** What agents are told about their todo lists, as the configuration says it. */
export type Options = ReflexionConfig["todos"]

export const defaults: Options = Config.defaults.todos

/** What a configuration leaves out is as in `defaults`. */
export const make = (given: Partial<Options> = {}): Options => ({ ...defaults, ...given })

/** A list from when it is made until all of it is done or another is in its place. */
interface Life {
  readonly number: number
  readonly list: ReadonlyArray<string>
  readonly told: Readonly<Record<string, number>>
  readonly done: boolean
}

/** What is remembered of a session's lists: plain JSON. */
export interface State {
  readonly lives: number
  readonly current: Life | null
  readonly asked: boolean
}

export const initial: State = { lives: 0, current: null, asked: false }

/** `completed` for the checkpoint, `required` for a list that is missing. */
interface Reminder {
  readonly pattern: string
  readonly text: string
}

/**
 * What comes of an update. `life` counts the lists from 1, 0 where there is none yet. A pattern that held was skipped as it
 * had been told as often as it may be in this list's life, or as another was told.
 */
export interface TodoUpdate {
  readonly life: number
  readonly reminder: Reminder | null
  readonly skipped: ReadonlyArray<{ readonly pattern: string; readonly why: "limit" | "one_at_a_time" }>
}

const isOpen = ({ status }: Todo): boolean => status === "pending" || status === "in_progress"

interface Pattern {
  readonly pattern: string
  readonly message: string
  /** The todos that it is about. `given` are those for another agent. */
  readonly meant: (todos: ReadonlyArray<Todo>, given: ReadonlySet<Todo>) => ReadonlyArray<Todo>
  /** How many of these there have to be. */
  readonly least: (options: Options) => number
}

const patterns: ReadonlyArray<Pattern> = [
  {
    pattern: "implementation",
    message: "You coordinate, and plan to write code yourself. Give such work to an agent, or keep it for a reason.",
    meant: (todos, given) =>
      todos.filter((todo) => isOpen(todo) && Words.isImplementation(todo.content) && !given.has(todo)),
    least: () => 1
  },
  {
    pattern: "no-delegation",
    message: "You coordinate, and nothing of this is given to another agent. Say which of it is whose.",
    meant: (todos, given) => (given.size > 0 ? [] : todos.filter(isOpen)),
    least: ({ delegateFrom }) => delegateFrom
  },
  {
    pattern: "parallel",
    message: "Several of these wait to be given to agents. Are they independent? Then start them together.",
    meant: (todos, given) => todos.filter((todo) => todo.status === "pending" && given.has(todo)),
    least: () => 2
  },
  {
    pattern: "large-list",
    message: "This is a long list for one go. Would fewer, larger pieces with an outcome each be easier to follow?",
    meant: (todos) => todos,
    least: ({ largeFrom }) => largeFrom
  }
]

const intro = "About your todo list (a reminder of reflexion's, not the user's): "

const quoted = (todos: ReadonlyArray<Todo>): string => {
  const names = todos.slice(0, 3).map(({ content }) => `"${oneLine(content, 60).replaceAll('"', "'")}"`)
  const more = todos.length - names.length
  return `${names.join(", ")}${more > 0 ? ` and ${plural(more, "other")}` : ""}`
}

const checkpoint = (todos: ReadonlyArray<Todo>): Reminder => {
  const cancelled = todos.filter(({ status }) => status === "cancelled")
  const left = cancelled.length === 0 ? "" : ` Say why these were cancelled: ${quoted(cancelled)}.`
  const text = `${intro}all of it is done or cancelled. When you come to an end, tell the user in a few sentences what was done and how it was checked.${left}`
  return { pattern: "completed", text }
}

/** What is kept of a list to know it by: what it says, for hosts give a todo another id whenever they like. */
const contentsOf = (todos: ReadonlyArray<Todo>): ReadonlyArray<string> =>
  todos.slice(0, 100).map(({ content }) => oneLine(content, 160).toLowerCase())

const isSame = (left: string, right: string): boolean => {
  const [one, other] = [left, right].map((text) => new Set(text.match(/[\p{L}\p{N}_]+/gu) ?? [text]))
  if (one === undefined || other === undefined) return false
  const both = [...one].filter((word) => other.has(word)).length
  return both / (one.size + other.size - both) >= 0.6
}

/** A list is another once more than half of it changed; the share is that of the longer one's todos. */
const areAlike = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean => {
  const rest = [...right]
  for (const text of left) {
    const at = rest.findIndex((other) => isSame(text, other))
    if (at >= 0) rest.splice(at, 1)
  }
  return right.length - rest.length >= Math.max(left.length, right.length) / 2
}

/**
 * Whether a list that was done goes on: all of it is there, as it was or with more behind what is still done. By the same
 * words, for the next task's list often has most of them: its tests are run and its change is committed.
 */
const isReopened = (list: ReadonlyArray<string>, todos: ReadonlyArray<Todo>): boolean => {
  const texts = contentsOf(todos)
  const isLonger = todos.some((todo, at) => list.includes(texts[at] ?? "") && !isOpen(todo))
  return list.every((text) => texts.includes(text)) && (texts.length === list.length || isLonger)
}

const lifeOf = ({ current, lives }: State, todos: ReadonlyArray<Todo>, { resetOn }: Options): Life => {
  const list = contentsOf(todos)
  const goesOn = ({ done, list: before }: Life): boolean =>
    resetOn === "completion" ? (done ? isReopened(before, todos) : areAlike(before, list)) : resetOn === "never"
  const known = current !== null && goesOn(current) ? current : { number: lives + 1, told: {} }
  return { ...known, list, done: !todos.some(isOpen) }
}

const applies = ({ agents }: Options, agent: string | null): boolean =>
  agent !== null && agents.some((name) => name.toLowerCase() === agent.toLowerCase())

/** Who names a pattern `constructor` means no property of every object. */
const at = (counts: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(counts, name) ? counts[name] : undefined

interface Update {
  readonly todos: ReadonlyArray<Todo>
  readonly agent: string | null
}

/** What could be told; of a list that was open and is all done the checkpoint alone. */
const holding = (before: State, life: Life, { agent, todos }: Update, options: Options): ReadonlyArray<Reminder> => {
  if (life.done) return before.current?.done === false ? [checkpoint(todos)] : []
  if (!applies(options, agent)) return []
  const given = new Set(todos.filter(({ content }) => Words.isDelegated(content, options.delegates)))
  return patterns.flatMap(({ least, meant, message, pattern }) => {
    const found = meant(todos, given)
    // Where all are meant, naming some of them says nothing.
    const which = found.length === todos.length ? "" : ` (${quoted(found)})`
    return found.length < Math.max(1, least(options)) ? [] : [{ pattern, text: `${intro}${message}${which}` }]
  })
}

/**
 * Takes the whole list as it stands after an update. An empty list says nothing: it is neither done nor another. Told is the
 * first pattern that may be; one that was told often enough hides no other.
 */
export const update = (state: State, given: Update, options: Options): readonly [State, TodoUpdate] => {
  if (given.todos.length === 0 || !options.enabled)
    return [state, { life: state.current?.number ?? 0, reminder: null, skipped: [] }]
  const life = lifeOf(state, given.todos, options)
  const timesTold = (pattern: string): number => at(life.told, pattern) ?? 0
  const limitOf = (pattern: string): number => at(options.limits, pattern) ?? 1
  const isSpent = ({ pattern }: Reminder): boolean => timesTold(pattern) >= limitOf(pattern)
  const held = holding(state, life, given, options).filter(({ pattern }) => limitOf(pattern) > 0)
  const due = held.find((one) => !isSpent(one)) ?? null
  const told = due === null ? life.told : { ...life.told, [due.pattern]: timesTold(due.pattern) + 1 }
  const skipped = held
    .filter((one) => one !== due)
    .map((one) => ({ pattern: one.pattern, why: isSpent(one) ? ("limit" as const) : ("one_at_a_time" as const) }))
  return [
    { ...state, lives: Math.max(state.lives, life.number), current: { ...life, told } },
    { life: life.number, reminder: due, skipped }
  ]
}

/** An agent begins to work: where a list is required and none was ever made, it is told so once. */
export const work = (state: State, agent: string | null, options: Options): readonly [State, TodoUpdate] => {
  const nothing = { life: state.current?.number ?? 0, reminder: null, skipped: [] }
  const isDue = options.enabled && options.required && !state.asked && state.lives === 0
  if (!isDue || !applies(options, agent)) return [state, nothing]
  const text = `${intro}there is none. Write down the steps before you begin, so that they can be followed.`
  return [
    { ...state, asked: true },
    { ...nothing, reminder: { pattern: "required", text } }
  ]
}

const whyNot = {
  limit: "as often as it may be in the life of this list",
  one_at_a_time: "one reminder at an update"
} as const

/** What the decision log says of an update: what the agent was told, and what it was not told and why. */
export const decisions = ({
  life,
  reminder,
  skipped
}: TodoUpdate): ReadonlyArray<{ readonly decision: "reminder" | "none"; readonly reason: string }> => {
  const list = life === 0 ? "todo list" : `todo list ${life}`
  const not = skipped.map(({ pattern, why }) => `${pattern} (${whyNot[why]})`).join(", ")
  return [
    ...(reminder === null ? [] : [{ decision: "reminder" as const, reason: `${list}: ${reminder.pattern}` }]),
    ...(not === "" ? [] : [{ decision: "none" as const, reason: `${list}: not told of ${not}` }])
  ]
}
