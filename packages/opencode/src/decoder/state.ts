/** The decoder's state between two messages. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { AssistantMessage, SessionInfo, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"

export interface State extends Required<
  Pick<SessionInfo, "attended" | "cwd" | "mode" | "parentSessionId" | "sessionId">
> {
  /** The number of messages that a person has written. */
  readonly prompts: number
  /** The number of the message that began the running turn. -1 before the first message. */
  readonly turn: number
  /** The agent's last message. `open` is true if it may still change. `completed` is its end in ms since the epoch. */
  readonly answer: { readonly open: boolean; readonly completed: number | null } | null
  /** The agent's current text, which may still grow. Null if there is none. */
  readonly words: Pick<AssistantMessage, "id" | "at" | "text" | "model"> | null
  /** The calls that started a background agent that still runs, by the id of the agent's session. */
  readonly running: Readonly<Record<string, ToolCall>>
  /** The id of the message before a shell command that the user runs. */
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

/** Returns when a message was created, in ms since the epoch. */
export const createdAt = (info: Json.Json): number | null => Json.number(Json.object(info["time"])["created"])
