/**
 * A host that runs a program at its events, as an `AgentHost`: what it tells that program comes in through `HookInbox`, a
 * stop is held until it was reviewed, and what follows is what the program prints. Such a host can be spoken to in answer to
 * a stop and at no other time, and says nothing between two events: nobody watches its silence.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import { AgentHost, AgentHostError, type HostEvent, type HostNotice, type Injection } from "./AgentHost.ts"
import * as HookPayload from "./hookPayload.ts"
import * as HookRecord from "./hookRecord.ts"
import type { ReviewEvent } from "../machine/ReviewState.ts"
import { isSubagent } from "../../session/transcript/NeutralTranscript.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"

/**
 * The way in for what a host tells its hooks, and the way back.
 *
 * @category services
 */
export class HookInbox extends Context.Tag("@reflexion/core/HookedHost/HookInbox")<
  HookInbox,
  {
    /**
     * Takes a payload as the host wrote it to the hook's standard input, as text or parsed, and gives what the hook is to
     * print: at a stop once it was reviewed, else at once. Empty where there is nothing to say, and for what is no payload.
     * It is believed: give it nothing but what your own hook was given.
     */
    readonly deliver: (payload: unknown) => Effect.Effect<string>
  }
>() {}

/**
 * What a host's adapter knows of its hooks and its records.
 *
 * @category models
 */
export interface Adapter extends HookPayload.Reading, HookRecord.Reading {
  readonly name: string
  /** What the hook prints at a stop. */
  readonly encode: (said: Said) => object
}

/**
 * What is said in answer to a stop: the text with which the agent is to go on, null where it may stop, and a line for the
 * user, empty where there is none.
 *
 * @category models
 */
export interface Said {
  readonly feedback: string | null
  readonly notice: string
}

/**
 * `patience`: how long a stop is held at most, 5 minutes unless said otherwise. Keep it under the time that the host gives
 * its hook.
 *
 * @category models
 */
export interface Options {
  readonly patience?: Duration.DurationInput
}

/** A stop that is held. `seen`: the record as it was then. */
interface Held {
  readonly over: Deferred.Deferred<void>
  readonly seen: Transcript | null
  said: Said
}

interface Session {
  readonly payload: HookPayload.Payload
  readonly held: Held | null
}

/** What is known of more sessions than these is learned again at their next event. */
const maxKnown = 512

const nothing: Said = { feedback: null, notice: "" }

const rejected = (sessionId: string, detail: string) => new AgentHostError({ reason: "rejected", sessionId, detail })

/** What a stop's record and payload say of the moment, before the stop itself. */
const eventsOf = (payload: HookPayload.Payload, seen: Transcript | null, at: number): ReadonlyArray<ReviewEvent> => {
  const found = seen === null ? null : HookRecord.found(seen)
  const mode = payload.plan === true ? "plan" : payload.plan === false ? "build" : (found?.mode ?? "unknown")
  const message = found?.userMessageId ?? null
  return [
    ...(seen !== null && isSubagent(seen) ? [{ _tag: "ChildSession" as const, kind: "subagent" as const, at }] : []),
    ...(message === null ? [] : [{ _tag: "UserMessage" as const, id: message, genuine: true, at }]),
    ...(mode === "unknown" ? [] : [{ _tag: "ModeChanged" as const, mode, at }]),
    { _tag: "Background", running: payload.background ?? found?.running ?? 0, at },
    { _tag: "Idle", at }
  ]
}

const make = Effect.fnUntraced(function* (adapter: Adapter, { patience = "5 minutes" }: Options) {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const inbox = yield* Mailbox.make<HostEvent>()
  const known = new Map<string, Session>()

  const remember = (payload: HookPayload.Payload, held: Held | null): void => {
    known.delete(payload.sessionId)
    known.set(payload.sessionId, { payload, held })
    for (const [id, session] of known) {
      if (known.size <= maxKnown) return
      if (session.held === null) known.delete(id)
    }
  }
  const offer = ({ name, sessionId }: HookPayload.Payload, event: ReviewEvent) =>
    inbox.offer({ sessionId, name, event })
  const read = (payload: HookPayload.Payload) =>
    HookRecord.read(adapter, payload).pipe(
      Effect.mapError((detail) => new AgentHostError({ reason: "unreachable", sessionId: payload.sessionId, detail })),
      Effect.provide(platform)
    )
  const heldOf = (sessionId: string) =>
    Effect.suspend(() => {
      const session = known.get(sessionId)
      return session !== undefined && session.held !== null
        ? Effect.succeed({ payload: session.payload, held: session.held })
        : rejected(sessionId, "it can be spoken to only in answer to a stop, and none of its stops waits for one")
    })
  const letGo = (sessionId: string) =>
    Effect.suspend(() => {
      const held = known.get(sessionId)?.held ?? null
      return held === null ? Effect.void : Effect.asVoid(Deferred.succeed(held.over, undefined))
    })
  const stop = Effect.fnUntraced(function* (payload: HookPayload.Payload) {
    yield* letGo(payload.sessionId)
    const seen = yield* Effect.catchAll(read(payload), (error) => Effect.as(Effect.logWarning(error.message), null))
    const held: Held = { over: yield* Deferred.make<void>(), seen, said: nothing }
    remember(payload, held)
    const at = yield* Clock.currentTimeMillis
    yield* Effect.forEach(eventsOf(payload, seen, at), (event) => offer(payload, event), { discard: true })
    yield* Effect.timeoutOption(Deferred.await(held.over), patience).pipe(
      Effect.ensuring(Effect.sync(() => known.get(payload.sessionId)?.held === held && remember(payload, null)))
    )
    const { feedback, notice } = held.said
    return feedback === null && notice === "" ? "" : JSON.stringify(adapter.encode(held.said))
  })
  const deliver = Effect.fn("HookInbox.deliver")(function* (given: unknown) {
    const payload = HookPayload.decode(given, adapter)
    if (payload === null) {
      yield* Effect.logWarning(
        `what was delivered is no payload of a hook of ${adapter.name}: that is one JSON object with session_id and hook_event_name`
      )
      return ""
    }
    if (payload.subagent || payload.kind === "other") return ""
    if (payload.kind === "stop") return yield* stop(payload)
    remember(payload, known.get(payload.sessionId)?.held ?? null)
    const at = yield* Clock.currentTimeMillis
    const tags = { work: "AssistantMessage", interrupt: "Abort", failure: "Error" } as const
    yield* offer(payload, { _tag: tags[payload.kind], at })
    return ""
  })

  const transcript = Effect.fnUntraced(function* (sessionId: string) {
    const session = known.get(sessionId)
    if (session === undefined) return yield* new AgentHostError({ reason: "session_gone", sessionId })
    return session.held?.seen ?? (yield* read(session.payload))
  })
  const inject = Effect.fn("HookedHost.inject")(function* (sessionId: string, injection: Injection) {
    const { held, payload } = yield* heldOf(sessionId)
    const now = HookRecord.found(yield* read(payload))
    if (now.queued) return yield* rejected(sessionId, "the next message of the user is waiting")
    if (injection.userMessageId !== null && now.userMessageId !== injection.userMessageId)
      return yield* rejected(sessionId, "the user has written since")
    if ((yield* heldOf(sessionId)).held !== held) return yield* rejected(sessionId, "the stop is over")
    held.said = { feedback: injection.text, notice: injection.notice }
  })
  const notify = Effect.fn("HookedHost.notify")(function* (sessionId: string, { text }: HostNotice) {
    const { held } = yield* heldOf(sessionId)
    held.said = { ...held.said, notice: held.said.notice === "" ? text : `${held.said.notice}\n${text}` }
  })
  const host: Context.Tag.Service<AgentHost> = {
    name: adapter.name,
    // A stop that was an interruption is none here: the host runs no hook for it.
    capabilities: { push: true, notify: true, raceWindow: 0, cooldown: 0 },
    events: Mailbox.toStream(inbox),
    transcript,
    directory: (sessionId) =>
      Effect.map(
        Effect.option(transcript(sessionId)),
        (found) => (found._tag === "Some" ? found.value.cwd : null) ?? known.get(sessionId)?.payload.cwd ?? null
      ),
    activity: () => Effect.succeed(null),
    inject,
    notify,
    settled: letGo
  }
  return Context.make(AgentHost, host).pipe(Context.add(HookInbox, { deliver }))
})

/**
 * The host, and the way in for its hooks' payloads.
 *
 * @category layers
 */
export const layer = (
  adapter: Adapter,
  options: Options = {}
): Layer.Layer<AgentHost | HookInbox, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effectContext(make(adapter, options))
