/** The decoder's state: plain, bounded JSON, so that a hook process saves it and resumes where it stopped reading. */
import type * as Schemas from "./stateSchema.ts"

/** An entry of the input queue: typed by the user just now, or before the agent went on; or a notification. */
export type Queued = typeof Schemas.Queued.Type

/** A call that was issued and has no result yet. */
export type Call = typeof Schemas.Call.Type

/** A result that was written before its call, as newer versions do now and then. */
export type Result = typeof Schemas.Result.Type

export type Background = typeof Schemas.Background.Type

export type State = typeof Schemas.State.Type

export const initial: State = {
  version: 1,
  sessionId: null,
  cwd: null,
  mode: "unknown",
  nextMode: null,
  turn: -1,
  calls: [],
  early: [],
  background: [],
  tasks: [],
  queue: [],
  dequeued: false,
  message: { id: null, texts: 0 },
  retrying: null
}
