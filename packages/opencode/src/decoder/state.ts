/** The decoder's state between two messages. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { AssistantMessage, SessionInfo, ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"

export interface State extends Required<
  Pick<SessionInfo, "attended" | "cwd" | "mode" | "parentSessionId" | "sessionId">
> {
  readonly prompts: number
  /** The number of the message that began the running turn, from 0. It is -1 before the first message. */
  readonly turn: number
  /** `open`: the agent's last message may still change. `completed`: its end in ms since the epoch. */
  readonly answer: { readonly open: boolean; readonly completed: number | null } | null
  /** The agent's text so far. More text may follow. */
  readonly words: Pick<AssistantMessage, "id" | "at" | "text" | "model"> | null
  /** The calls whose background agent is running, by the agent's session. */
  readonly running: Readonly<Record<string, ToolCall>>
  /** The id of the host's message before a shell command of the user. */
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

export const createdAt = (info: Json.Json): number | null => Json.number(Json.object(info["time"])["created"])
