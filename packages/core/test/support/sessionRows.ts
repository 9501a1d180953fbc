/** Sessions as rows of a table: a name, what is said of the session, and its events. */
import type { SessionInfo, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"

export interface Row<Expected = string> {
  readonly name: string
  readonly expected: Expected
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly session?: Partial<SessionInfo>
}

export const row = <const Expected>(
  name: string,
  expected: Expected,
  ...events: ReadonlyArray<TranscriptEvent>
): Row<Expected> => ({ name, expected, events })

const start = Date.parse("2026-03-02T09:00:00.000Z")

/** The events a minute apart. */
export const timed = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<TranscriptEvent> =>
  events.map((event, index) => {
    const at = new Date(start + index * 60_000).toISOString()
    return event.type === "tool_call"
      ? { ...event, at, endedAt: event.status === "completed" ? at : null }
      : { ...event, at }
  })

/** "complete | says a; b" is "complete" and its texts. */
export const told = (expected: string, word: "says" | "never" = "says"): ReadonlyArray<string> =>
  new RegExp(String.raw` \| ${word} ([^|]+)`, "u").exec(expected)?.[1]?.trim().split("; ") ?? []
