/** The state that the decoder keeps between lines. */
import type { SessionInfo, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"

export type Call = Pick<ToolCall, "agentId" | "at" | "cwd" | "input" | "tool"> & { readonly id: string }

export interface Background {
  readonly task: string
  readonly call: Call
}

export interface State extends Required<Pick<SessionInfo, "cwd" | "mode" | "sessionId">> {
  /** The number of the last prompt. -1 before the first. */
  readonly turn: number
  readonly calls: ReadonlyArray<Call>
  readonly background: ReadonlyArray<Background>
}

export type Step = TranscriptDecoder.Step<State>

export const none: ReadonlyArray<TranscriptEvent> = []

export const initial: State = { sessionId: null, cwd: null, mode: "unknown", turn: -1, calls: [], background: [] }
