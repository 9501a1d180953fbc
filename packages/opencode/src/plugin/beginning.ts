/** What a session is told that begins in a project with a memory: the same at each request, for no message keeps it. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Memory } from "./memory.ts"

const maxSessions = 512

/** The host waits for it. */
const patience = "2 seconds"

export const make = () => {
  /** Null until it is asked for. */
  const begun = new Map<string, Option.Option<string> | null>()
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const info = Json.object(Json.object(properties)["info"])
    const id = Json.string(info["id"])
    if (id === null) return
    if (type === "session.deleted") begun.delete(id)
    // A subagent's session, or one of our own judges', is its parent's.
    if (type !== "session.created" || Json.string(info["parentID"]) !== null) return
    if (begun.size >= maxSessions) begun.delete(begun.keys().next().value ?? "")
    begun.set(id, null)
  }
  const ask = Effect.fnUntraced(function* (sessionId: string) {
    const memory = yield* Memory
    const answer = yield* Effect.timeoutOption(Effect.disconnect(memory.atStart(sessionId)), patience)
    const words = Option.filter(answer, (text) => text !== "")
    if (begun.has(sessionId)) begun.set(sessionId, words)
    return words
  })
  /** Null where there is nothing to wait for. */
  const words = (sessionId: string | undefined): Effect.Effect<Option.Option<string>> | null => {
    const told = sessionId === undefined ? undefined : begun.get(sessionId)
    if (sessionId === undefined || told === undefined) return null
    if (told === null) return ask(sessionId)
    return Option.isNone(told) ? null : Effect.succeed(told)
  }
  return { happened, words }
}
