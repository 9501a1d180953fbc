/** What the decoder knows from one line to the next. */
import type { AssistantMessage, Mode, SessionInfo, TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"

/** What a code-mode script asks the host to do, as far as its text tells. */
export interface Part {
  readonly kind: "command" | "patch"
  readonly text: string
  readonly cwd: string | null
}

/** A call that was issued and has no result yet. */
export interface Call {
  readonly id: string
  readonly at: string | null
  readonly tool: string
  readonly input: unknown
  readonly cwd: string | null
  /** The parts of a script that no record of the host's own has named yet. */
  readonly parts: ReadonlyArray<Part>
}

/** A process, script or agent that goes on after the call that started it. */
export interface RunningWork {
  readonly key: string
  readonly call: Call
  readonly output: string
}

/** A user's text of a record that does not say who wrote it; the line after it tells. */
export type Prompt = Pick<UserMessage, "id" | "at" | "text">

/** What the agent said. */
export interface Words extends Pick<AssistantMessage, "id" | "at" | "text"> {
  readonly final: boolean
}

/** A text that one kind of record has told and that the other kind may repeat. */
export interface Echo {
  readonly from: "item" | "event"
  readonly text: string
}

export interface State extends Required<
  Pick<SessionInfo, "attended" | "cwd" | "mode" | "parentSessionId" | "sessionId">
> {
  /** The directory of the running turn. */
  readonly turnCwd: string | null
  readonly model: string | null
  /** The mode of a turn whose prompt is still to come. */
  readonly nextMode: Mode | null
  /** Whether the host began a turn, and whether its prompt has come; `unknown` where it never says so. */
  readonly phase: "unknown" | "begun" | "working" | "idle"
  /** How many messages a person has written. */
  readonly prompts: number
  /** The number of the message that began the running turn, -1 before the first. */
  readonly turn: number
  /** Whether the record names a person's messages in events of their own. */
  readonly namesPrompts: boolean
  /** The same of the agent's messages. */
  readonly namesMessages: boolean
  readonly held: Prompt | null
  /** A text of the agent that no event has named: what follows tells whether it was said to the user. */
  readonly unnamed: Words | null
  readonly echoes: ReadonlyArray<Echo>
  readonly calls: ReadonlyArray<Call>
  readonly running: ReadonlyArray<RunningWork>
  /** The calls that were settled last: a record that comes late says nothing new of them. */
  readonly seen: ReadonlyArray<string>
  /** How many calls had to be named by the decoder. */
  readonly named: number
}

export type Step = TranscriptDecoder.Step<State>

export const none: ReadonlyArray<TranscriptEvent> = []

export const initial: State = {
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
