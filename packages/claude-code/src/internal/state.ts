/** The state that the decoder keeps between lines. */
import type { Mode, Notice, SessionInfo, Todo, TranscriptEvent } from "@reflexion/core/Transcript"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"

export interface Call {
  readonly id: string
  readonly at: string | null
  readonly tool: string
  readonly input: unknown
  readonly cwd: string | null
  readonly agentId: string | null
}

/** Newer versions sometimes write the result before the call. */
export interface Result {
  readonly id: string
  readonly at: string | null
  readonly block: unknown
  readonly result: unknown
}

/** `new`: typed just now. `waited`: typed before the agent continued. `harness`: a notification. */
interface Queued {
  readonly kind: "new" | "waited" | "harness"
  readonly text: string
}

export interface State extends Required<Pick<SessionInfo, "attended" | "cwd" | "mode" | "sessionId">> {
  /** True if all messages so far belong to a subagent. Null before the first. */
  readonly agentOnly: boolean | null
  /** A mode that the host wrote between two turns. It applies from the next turn on. */
  readonly nextMode: Mode | null
  /** The number of the last prompt. -1 before the first. */
  readonly turn: number
  readonly calls: ReadonlyArray<Call>
  readonly early: ReadonlyArray<Result>
  readonly background: ReadonlyArray<{ readonly task: string; readonly call: Call }>
  readonly tasks: ReadonlyArray<Todo>
  /** The records that were read. The set is changed in place, so do not continue twice from the same state. */
  readonly seen: Set<string> | null
  /** The slash command that the host expands in the next line. */
  readonly expands: string | null
  /** Oldest first. */
  readonly queue: ReadonlyArray<Queued>
  /** Texts that left the queue and joined the running turn. A text is removed when an attachment repeats it. */
  readonly joined: ReadonlyArray<string>
  readonly dequeued: boolean
  readonly message: { readonly id: string | null; readonly texts: number }
  /** A failed request that the host retries. It counts only if nothing follows. */
  readonly retrying: Pick<Notice, "at" | "kind" | "detail"> | null
}

export type Step = TranscriptDecoder.Step<State>

export const none: ReadonlyArray<TranscriptEvent> = []

export const initial: State = {
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
  seen: null,
  expands: null,
  queue: [],
  joined: [],
  dequeued: false,
  message: { id: null, texts: 0 },
  retrying: null
}
