/** The state that the decoder keeps between lines. */
import type { Mode, Notice, SessionInfo, Todo, TranscriptEvent } from "@reflexion/core/Transcript"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"

/** A call that has no result yet. */
export interface Call {
  readonly id: string
  readonly at: string | null
  readonly tool: string
  readonly input: unknown
  readonly cwd: string | null
  readonly agentId: string | null
}

/** The result of a call. Newer versions sometimes write the result before the call. */
export interface Result {
  readonly id: string
  readonly at: string | null
  readonly block: unknown
  readonly result: unknown
}

/**
 * An entry of the input queue. `new` was typed just now, `waited` was typed before the agent continued, and `harness`
 * is a notification.
 */
interface Queued {
  readonly kind: "new" | "waited" | "harness"
  readonly text: string
}

export interface State extends Required<Pick<SessionInfo, "attended" | "cwd" | "mode" | "sessionId">> {
  /** True if all messages so far belong to a subagent. Null before the first message. */
  readonly agentOnly: boolean | null
  /** A mode that the host wrote between two turns. The mode applies from the next turn on. */
  readonly nextMode: Mode | null
  /** The number of the last prompt. It is -1 before the first. */
  readonly turn: number
  readonly calls: ReadonlyArray<Call>
  readonly early: ReadonlyArray<Result>
  readonly background: ReadonlyArray<{ readonly task: string; readonly call: Call }>
  readonly tasks: ReadonlyArray<Todo>
  /**
   * The ids of the records that were read. Null before the first. The set is changed in place, so do not continue twice
   * from the same state.
   */
  readonly seen: Set<string> | null
  /** The id of the slash command that the host expands in the next line. */
  readonly expands: string | null
  /** The input queue, oldest first. */
  readonly queue: ReadonlyArray<Queued>
  /** The texts that left the queue and joined the running turn. Each stays here until an attachment repeats it. */
  readonly joined: ReadonlyArray<string>
  /** True if the last entry that left the queue was of kind `waited`. */
  readonly dequeued: boolean
  /** The message with the last text, and how many texts it has so far. */
  readonly message: { readonly id: string | null; readonly texts: number }
  /** A failed request that the host retries. The failure counts only if nothing follows. */
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
