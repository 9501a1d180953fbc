/** Puts the tool calls of subagents between the events of the main agent, by time. */
import { momentOf } from "../../base/json/Json.ts"
import type { ToolCall, TranscriptEvent } from "./Transcript.ts"

export interface Merge {
  /** Returns the events. The subagents' calls that ended before an event come before that event. */
  readonly push: (events: ReadonlyArray<TranscriptEvent>) => ReadonlyArray<TranscriptEvent>
  /** Returns the calls that ended after the last event, and the calls without a time. */
  readonly end: () => ReadonlyArray<TranscriptEvent>
}

const never = Number.MAX_SAFE_INTEGER

const timeOf = (event: TranscriptEvent): number | null => {
  return momentOf(event.type === "tool_call" ? (event.endedAt ?? event.at) : event.at)
}

export const make = (calls: ReadonlyArray<ToolCall>): Merge => {
  const waiting = calls
    .map((call) => ({ call, time: timeOf(call) ?? never }))
    .toSorted((left, right) => left.time - right.time)
  let next = 0

  const upTo = (time: number): ReadonlyArray<ToolCall> => {
    const from = next
    while (next < waiting.length && (waiting[next]?.time ?? never) <= time) next++
    return waiting.slice(from, next).map(({ call }) => call)
  }

  return {
    push: (events) =>
      next >= waiting.length ? events : events.flatMap((event) => [...upTo(timeOf(event) ?? -never), event]),
    end: () => upTo(never)
  }
}
