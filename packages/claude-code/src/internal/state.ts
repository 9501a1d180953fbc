/** The decoder's state: plain, bounded JSON, so that a hook process saves it and resumes where it stopped reading. */
import { Mode, NoticeKind, Todo } from "@reflexion/core/Transcript"
import * as Schema from "effect/Schema"
import * as SeenRecords from "./seenRecords.ts"

export const Call = Schema.Struct({
  id: Schema.String,
  at: Schema.NullOr(Schema.String),
  tool: Schema.String,
  input: Schema.Unknown,
  cwd: Schema.NullOr(Schema.String),
  agentId: Schema.NullOr(Schema.String)
})

export const Queued = Schema.Struct({ kind: Schema.Literal("new", "waited", "harness"), text: Schema.String })

export const Result = Schema.Struct({
  id: Schema.String,
  at: Schema.NullOr(Schema.String),
  block: Schema.Unknown,
  result: Schema.Unknown
})

export const Background = Schema.Struct({ task: Schema.String, call: Call })

export const State = Schema.Struct({
  version: Schema.Literal(2),
  sessionId: Schema.NullOr(Schema.String),
  cwd: Schema.NullOr(Schema.String),
  /** Whether all messages so far are those of an agent that a session started; null before the first. */
  agentOnly: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { default: () => false }),
  /** Whether somebody is there, by the last entry point that was named. */
  attended: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { default: () => null }),
  mode: Mode,
  /** A mode that the host wrote down between turns and that holds from the next one. */
  nextMode: Schema.NullOr(Mode),
  /** The number of the last prompt, -1 before the first. */
  turn: Schema.Number,
  calls: Schema.Array(Call),
  early: Schema.Array(Result),
  background: Schema.Array(Background),
  tasks: Schema.Array(Todo),
  /** Left out by versions that took a copy for a record of its own. */
  seen: Schema.optionalWith(SeenRecords.SeenRecords, { default: () => SeenRecords.initial }),
  /** The line of the slash command that the host expands in the next one. */
  expands: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  /** The input queue, oldest first. */
  queue: Schema.Array(Queued),
  /** The texts that left the queue for the running turn, until an attachment repeats them. */
  joined: Schema.Array(Schema.String),
  /** Whether the entry that left the queue last had waited while the agent worked. */
  dequeued: Schema.Boolean,
  /** The message whose text came last, and how many texts of it. */
  message: Schema.Struct({ id: Schema.NullOr(Schema.String), texts: Schema.Number }),
  /** A failed request that the host retries; it counts only if nothing follows. */
  retrying: Schema.NullOr(
    Schema.Struct({ at: Schema.NullOr(Schema.String), kind: NoticeKind, detail: Schema.NullOr(Schema.String) })
  )
})

/** An entry of the input queue: typed by the user just now, or before the agent went on; or a notification. */
export type Queued = typeof Queued.Type

/** A call that was issued and has no result yet. */
export type Call = typeof Call.Type

/** A result that was written before its call, as newer versions do now and then. */
export type Result = typeof Result.Type

export type Background = typeof Background.Type

export type State = typeof State.Type

export const initial: State = {
  version: 2,
  sessionId: null,
  cwd: null,
  agentOnly: null,
  attended: null,
  mode: "unknown",
  nextMode: null,
  turn: -1,
  calls: [],
  early: [],
  background: [],
  tasks: [],
  seen: SeenRecords.initial,
  expands: null,
  queue: [],
  joined: [],
  dequeued: false,
  message: { id: null, texts: 0 },
  retrying: null
}
