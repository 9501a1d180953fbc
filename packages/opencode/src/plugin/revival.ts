/** After a compaction the model is told, until it comes to rest, what the summary may have lost. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Compaction from "./compaction.ts"

const maxSessions = 512

/** The host waits for it. */
const patience = "2 seconds"

const sessionOf = (properties: Json.Json): string | null =>
  Json.string(properties["sessionID"]) ?? Json.string(Json.object(properties["info"])["id"])

export const make = () => {
  /** Null until it is asked for. It is said the same way each time: the host's system prompt is not kept with the messages. */
  const due = new Map<string, Option.Option<string> | null>()
  const compacted = (sessionId: string): void => {
    due.delete(sessionId)
    if (due.size >= maxSessions) due.delete(due.keys().next().value ?? "")
    due.set(sessionId, null)
  }
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const sessionId = sessionOf(Json.object(properties))
    if (sessionId === null) return
    if (type === "session.compacted") compacted(sessionId)
    // Where the user asked for the compaction the session rests before anything is told.
    const rests = type === "session.idle" && due.get(sessionId) !== null
    if (rests || type === "session.deleted") due.delete(sessionId)
  }
  const ask = Effect.fnUntraced(function* (sessionId: string) {
    const answer = yield* Effect.timeoutOption(Effect.disconnect(Compaction.reminder(sessionId)), patience)
    const words = Option.flatten(answer)
    if (due.has(sessionId)) due.set(sessionId, words)
    return words
  })
  /** What is to be told with a request of that session, null where nothing is. */
  const words = (sessionId: string | undefined) => {
    const told = sessionId === undefined ? undefined : due.get(sessionId)
    if (sessionId === undefined || told === undefined) return null
    return told === null ? ask(sessionId) : Effect.succeed(told)
  }
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
