/**
 * What a session is told with its system prompt: where it begins in a project with a memory, and what a compaction's summary
 * may have lost, until it comes to rest. It is said the same way at each request, for the host keeps it with no message.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Compaction from "./compaction.ts"
import { Memory } from "./memory.ts"

const maxSessions = 512

/** The host waits for it. */
const patience = "2 seconds"

/** Words that are due in sessions, asked for once. */
const make = <E, R>(ask: (sessionId: string) => Effect.Effect<Option.Option<string>, E, R>) => {
  /** Null until they are asked for. */
  const due = new Map<string, Option.Option<string> | null>()
  const begin = (sessionId: string): void => {
    due.delete(sessionId)
    if (due.size >= maxSessions) due.delete(due.keys().next().value ?? "")
    due.set(sessionId, null)
  }
  const asked = Effect.fnUntraced(function* (sessionId: string) {
    const answer = yield* Effect.timeoutOption(Effect.disconnect(ask(sessionId)), patience)
    const words = Option.flatten(answer)
    if (due.has(sessionId)) due.set(sessionId, words)
    return words
  })
  /** Null where there is nothing to wait for. */
  const words = (sessionId: string | undefined) => {
    const told = sessionId === undefined ? undefined : due.get(sessionId)
    if (sessionId === undefined || told === undefined) return null
    if (told === null) return asked(sessionId)
    return Option.isNone(told) ? null : Effect.succeed(told)
  }
  const isAsked = (sessionId: string): boolean => due.get(sessionId) !== null
  return { begin, end: (sessionId: string) => due.delete(sessionId), isAsked, words }
}

const infoOf = (properties: unknown): Json.Json => Json.object(Json.object(properties)["info"])

export const beginning = () => {
  const { begin, end, words } = make((sessionId) =>
    Effect.flatMap(Memory, ({ atStart }) =>
      Effect.map(
        atStart(sessionId),
        Option.liftPredicate((text) => text !== "")
      )
    )
  )
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const info = infoOf(properties)
    const id = Json.string(info["id"])
    if (id === null) return
    if (type === "session.deleted") end(id)
    // A subagent's session, or one of our own judges', is its parent's.
    if (type === "session.created" && Json.string(info["parentID"]) === null) begin(id)
  }
  return { happened, words }
}

export const revival = () => {
  const { begin, end, isAsked, words } = make(Compaction.reminder)
  const happened = (event: unknown): void => {
    const { properties, type } = Json.object(event)
    const id = Json.string(Json.object(properties)["sessionID"]) ?? Json.string(infoOf(properties)["id"])
    if (id === null) return
    if (type === "session.compacted") begin(id)
    // Where the user asked for the compaction the session rests before anything is told.
    if (type === "session.deleted" || (type === "session.idle" && isAsked(id))) end(id)
  }
  return { happened, words }
}

/** Adds words to the host's own, for not every model takes a second message of the system's. */
export const say =
  (system: Array<string>) =>
  (words: Option.Option<string>): void => {
    if (Option.isNone(words)) return
    const before = system.pop()
    system.push(before === undefined ? words.value : `${before}\n\n${words.value}`)
  }
