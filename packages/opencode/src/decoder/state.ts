/** The decoder's state at the start, and what it remembers of messages. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import { Mode, ToolStatus } from "@reflexion/core/Transcript"
import * as Schema from "effect/Schema"

const nullableString = Schema.NullOr(Schema.String)

/** A call of a message, by the status under which it was told last. */
const Told = Schema.Struct({ id: Schema.String, status: ToolStatus })

export type Told = typeof Told.Type

const Seen = Schema.Struct({
  id: Schema.String,
  /** When the message was created, null where it does not say. */
  at: Schema.NullOr(Schema.Number),
  /** Whether it can still change. */
  open: Schema.Boolean,
  /** Whether its end was told; a call of it can still be open. */
  over: Schema.Boolean,
  /** How many of its texts were told. */
  texts: Schema.Number,
  /** Its calls, while it is open. */
  calls: Schema.Array(Told)
})

/** A message, by what was told of it: when it comes again, only what is new is told. */
export type Seen = typeof Seen.Type

const Words = Schema.Struct({ id: nullableString, at: nullableString, text: Schema.String, model: nullableString })

/** What the agent is saying: more may come. */
export type Words = typeof Words.Type

const Running = Schema.Struct({
  /** The session in which the agent works. */
  key: Schema.String,
  id: Schema.String,
  at: nullableString,
  tool: Schema.String,
  input: Schema.Unknown,
  cwd: nullableString
})

/** A call whose agent goes on in the background. */
export type Running = typeof Running.Type

const Answer = Schema.Struct({
  /** Whether it may still be written. */
  open: Schema.Boolean,
  /** When it was complete, in milliseconds. */
  completed: Schema.NullOr(Schema.Number)
})

export const State = Schema.Struct({
  version: Schema.Literal(1),
  sessionId: nullableString,
  parentSessionId: nullableString,
  cwd: nullableString,
  /** False where the record is of a session in which nobody is there to be asked; true is nowhere to be seen. */
  attended: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { default: () => null }),
  mode: Mode,
  /** How many messages a person has written. */
  prompts: Schema.Number,
  /** The number of the message that began the running turn, -1 before the first. */
  turn: Schema.Number,
  /** The messages that were told last. */
  seen: Schema.Array(Seen),
  /** All messages that were created up to this moment, in milliseconds, were told. */
  before: Schema.Number,
  /** The agent's last message. */
  answer: Schema.NullOr(Answer),
  words: Schema.NullOr(Words),
  running: Schema.Array(Running),
  /** The message that announces a command of the user's own. */
  shell: nullableString
})

export type State = typeof State.Type

export type Step = TranscriptDecoder.Step<State>

export const initial: State = {
  version: 1,
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
