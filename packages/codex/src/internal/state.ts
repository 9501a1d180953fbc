/** The decoder's state at the start, and the step type that everything here shares. */
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import type { State } from "./stateSchema.ts"

export type Step = readonly [State, ReadonlyArray<TranscriptEvent>]

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

/** One step after the other. */
export const chain = (state: State, ...steps: ReadonlyArray<(state: State) => Step>): Step => {
  let current = state
  const events: Array<TranscriptEvent> = []
  for (const step of steps) {
    const [next, more] = step(current)
    current = next
    for (const event of more) events.push(event)
  }
  return [current, events]
}
