/** The decoder's state at the start, and the step type that everything here shares. */
import type * as TranscriptDecoder from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { State } from "./stateSchema.ts"

export type Step = TranscriptDecoder.Step<State>

export const initial: State = {
  version: 1,
  sessionId: null,
  parentSessionId: null,
  cwd: null,
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
