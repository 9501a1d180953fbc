/** The state that the decoder keeps between lines. */
import type { AssistantMessage, Mode, SessionInfo, TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"

/** A command or patch that appears in the text of a code-mode script. */
export interface Part {
  readonly kind: "command" | "patch"
  readonly text: string
  readonly cwd: string | null
}

/** A call that has no result yet. */
export interface Call {
  readonly id: string
  readonly at: string | null
  readonly tool: string
  readonly input: unknown
  readonly cwd: string | null
  /** The parts of a script that have no host record of their own yet. */
  readonly parts: ReadonlyArray<Part>
}

/** A process, script or agent that continues after the call that started it. */
export interface RunningWork {
  readonly key: string
  readonly call: Call
  readonly output: string
}

/** A text in the user's role without a known author. The next line shows who wrote it. */
export type Prompt = Pick<UserMessage, "id" | "at" | "text">

/** A message of the agent. `final` is true if Codex marks it as the final answer. */
export interface Words extends Pick<AssistantMessage, "id" | "at" | "text"> {
  readonly final: boolean
}

/** A text of an item that an event may repeat, or of an event that an item may repeat. */
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
  /** The mode of a turn whose prompt has not arrived yet. */
  readonly nextMode: Mode | null
  /**
   * `begun` means that a turn began, and `working` that its prompt has arrived. `unknown` if the host never reports
   * turns.
   */
  readonly phase: "unknown" | "begun" | "working" | "idle"
  /** How many messages a person has written. */
  readonly prompts: number
  /** The number of the message that began the running turn. It is -1 before the first. */
  readonly turn: number
  /** True if the record has separate events for a person's messages. */
  readonly namesPrompts: boolean
  /** True if the record has separate events for the agent's messages. */
  readonly namesMessages: boolean
  readonly held: Prompt | null
  /** A text of the agent without an event of its own. The next lines show whether it was a message to the user. */
  readonly unnamed: Words | null
  readonly echoes: ReadonlyArray<Echo>
  readonly calls: ReadonlyArray<Call>
  readonly running: ReadonlyArray<RunningWork>
  /** The last settled calls. A later record of such a call is ignored. */
  readonly seen: ReadonlyArray<string>
  /** How many calls have an id that the decoder made. */
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
