/** Reminds a coordinating agent about its todo list: at most once per update, and a few times per list and reason. */
import * as Config from "../../session/config/Defaults.ts"
import type { ReflexionConfig } from "../../session/config/model.ts"
import { oneLine, plural } from "../../base/text/Text.ts"
import * as Words from "./words.ts"
import type { Todo } from "../../session/transcript/Transcript.ts"

export type Options = ReflexionConfig["todos"]

export const defaults: Options = Config.defaults.todos

export const make = (given: Partial<Options> = {}): Options => ({ ...defaults, ...given })

/** One todo list, from its creation until all todos are done or another list replaces it. */
interface Life {
  readonly number: number
  /** Shortened and in lower case. */
  readonly list: ReadonlyArray<string>
  /** How often each reminder was sent, by its pattern. */
  readonly told: Readonly<Record<string, number>>
  readonly done: boolean
}

/** Plain JSON. */
export interface State {
  readonly lives: number
  readonly current: Life | null
  /** True if the agent was reminded that a list is missing. */
  readonly asked: boolean
}

export const initial: State = { lives: 0, current: null, asked: false }

interface Reminder {
  /** `completed` is the checkpoint, and `required` asks for a missing list. */
  readonly pattern: string
  readonly text: string
}

export interface TodoUpdate {
  /** Counted from 1. It is 0 if there is no list yet. */
  readonly life: number
  readonly reminder: Reminder | null
  /** Reminders that applied but were not sent: the limit was reached, or another reminder was sent. */
  readonly skipped: ReadonlyArray<{ readonly pattern: string; readonly why: "limit" | "one_at_a_time" }>
}

const isOpen = ({ status }: Todo): boolean => status === "pending" || status === "in_progress"

interface Pattern {
  readonly pattern: string
  readonly message: string
  /** The todos that the reminder is about. `given` are the todos that are assigned to another agent. */
  readonly meant: (todos: ReadonlyArray<Todo>, given: ReadonlySet<Todo>) => ReadonlyArray<Todo>
  /** How many of these todos must exist before the reminder applies. */
  readonly least: (options: Options) => number
}

const patterns: ReadonlyArray<Pattern> = [
  {
    pattern: "implementation",
    message: "You coordinate, but plan to write code yourself. Give this work to an agent, or say why you keep it.",
    meant: (todos, given) =>
      todos.filter((todo) => isOpen(todo) && Words.isImplementation(todo.content) && !given.has(todo)),
    least: () => 1
  },
  {
    pattern: "no-delegation",
    message: "You coordinate, but no todo is given to another agent. Say who does which todo.",
    meant: (todos, given) => (given.size > 0 ? [] : todos.filter(isOpen)),
    least: ({ delegateFrom }) => delegateFrom
  },
  {
    pattern: "parallel",
    message: "Several of these todos wait for agents. If they are independent, start them together.",
    meant: (todos, given) => todos.filter((todo) => todo.status === "pending" && given.has(todo)),
    least: () => 2
  },
  {
    pattern: "large-list",
    message: "This list is long. Would fewer, larger todos, each with an outcome, be easier to follow?",
    meant: (todos) => todos,
    least: ({ largeFrom }) => largeFrom
  }
]

const intro = "About your todo list (a reminder from reflexion, not from the user): "

const quoted = (todos: ReadonlyArray<Todo>): string => {
  const names = todos.slice(0, 3).map(({ content }) => `"${oneLine(content, 60).replaceAll('"', "'")}"`)
  const more = todos.length - names.length
  return `${names.join(", ")}${more > 0 ? ` and ${plural(more, "other")}` : ""}`
}

const checkpoint = (todos: ReadonlyArray<Todo>): Reminder => {
  const cancelled = todos.filter(({ status }) => status === "cancelled")
  const left = cancelled.length === 0 ? "" : ` Say why these were cancelled: ${quoted(cancelled)}.`
  const text = `${intro}every todo is done or cancelled. When you finish, tell the user in a few sentences what was done and how it was checked.${left}`
  return { pattern: "completed", text }
}

/** Texts identify a list. Ids do not, because hosts may change a todo's id at any time. */
const contentsOf = (todos: ReadonlyArray<Todo>): ReadonlyArray<string> =>
  todos.slice(0, 100).map(({ content }) => oneLine(content, 160).toLowerCase())

const isSame = (left: string, right: string): boolean => {
  const [one, other] = [left, right].map((text) => new Set(text.match(/[\p{L}\p{N}_]+/gu) ?? [text]))
  if (one === undefined || other === undefined) return false
  const both = [...one].filter((word) => other.has(word)).length
  return both / (one.size + other.size - both) >= 0.6
}

/** True if at least half of the todos of the longer list are also in the other list. Otherwise, the list is new. */
const areAlike = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean => {
  const rest = [...right]
  for (const text of left) {
    const at = rest.findIndex((other) => isSame(text, other))
    if (at >= 0) rest.splice(at, 1)
  }
  return right.length - rest.length >= Math.max(left.length, right.length) / 2
}

/**
 * True if the new list continues a finished list. It must have all todos of the finished list. It must also have the
 * same length, or an old todo that is still done. The texts must be equal, because the next task's list often has
 * similar todos.
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

/** Reads only own properties, so that a pattern named `constructor` finds nothing. */
const at = (counts: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(counts, name) ? counts[name] : undefined

interface Update {
  readonly todos: ReadonlyArray<Todo>
  readonly agent: string | null
}

/** When the last open todo of a list is done, only the checkpoint applies. */
const holding = (before: State, life: Life, { agent, todos }: Update, options: Options): ReadonlyArray<Reminder> => {
  if (life.done) return before.current?.done === false ? [checkpoint(todos)] : []
  if (!applies(options, agent)) return []
  const given = new Set(todos.filter(({ content }) => Words.isDelegated(content, options.delegates)))
  return patterns.flatMap(({ least, meant, message, pattern }) => {
    const found = meant(todos, given)
    // The text names todos only if the reminder is not about all of them.
    const which = found.length === todos.length ? "" : ` (${quoted(found)})`
    return found.length < Math.max(1, least(options)) ? [] : [{ pattern, text: `${intro}${message}${which}` }]
  })
}

/** `todos` is the whole list after a change. Sends the first reminder whose limit is not reached. */
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

/** If a required list was never made, the agent is reminded once when it begins to work. */
export const work = (state: State, agent: string | null, options: Options): readonly [State, TodoUpdate] => {
  const nothing = { life: state.current?.number ?? 0, reminder: null, skipped: [] }
  const isDue = options.enabled && options.required && !state.asked && state.lives === 0
  if (!isDue || !applies(options, agent)) return [state, nothing]
  const text = `${intro}you have none. Write down the steps before you begin, so that the user can follow them.`
  return [
    { ...state, asked: true },
    { ...nothing, reminder: { pattern: "required", text } }
  ]
}

const whyNot = {
  limit: "the limit for this list is reached",
  one_at_a_time: "one reminder for each update"
} as const

/** The lines for the decision log. They say which reminder was sent, and why others were not sent. */
export const decisions = ({
  life,
  reminder,
  skipped
}: TodoUpdate): ReadonlyArray<{ readonly decision: "reminder" | "none"; readonly reason: string }> => {
  const list = life === 0 ? "todo list" : `todo list ${life}`
  const not = skipped.map(({ pattern, why }) => `${pattern} (${whyNot[why]})`).join(", ")
  return [
    ...(reminder === null ? [] : [{ decision: "reminder" as const, reason: `${list}: ${reminder.pattern}` }]),
    ...(not === "" ? [] : [{ decision: "none" as const, reason: `${list}: no reminder about ${not}` }])
  ]
}
