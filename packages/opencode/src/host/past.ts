/**
 * A session's messages up to those that are under way, read in pieces: between two of them the host has its turn, for it
 * reads, and the agent works, in the same process.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import { OpenCodeClient } from "./OpenCodeClient.ts"
import * as OpenCodeTranscript from "../decoder/OpenCodeTranscript.ts"

const limit = 64
const maxPages = 512

const turn = Effect.sleep(0)

/** All messages of a session, from its end; null for one that is too long, and in a host that hands out no pages. */
const all = Effect.fnUntraced(function* (sessionId: string) {
  const client = yield* OpenCodeClient
  const pages: Array<ReadonlyArray<unknown>> = []
  let before: string | null = null
  while (pages.length < maxPages) {
    const page: { readonly messages: ReadonlyArray<unknown>; readonly before: string | null } = yield* client.page(
      sessionId,
      { limit, before }
    )
    pages.unshift(page.messages)
    const isWhole = pages.length > 1 || page.messages.length < limit
    if (page.before === null) return isWhole ? pages.flat() : null
    if (page.before === before) return null
    before = page.before
    yield* turn
  }
  return null
})

const roleOf = (message: unknown): unknown => Json.object(Json.object(message)["info"])["role"]

const createdAt = (message: unknown): number =>
  Json.number(Json.object(Json.object(Json.object(message)["info"])["time"])["created"]) ?? 0

/** The messages before the agent's last one and before the user's last one, and when the next of them began. */
const settled = (messages: ReadonlyArray<unknown>) => {
  const ends = ["assistant", "user"].map((role) => messages.findLastIndex((message) => roleOf(message) === role))
  const end = Math.max(0, Math.min(...ends))
  return { messages: messages.slice(0, end), until: createdAt(messages[end]) }
}

/** The messages of a session at work that nobody writes any more, none where that cannot be told. */
export const read = (sessionId: string) => Effect.map(all(sessionId), (found) => settled(found ?? []))

/** What they say, from where the decoder stands. */
export const decode = Effect.fnUntraced(function* (state: OpenCodeTranscript.State, messages: ReadonlyArray<unknown>) {
  const events: Array<TranscriptEvent> = []
  let current = state
  for (let from = 0; from < messages.length; from += limit) {
    const [next, more] = OpenCodeTranscript.past(current, messages.slice(from, from + limit))
    current = next
    events.push(...more)
    yield* turn
  }
  return [current, events] as const
})
