/** The shape of the decoder's state: plain, bounded JSON, so that a process saves it and another goes on with it. */
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
