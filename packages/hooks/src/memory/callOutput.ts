/** What a call of the agent's printed, from the end of the session's record: what is folded keeps the outcome alone. */
import type { RecordDecoder } from "../session/RecordDecoder.ts"
import { lastLines } from "@reflexion/core/internal/memory/log/JsonlFile"

const tailBytes = 2 * 1024 * 1024

/** Null where the record's end does not have it, such as a subagent's. The lines of one call are all that is decoded. */
export const find = <S>(decoder: RecordDecoder<S>, record: string, callId: string): string | null => {
  let state = decoder.initial
  let found: string | null = null
  for (const line of lastLines(record, tailBytes)) {
    if (!line.includes(callId)) continue
    const [next, events] = decoder.step(state, JSON.parse(line))
    state = next
    for (const event of events) {
      if (event.type === "tool_call" && event.id === callId) found = event.output ?? found
    }
  }
  return found
}
