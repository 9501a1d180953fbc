/**
 * The events of the running task, kept for a model that may be asked about it. What a task needs is bounded: of one that
 * is longer nothing is kept, because what is not there must not look as if it had not been done.
 */
import * as Judgment from "@reflexion/core/Judgment"
import type { TranscriptEvent } from "@reflexion/core/Transcript"

/**
 * `held` is what there is of the session as it stands: before the running task there is filling, so that an event is
 * cited by its place in the session. Null where the task has more than is kept.
 *
 * @category models
 */
export interface TaskRecord {
  readonly push: (event: TranscriptEvent, states: States) => void
  readonly held: () => Held | null
}

/**
 * The session's events, put together when they are wanted.
 *
 * @category models
 */
export type Held = () => ReadonlyArray<TranscriptEvent>

export interface States {
  readonly before: Judgment.JudgmentState
  readonly after: Judgment.JudgmentState
}

/** In characters. Longer tasks are hard to find. */
const maxSize = 16_000_000

const head = 16_000
const tail = 48_000

/** Long outputs lose their middle: tools say at the ends how it went. */
const shortened = (output: string): string =>
  output.length <= head + tail ? output : `${output.slice(0, head)}\n…\n${output.slice(-tail)}`

const filling: TranscriptEvent = { type: "mode_change", at: null, mode: "unknown" }

/** What is shown of an event; a message keeps the number of the turn that it begins. */
const kept = (event: TranscriptEvent, turn: number | null): TranscriptEvent => {
  switch (event.type) {
    case "user_message":
      return turn === null ? event : { ...event, turn }
    case "assistant_message":
      return event
    case "tool_call":
      if (event.agentId !== null) return filling
      return event.output === null ? event : { ...event, output: shortened(event.output) }
    default:
      return filling
  }
}

const sizeOf = (event: TranscriptEvent): number => (event === filling ? 1 : JSON.stringify(event).length)

const filled = (count: number): ReadonlyArray<TranscriptEvent> => Array.from({ length: count }, () => filling)

export const make = (): TaskRecord => {
  let before = 0
  let count = 0
  let size = 0
  let events: Array<TranscriptEvent> = []
  const begin = (): void => {
    before = count
    size = 0
    events = []
  }
  return {
    push: (event, states) => {
      const starts = Judgment.startsTurn(states.before, event)
      const { since, turn } = states.after.task
      if (starts && since === turn) begin()
      count += 1
      if (size > maxSize) return
      const one = kept(event, starts ? turn : null)
      size += sizeOf(one)
      events.push(one)
      if (size > maxSize) events = []
    },
    held: () => {
      if (size > maxSize) return null
      const [all, end, from] = [events, events.length, before]
      return () => [...filled(from), ...all.slice(0, end)]
    }
  }
}
