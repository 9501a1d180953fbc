/** A subagent's tool calls put in their place among the main agent's events, by time. */
import type { ToolCall, TranscriptEvent } from "./Transcript.ts"

export interface Merge {
  /** The events, each after the subagents' calls that had ended by then. */
  readonly push: (events: ReadonlyArray<TranscriptEvent>) => ReadonlyArray<TranscriptEvent>
  /** The calls that ended after the last event, and those without a time. */
  readonly end: () => ReadonlyArray<TranscriptEvent>
}

export const make = (calls: ReadonlyArray<ToolCall>): Merge => {
  const waiting = calls
    .map((call) => ({ call, time: timeOf(call) }))
    .toSorted((left, right) => order(left.time) - order(right.time))
  let next = 0

  const upTo = (time: number, out: Array<TranscriptEvent>): void => {
    for (let one = waiting[next]; one !== undefined && one.time !== null && one.time <= time; one = waiting[next]) {
      out.push(one.call)
      next++
    }
  }

  return {
    push: (events) => {
      if (next >= waiting.length) return events
      const out: Array<TranscriptEvent> = []
      for (const event of events) {
        const time = timeOf(event)
        if (time !== null) upTo(time, out)
        out.push(event)
      }
      return out
    },
    end: () => {
      const rest = waiting.slice(next).map((one) => one.call)
      next = waiting.length
      return rest
    }
  }
}

const timeOf = (event: TranscriptEvent): number | null => {
  const at = event.type === "tool_call" ? (event.endedAt ?? event.at) : event.at
  if (at === null) return null
  const time = Date.parse(at)
  return Number.isNaN(time) ? null : time
}

/** Finite, so that two calls without a time compare as equal. */
const order = (time: number | null): number => time ?? Number.MAX_SAFE_INTEGER
