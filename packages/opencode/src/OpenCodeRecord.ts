/**
 * A session as it stands, fetched so that a review costs what is new: the messages since the last look and one page
 * before them. What was decoded is kept, and handed out again as the very same events.
 *
 * @since 0.1.0
 */
import type { AgentHostError } from "@reflexion/core/AgentHost"
import * as Json from "@reflexion/core/Json"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import { lookBack } from "./internal/lookBack.ts"
import * as RecordedAgents from "./internal/recordedAgents.ts"
import * as OpenCodeAgents from "./OpenCodeAgents.ts"
import { OpenCodeClient } from "./OpenCodeClient.ts"
import * as OpenCodeTranscript from "./OpenCodeTranscript.ts"

/** `last`: the message up to which everything was taken; it is taken again, for it may have been under way. */
interface Kept {
  readonly state: OpenCodeTranscript.State
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly agents: RecordedAgents.Agents
  readonly last: string | null
}

const page = 32
const maxKept = 16

const idOf = (message: unknown): string | null => Json.string(Json.object(Json.object(message)["info"])["id"])

/** The messages from the one on that was last before; null if it is no longer there. */
const since = (messages: ReadonlyArray<unknown>, last: string): ReadonlyArray<unknown> | null => {
  const index = messages.findLastIndex((message) => idOf(message) === last)
  return index === -1 ? null : messages.slice(index)
}

const fetchSince = (sessionId: string, last: string) => {
  const holds = (messages: ReadonlyArray<unknown>): boolean => since(messages, last) !== null
  return Effect.map(lookBack(sessionId, { page, holds }), ({ messages }) => since(messages, last))
}

const take = Effect.fnUntraced(function* (sessionId: string, kept: Kept, messages: ReadonlyArray<unknown>) {
  const [state, events] = OpenCodeTranscript.step(kept.state, messages)
  const [agents, calls] = yield* RecordedAgents.look(sessionId, kept.agents, { messages, state })
  const more = OpenCodeAgents.merged(events, calls)
  const next: Kept = {
    state,
    events: more.length === 0 ? kept.events : [...kept.events, ...more],
    agents,
    last: idOf(messages.at(-1)) ?? kept.last
  }
  return next
})

const begin = Effect.fnUntraced(function* (
  sessionId: string,
  amend: (messages: ReadonlyArray<unknown>) => ReadonlyArray<unknown> = (messages) => messages
) {
  const client = yield* OpenCodeClient
  const session = yield* client.session(sessionId)
  const [state, events] = OpenCodeTranscript.step(OpenCodeTranscript.initial, session)
  const messages = amend(yield* client.messages(sessionId, null))
  return yield* take(sessionId, { state, events, agents: RecordedAgents.none, last: null }, messages)
})

const goOn = Effect.fnUntraced(function* (sessionId: string, kept: Kept | undefined) {
  if (kept === undefined || kept.last === null) return yield* begin(sessionId)
  const messages = yield* fetchSince(sessionId, kept.last)
  return messages === null ? yield* begin(sessionId) : yield* take(sessionId, kept, messages)
})

const transcriptOf = ({ events, state }: Kept): Transcript => ({
  version: 1,
  ...OpenCodeTranscript.session(state),
  events: [...events, ...OpenCodeTranscript.finish(state)]
})

/**
 * A session read from its beginning, as it would stand if its messages were what `amend` makes of them.
 *
 * @since 0.1.0
 * @category accessors
 */
export const read = Effect.fn("OpenCodeRecord.read")(function* (
  sessionId: string,
  amend: (messages: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
): Effect.fn.Return<Transcript, AgentHostError, OpenCodeClient> {
  return transcriptOf(yield* begin(sessionId, amend))
})

/**
 * @since 0.1.0
 * @category models
 */
export interface OpenCodeRecord {
  readonly transcript: (sessionId: string) => Effect.Effect<Transcript, AgentHostError>
  readonly forget: (sessionId: string) => void
}

/**
 * The records of a host's sessions; the 16 that were read last are kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<OpenCodeRecord, never, OpenCodeClient> = Effect.gen(function* () {
  const client = yield* OpenCodeClient
  const kept = new Map<string, Kept>()
  const keep = (sessionId: string, record: Kept): void => {
    kept.delete(sessionId)
    kept.set(sessionId, record)
    for (const oldest of kept.keys()) if (kept.size > maxKept) kept.delete(oldest)
  }
  const transcript = Effect.fn("OpenCodeRecord.transcript")(function* (sessionId: string) {
    const record = yield* Effect.provideService(goOn(sessionId, kept.get(sessionId)), OpenCodeClient, client)
    keep(sessionId, record)
    return transcriptOf(record)
  })
  return { transcript, forget: (sessionId) => kept.delete(sessionId) }
})
