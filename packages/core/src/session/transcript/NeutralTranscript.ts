/** The neutral JSON form, for any host without an adapter: `{ "version": 1, "host": …, "events": [ … ] }`. */
import * as Decoding from "./neutralDecoding.ts"
import * as Events from "./NeutralEvents.ts"
import * as Json from "../../ground/json/Json.ts"
import type { Transcript, TranscriptEvent } from "./Transcript.ts"
import type { TranscriptDecoder } from "./TranscriptDecoder.ts"

/** A session written down in another version of the form, or in none. */
const rejects = (value: unknown): string | null => {
  if (!Json.isObject(value) || !Array.isArray(value["events"]) || value["version"] === 1) return null
  const version = value["version"]
  const given = version === undefined ? "is missing" : `is ${JSON.stringify(version)?.slice(0, 40)}`
  return `"version" ${given}, and the one that is known is 1: write the events in that form, and "version": 1`
}

export const decoder: TranscriptDecoder = {
  host: "transcript",
  recognises: (value) => Json.isObject(value) && value["version"] === 1 && Array.isArray(value["events"]),
  rejects,
  start: () => Decoding.start()
}

/**
 * The events of a transcript in memory with the same defaults as a decoded one's: an id from the position, `completed`
 * for a call that has an output or an exit code, and the session's mode as the first event. `from`: only those from this
 * position on.
 *
 * @category decoding
 */
export const events: (transcript: Transcript, from?: number) => ReadonlyArray<TranscriptEvent> = Events.events
