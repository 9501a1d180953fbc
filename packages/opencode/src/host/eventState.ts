/** What is remembered of an instance's sessions between two events. */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"

/**
 * A user's message: `genuine` is typed by a person, `ours` is feedback, `harness` is what the host puts in the user's
 * place; `unknown` until its first part tells.
 */
export type Author = "genuine" | "ours" | "harness" | "unknown"

export interface UserMessage {
  readonly id: string
  readonly author: Author
}

/** `finish` as the host has it, null where there is none. */
export interface AssistantMessage {
  readonly id: string
  readonly parentId: string | null
  readonly finish: string | null
  readonly completed: boolean
  readonly failed: boolean
  readonly summary: boolean
}

/**
 * `stopped`: the assistant message at which the last stop was reported. `working`: the child sessions that are busy.
 */
export interface SessionState {
  readonly parentId: string | null
  readonly ours: boolean
  readonly mode: "plan" | "build" | null
  readonly user: UserMessage | null
  readonly assistant: AssistantMessage | null
  readonly stopped: string | null
  readonly aborted: boolean
  /** Whether it was at work since it was idle. */
  readonly worked: boolean
  readonly working: ReadonlyArray<string>
}

export const blank: SessionState = {
  parentId: null,
  ours: false,
  mode: null,
  user: null,
  assistant: null,
  stopped: null,
  aborted: false,
  worked: false,
  working: []
}

export interface State {
  readonly sessions: HashMap.HashMap<string, SessionState>
  /** The sessions, the one that was heard of last at the end. */
  readonly order: ReadonlyArray<string>
}

export const initial: State = { sessions: HashMap.empty(), order: [] }

const maxSessions = 512

export const get = (state: State, id: string): SessionState =>
  Option.getOrElse(HashMap.get(state.sessions, id), () => blank)

/** The sessions that were not heard of for longest are forgotten. */
export const set = (state: State, id: string, session: SessionState): State => {
  if (state.order.at(-1) === id) return { ...state, sessions: HashMap.set(state.sessions, id, session) }
  const order = [...state.order.filter((one) => one !== id), id]
  const forgotten = order.slice(0, Math.max(0, order.length - maxSessions))
  const sessions = forgotten.reduce((all, one) => HashMap.remove(all, one), HashMap.set(state.sessions, id, session))
  return { sessions, order: order.slice(forgotten.length) }
}

export const remove = (state: State, id: string): State => ({
  sessions: HashMap.remove(state.sessions, id),
  order: state.order.filter((one) => one !== id)
})
