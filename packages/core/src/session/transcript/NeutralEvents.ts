import type * as Transcript from "./Transcript.ts"

export type Event = Transcript.TranscriptEvent

export const events = (transcript: Transcript.Transcript, from = 0): ReadonlyArray<Event> => [
  ...(from === 0 ? modeEvents(transcript.mode) : []),
  ...transcript.events.slice(from).map((event, index) => withDefaults(event, from + index))
]

export const modeEvents = (mode: Transcript.Mode): ReadonlyArray<Event> =>
  mode === "unknown" ? [] : [{ type: "mode_change", at: null, mode }]

/** A parent that is not named is none. */
export const isSubagent = ({ parentSessionId }: Pick<Partial<Transcript.SessionInfo>, "parentSessionId">): boolean =>
  typeof parentSessionId === "string"

/** A text that is no moment in time is none, wherever it would be shown. */
const moment = (at: string | null): string | null =>
  at !== null && at.length < 40 && !Number.isNaN(Date.parse(at)) ? at : null

export const withDefaults = (given: Event, index: number): Event => {
  const event = given.at === null ? given : { ...given, at: moment(given.at) }
  switch (event.type) {
    case "user_message":
    case "assistant_message":
      return event.id === null ? { ...event, id: `e${index}` } : event
    case "tool_call":
      return {
        ...event,
        id: event.id ?? `e${index}`,
        input: event.input ?? null,
        status: event.status ?? impliedStatus(event)
      }
    default:
      return event
  }
}

const impliedStatus = (call: Transcript.ToolCall): Transcript.ToolStatus | null => {
  if (call.exitCode !== null) return "completed"
  if (call.background) return "running"
  return call.output === null ? null : "completed"
}
