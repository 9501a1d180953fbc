/** What the decoder knows from one message to the next. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { AssistantMessage, SessionInfo, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"

export interface State extends Required<
  Pick<SessionInfo, "attended" | "cwd" | "mode" | "parentSessionId" | "sessionId">
> {
  /** How many messages a person has written. */
  readonly prompts: number
  /** The number of the message that began the running turn, -1 before the first. */
  readonly turn: number
  /** The agent's last message: whether it may still be written, and when it was complete, in milliseconds. */
  readonly answer: { readonly open: boolean; readonly completed: number | null } | null
  /** What the agent is saying: more may come. */
  readonly words: Pick<AssistantMessage, "id" | "at" | "text" | "model"> | null
  /** Calls whose agents go on in the background, by the sessions in which those work. */
  readonly running: Readonly<Record<string, ToolCall>>
  /** The message that announces a command of the user's own. */
  readonly shell: string | null
}

export type Step = TranscriptDecoder.Step<State>

export const none: ReadonlyArray<TranscriptEvent> = []

export const initial: State = {
  sessionId: null,
  parentSessionId: null,
  cwd: null,
  attended: null,
  mode: "unknown",
  prompts: 0,
  turn: -1,
  answer: null,
  words: null,
  running: {},
  shell: null
}

/** When a message was created, in milliseconds. */
export const createdAt = (info: Json.Json): number | null => Json.number(Json.object(info["time"])["created"])
