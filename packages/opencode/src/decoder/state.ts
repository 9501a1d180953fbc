/** The decoder's state at the start, and what it remembers of messages. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { AssistantMessage, Mode, ToolCall } from "@reflexion/core/Transcript"

/** A call of a message, by the status under which it was told last. */
export type Told = { readonly id: string; readonly status: NonNullable<ToolCall["status"]> }

/** A message, by what was told of it: when it comes again, only what is new is told. */
export interface Seen {
  readonly id: string
  /** When the message was created, null where it does not say. */
  readonly at: number | null
  /** Whether it can still change. */
  readonly open: boolean
  /** Whether its end was told; a call of it can still be open. */
  readonly over: boolean
  /** How many of its texts were told. */
  readonly texts: number
  /** Its calls, while it is open. */
  readonly calls: ReadonlyArray<Told>
}

/** What the agent is saying: more may come. */
export type Words = Pick<AssistantMessage, "id" | "at" | "text" | "model">

/** A call whose agent goes on in the background, and the session in which that works. */
export interface Running extends Pick<ToolCall, "at" | "tool" | "input" | "cwd"> {
  readonly key: string
  readonly id: string
}

export interface State {
  readonly sessionId: string | null
  readonly parentSessionId: string | null
  readonly cwd: string | null
  /** False where the record is of a session in which nobody is there to be asked; true is nowhere to be seen. */
  readonly attended: boolean | null
  readonly mode: Mode
  /** How many messages a person has written. */
  readonly prompts: number
  /** The number of the message that began the running turn, -1 before the first. */
  readonly turn: number
  /** The messages that were told last. */
  readonly seen: ReadonlyArray<Seen>
  /** All messages that were created up to this moment, in milliseconds, were told. */
  readonly before: number
  /** The agent's last message: whether it may still be written, and when it was complete, in milliseconds. */
  readonly answer: { readonly open: boolean; readonly completed: number | null } | null
  readonly words: Words | null
  readonly running: ReadonlyArray<Running>
  /** The message that announces a command of the user's own. */
  readonly shell: string | null
}

export type Step = TranscriptDecoder.Step<State>

export const initial: State = {
  sessionId: null,
  parentSessionId: null,
  cwd: null,
  attended: null,
  mode: "unknown",
  prompts: 0,
  turn: -1,
  seen: [],
  before: 0,
  answer: null,
  words: null,
  running: [],
  shell: null
}

const maxSeen = 64

/** When a message was created, in milliseconds. */
export const createdAt = (info: Json.Json): number | null => Json.number(Json.object(info["time"])["created"])

/**
 * What was told of a message, undefined for a new one. Of messages that came long ago only the time is kept: the host
 * orders them by it.
 */
export const seen = (state: State, info: Json.Json): Seen | undefined => {
  const id = Json.text(info["id"])
  const found = state.seen.findLast((one) => one.id === id)
  if (found !== undefined || id === "") return found
  const at = createdAt(info)
  return at !== null && at <= state.before ? { id, at, open: false, over: true, texts: 0, calls: [] } : undefined
}

export const remember = (state: State, entry: Seen): State => {
  if (entry.id === "") return state
  const at = state.seen.findLastIndex(({ id }) => id === entry.id)
  if (at !== -1) return { ...state, seen: state.seen.with(at, entry) }
  const lost = state.seen.length < maxSeen ? undefined : state.seen[0]
  return { ...state, seen: Json.append(state.seen, entry, maxSeen), before: Math.max(state.before, lost?.at ?? 0) }
}

/** A message of which there is nothing more to tell. */
export const closed = (info: Json.Json): Seen => ({
  id: Json.text(info["id"]),
  at: createdAt(info),
  open: false,
  over: true,
  texts: 0,
  calls: []
})
