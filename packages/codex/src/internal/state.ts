/** The decoder's state at the start, and the step type that everything here shares. */
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import { Mode } from "@reflexion/core/Transcript"
import * as Schema from "effect/Schema"

const nullableString = Schema.NullOr(Schema.String)

/** What a code-mode script asks the host to do, as far as its text tells. */
const Part = Schema.Struct({
  kind: Schema.Literal("command", "patch"),
  text: Schema.String,
  cwd: nullableString
})

export type Part = typeof Part.Type

const Call = Schema.Struct({
  id: Schema.String,
  at: nullableString,
  tool: Schema.String,
  input: Schema.Unknown,
  cwd: nullableString,
  /** The parts of a script that no record of the host's own has named yet. */
  parts: Schema.Array(Part)
})

/** A call that was issued and has no result yet. */
export type Call = typeof Call.Type

/** A process, script or agent that goes on after the call that started it. */
const Running = Schema.Struct({ key: Schema.String, call: Call, output: Schema.String })

export type Running = typeof Running.Type

const Prompt = Schema.Struct({ id: nullableString, at: nullableString, text: Schema.String })

/** A user's text of a record that does not say who wrote it; the line after it tells. */
export type Prompt = typeof Prompt.Type

const Words = Schema.Struct({ id: nullableString, at: nullableString, text: Schema.String, final: Schema.Boolean })

/** What the agent said. */
export type Words = typeof Words.Type

/** A text that one kind of record has told and that the other kind may repeat. */
const Echo = Schema.Struct({ from: Schema.Literal("item", "event"), digest: Schema.String })

export type Echo = typeof Echo.Type

export const State = Schema.Struct({
  version: Schema.Literal(1),
  sessionId: nullableString,
  parentSessionId: nullableString,
  cwd: nullableString,
  /** Whether somebody is there, by the client that began the session. */
  attended: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { default: () => null }),
  /** The directory of the running turn. */
  turnCwd: nullableString,
  model: nullableString,
  mode: Mode,
  /** The mode of a turn whose prompt is still to come. */
  nextMode: Schema.NullOr(Mode),
  /** Whether the host began a turn, and whether its prompt has come; `unknown` where it never says so. */
  phase: Schema.Literal("unknown", "begun", "working", "idle"),
  /** How many messages a person has written. */
  prompts: Schema.Number,
  /** The number of the message that began the running turn, -1 before the first. */
  turn: Schema.Number,
  /** Whether the record names a person's messages in events of their own. */
  namesPrompts: Schema.Boolean,
  /** The same of the agent's messages. */
  namesMessages: Schema.Boolean,
  held: Schema.NullOr(Prompt),
  /** A text of the agent that no event has named: what follows tells whether it was said to the user. */
  unnamed: Schema.NullOr(Words),
  echoes: Schema.Array(Echo),
  calls: Schema.Array(Call),
  running: Schema.Array(Running),
  /** The calls that were settled last: a record that comes late says nothing new of them. */
  seen: Schema.Array(Schema.String),
  /** How many calls had to be named by the decoder. */
  named: Schema.Number
})

export type State = typeof State.Type

export type Step = TranscriptDecoder.Step<State>

export const initial: State = {
  version: 1,
  sessionId: null,
  parentSessionId: null,
  cwd: null,
  attended: null,
  turnCwd: null,
  model: null,
  mode: "unknown",
  nextMode: null,
  phase: "unknown",
  prompts: 0,
  turn: -1,
  namesPrompts: false,
  namesMessages: false,
  held: null,
  unnamed: null,
  echoes: [],
  calls: [],
  running: [],
  seen: [],
  named: 0
}
