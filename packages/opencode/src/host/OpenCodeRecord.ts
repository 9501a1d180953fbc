/**
 * A session as it stands, fetched so that a review costs what is new: the messages since the last look and one page
 * before them. What was decoded is kept, and handed out again as the very same events.
 */
import type { AgentHostError } from "@reflexion/core/AgentHost"
import type { Transcript, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Effect from "effect/Effect"
import { lookBack } from "./LookBack.ts"
import { idOf, type Last, lastOf } from "./Prompting.ts"
import * as RecordedAgents from "./recordedAgents.ts"
import * as OpenCodeAgents from "../decoder/OpenCodeAgents.ts"
import { OpenCodeClient } from "./OpenCodeClient.ts"
import * as OpenCodeTranscript from "../decoder/OpenCodeTranscript.ts"
import { SessionWords } from "./SessionWords.ts"

/**
 * `last`: the message up to which everything was taken; it is taken again, for it may have been under way. `said`: what is
 * known of the user's last messages.
 */
interface Kept {
  readonly state: OpenCodeTranscript.State
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly agents: RecordedAgents.Agents
  readonly last: string | null
  readonly said: Last
}

const page = 32
const maxKept = 16

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
    last: idOf(messages.at(-1)) ?? kept.last,
    said: lastOf(messages, kept.said)
  }
  return next
})

const begun = Effect.fnUntraced(function* (sessionId: string) {
  const client = yield* OpenCodeClient
  const [state, events] = OpenCodeTranscript.step(OpenCodeTranscript.initial, yield* client.session(sessionId))
  const kept: Kept = { state, events, agents: RecordedAgents.none, last: null, said: lastOf([]) }
  return kept
})

/** What is kept, and the messages since; all of them where nothing is. */
const news = Effect.fnUntraced(function* (sessionId: string, known: Kept | undefined) {
  const since = known === undefined || known.last === null ? null : yield* fetchSince(sessionId, known.last)
  if (known !== undefined && since !== null) return { kept: known, messages: since }
  const client = yield* OpenCodeClient
  return { kept: yield* begun(sessionId), messages: yield* client.messages(sessionId, null) }
})

const transcriptOf = ({ events, state }: Pick<Kept, "events" | "state">): Transcript => ({
  version: 1,
  ...OpenCodeTranscript.session(state),
  events: [...events, ...OpenCodeTranscript.finish(state)]
})

/** The last of a session's messages, as somebody says that it is about to be. */
interface Foretold {
  readonly messageId: string
  readonly amend: (message: unknown) => unknown
}

/** Nothing of that message is kept: it is still under way. */
const foretell = Effect.fnUntraced(function* (
  sessionId: string,
  known: Kept | undefined,
  { amend, messageId }: Foretold
) {
  const { kept, messages } = yield* news(sessionId, known)
  const index = messages.findIndex((message) => idOf(message) === messageId)
  const before = index === -1 ? messages : messages.slice(0, index)
  const next = yield* take(sessionId, kept, before)
  const stored = index === -1 ? null : messages[index]
  const [state, events] = OpenCodeTranscript.step(next.state, stored === null ? [] : [amend(stored)])
  const transcript = transcriptOf({ state, events: [...next.events, ...events] })
  return [next, { transcript, stored, last: next.said }] as const
})

export interface OpenCodeRecord {
  readonly transcript: (sessionId: string) => Effect.Effect<Transcript, AgentHostError>
  /**
   * The session as it would stand if that message, the agent's last one, were what `amend` makes of it. `stored` is the
   * message as it is, null where there is none; `last`, what was said in the user's place last.
   */
  readonly foretold: (
    sessionId: string,
    message: Foretold
  ) => Effect.Effect<{ readonly transcript: Transcript; readonly stored: unknown; readonly last: Last }, AgentHostError>
  readonly forget: (sessionId: string) => void
}

/**
 * The records of a host's sessions; the 16 that were read last are kept.
 *
 * @category constructors
 */
export const make: Effect.Effect<OpenCodeRecord, never, OpenCodeClient> = Effect.gen(function* () {
  const client = yield* OpenCodeClient
  const words = yield* SessionWords
  /** What goes on now is this process's to know: a session that `run` began may be on a screen by now. */
  const present = (sessionId: string, transcript: Transcript) =>
    Effect.zipWith(
      words.attended(sessionId),
      words.doneWhen(sessionId),
      (attended, doneWhen): Transcript => ({
        ...transcript,
        attended,
        ...(doneWhen.length > 0 && { doneWhen })
      }),
      { concurrent: true }
    )
  const kept = new Map<string, Kept>()
  const forget = (sessionId: string): void => void kept.delete(sessionId)
  const keep = (sessionId: string, record: Kept): void => {
    kept.delete(sessionId)
    kept.set(sessionId, record)
    for (const oldest of kept.keys()) if (kept.size > maxKept) forget(oldest)
  }
  const transcript = Effect.fn("OpenCodeRecord.transcript")(
    function* (sessionId: string) {
      const { kept: known, messages } = yield* news(sessionId, kept.get(sessionId))
      const record = yield* take(sessionId, known, messages)
      keep(sessionId, record)
      return yield* present(sessionId, transcriptOf(record))
    },
    Effect.provideService(OpenCodeClient, client)
  )
  const foretold = Effect.fn("OpenCodeRecord.foretold")(
    function* (sessionId: string, message: Foretold) {
      const [record, found] = yield* foretell(sessionId, kept.get(sessionId), message)
      keep(sessionId, record)
      return { ...found, transcript: yield* present(sessionId, found.transcript) }
    },
    Effect.provideService(OpenCodeClient, client)
  )
  return { transcript, foretold, forget }
})
