/** After a compaction the model is told once, with its next request, what the summary may have lost. */
import * as Json from "@reflexion/core/Json"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Compaction from "./compaction.ts"

const maxSessions = 512

/** The host waits for it. */
const patience = "2 seconds"

const sessionOf = (properties: Json.Json): string | null =>
  Json.string(properties["sessionID"]) ?? Json.string(Json.object(properties["info"])["id"])

export const make = () => {
  const due = new Set<string>()
  const compacted = (sessionId: string): void => {
    due.delete(sessionId)
    if (due.size >= maxSessions) due.delete(due.values().next().value ?? "")
    due.add(sessionId)
  }
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const sessionId = sessionOf(Json.object(properties))
    if (sessionId === null) return
    if (type === "session.compacted") compacted(sessionId)
    if (type === "session.deleted") due.delete(sessionId)
  }
  /** What is to be told with a request of that session, null where nothing is: it is asked once. */
  const words = (sessionId: string | undefined) =>
    sessionId !== undefined && due.delete(sessionId)
      ? Effect.map(Effect.timeoutOption(Effect.disconnect(Compaction.reminder(sessionId)), patience), Option.flatten)
      : null
  return { happened, words }
}

/** Adds it to the host's own words, for not every model takes a second message of the system's. */
export const say =
  (system: Array<string>) =>
  (words: Option.Option<string>): void => {
    if (Option.isNone(words)) return
    const before = system.pop()
    system.push(before === undefined ? words.value : `${before}\n\n${words.value}`)
  }
