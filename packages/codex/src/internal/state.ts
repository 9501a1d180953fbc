/** The state that the decoder keeps between lines. */
import type { AssistantMessage, Mode, SessionInfo, TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"

/** A command or patch in the text of a code-mode script. */
export interface Part {
  readonly kind: "command" | "patch"
  readonly text: string
  readonly cwd: string | null
}

export interface Call {
  readonly id: string
  readonly at: string | null
  readonly tool: string
  readonly input: unknown
  readonly cwd: string | null
  /** The parts of a script that have no host record of their own yet. */
  readonly parts: ReadonlyArray<Part>
}

export interface RunningWork {
  readonly key: string
  readonly call: Call
  readonly output: string
}

/** The author is unknown. The next line shows who wrote the text. */
export type Prompt = Pick<UserMessage, "id" | "at" | "text">

/** `final`: Codex marks it as the final answer. */
export interface Words extends Pick<AssistantMessage, "id" | "at" | "text"> {
  readonly final: boolean
}

/** A recorded text. It can be recorded twice: as an item and as an event. */
export interface Echo {
  readonly from: "item" | "event"
  readonly text: string
}

export interface State extends Required<
  Pick<SessionInfo, "attended" | "cwd" | "mode" | "parentSessionId" | "sessionId">
> {
  readonly turnCwd: string | null
  readonly model: string | null
  /** The mode of a turn whose prompt has not arrived yet. */
  readonly nextMode: Mode | null
  /** `begun`: a turn began. `working`: its prompt has arrived. `unknown`: the host never reports turns. */
  readonly phase: "unknown" | "begun" | "working" | "idle"
  readonly prompts: number
  /** The number of the message that began the running turn. -1 before the first. */
  readonly turn: number
  /** True if the record has separate events for a person's messages. */
  readonly namesPrompts: boolean
  /** True if the record has separate events for the agent's messages. */
  readonly namesMessages: boolean
  readonly held: Prompt | null
  /** The next lines show whether this text of the agent was a message to the user. */
  readonly unnamed: Words | null
  readonly echoes: ReadonlyArray<Echo>
  readonly calls: ReadonlyArray<Call>
  readonly running: ReadonlyArray<RunningWork>
  /** The last settled calls. A later record of the same call is ignored. */
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
