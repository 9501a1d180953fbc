/** What the decoder knows from one line to the next. */
import type { Mode, Notice, SessionInfo, Todo, TranscriptEvent } from "@reflexion/core/Transcript"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"

/** A call that was issued and has no result yet. */
export interface Call {
  readonly id: string
  readonly at: string | null
  readonly tool: string
  readonly input: unknown
  readonly cwd: string | null
  readonly agentId: string | null
}

/** A result; newer versions now and then write one before its call. */
export interface Result {
  readonly id: string
  readonly at: string | null
  readonly block: unknown
  readonly result: unknown
}

/** An entry of the input queue: typed by the user just now, or before the agent went on; or a notification. */
interface Queued {
  readonly kind: "new" | "waited" | "harness"
  readonly text: string
}

export interface State extends Required<Pick<SessionInfo, "attended" | "cwd" | "mode" | "sessionId">> {
  /** Whether all messages so far are those of an agent that a session started; null before the first. */
  readonly agentOnly: boolean | null
  /** A mode that the host wrote down between turns and that holds from the next one. */
  readonly nextMode: Mode | null
  /** The number of the last prompt, -1 before the first. */
  readonly turn: number
  readonly calls: ReadonlyArray<Call>
  readonly early: ReadonlyArray<Result>
  readonly background: ReadonlyArray<{ readonly task: string; readonly call: Call }>
  readonly tasks: ReadonlyArray<Todo>
  /** The records that were read, null before the first; it grows in its place, so a state is gone on from once. */
  readonly seen: Set<string> | null
  /** The line of the slash command that the host expands in the next one. */
  readonly expands: string | null
  /** The input queue, oldest first. */
  readonly queue: ReadonlyArray<Queued>
  /** The texts that left the queue for the running turn, until an attachment repeats them. */
  readonly joined: ReadonlyArray<string>
  /** Whether the entry that left the queue last had waited while the agent worked. */
  readonly dequeued: boolean
  /** The message whose text came last, and how many texts of it. */
  readonly message: { readonly id: string | null; readonly texts: number }
  /** A failed request that the host retries; it counts only if nothing follows. */
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
