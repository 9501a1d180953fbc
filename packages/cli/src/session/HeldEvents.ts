/**
 * The events of a session, held for a model that may be asked about it. Of a session that is too long nothing is held, because
 * what is not there must not look as if it had not been done.
 */
import type { TranscriptEvent } from "@reflexion/core/Transcript"

/** The session as it stood when it was asked for. */
export type Held = () => ReadonlyArray<TranscriptEvent>

/** In characters. Longer sessions are hard to find. */
const maxSize = 20_000_000

export const make = () => {
  const events: Array<TranscriptEvent> = []
  let size = 0
  return {
    push: (event: TranscriptEvent): void => {
      size += size > maxSize ? 0 : JSON.stringify(event).length
      if (size <= maxSize) events.push(event)
      else events.length = 0
    },
    /** Null where the session has more than is held. */
    held: (): Held | null => {
      const end = events.length
      return size > maxSize ? null : () => events.slice(0, end)
    }
  }
}
