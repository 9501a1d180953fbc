/** The decoder's state at the start, and what it remembers of messages. */
import * as Json from "@reflexion/core/internal/ground/json/Json"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { Seen, State } from "./stateSchema.ts"

export type Step = TranscriptDecoder.Step<State>

export const initial: State = {
  version: 1,
  sessionId: null,
  parentSessionId: null,
  cwd: null,
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
