/**
 * OpenCode as a host: its events as they come in, its sessions through its own API. One host is one instance of the
 * plugin, that is one directory.
 */
import { abortWindow } from "@reflexion/core/internal/review/machine/ReviewState"
import * as Json from "@reflexion/core/internal/base/json/Json"
import { type Activity, AgentHost, AgentHostError, type HostEvent, type Injection } from "@reflexion/core/AgentHost"
import type { NoticeKind } from "@reflexion/core/internal/review/machine/ReviewState"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Schedule from "effect/Schedule"
import * as Context from "effect/Context"
import { lookBackToUser } from "./LookBack.ts"
import { hasReview, idOf, type Last, promptOf } from "./Prompting.ts"
import * as Rousing from "./rousing.ts"
import { routed } from "./Routing.ts"
import { OpenCodeClient, type Status, type Toast } from "./OpenCodeClient.ts"
import * as OpenCodeEvents from "./OpenCodeEvents.ts"
import * as OpenCodeRecord from "./OpenCodeRecord.ts"

/**
 * The way in for the host's events.
 *
 * @category services
 */
export class EventInbox extends Context.Tag("@reflexion/opencode/OpenCodeHost/EventInbox")<
  EventInbox,
  {
    /** Takes an event as the host gives it, of which nothing is read later: the host changes its events. Never throws. */
    readonly offer: (event: unknown) => void
    /** Tells of what the host has no event for. */
    readonly tell: (event: HostEvent) => void
  }
>() {}

/**
 * `root`: where the records of reviews go. `raceWindow`: how long after a stop the user may still interrupt it.
 *
 * @category models
 */
export interface Options {
  readonly root: string
  readonly raceWindow: number
}

/** The last look before anything is sent: the session is at rest, and nobody has said anything since. */
const check = Effect.fnUntraced(function* (sessionId: string, userMessageId: string | null) {
  const client = yield* OpenCodeClient
  const { last, messages, whole } = yield* lookBackToUser(sessionId)
  const { revert } = yield* client.session(sessionId)
  const gone = whole && userMessageId !== null && !messages.some((message) => idOf(message) === userMessageId)
  const detail =
    (yield* client.status(sessionId)) !== "idle"
      ? "the session is at work again"
      : last.userMessageId !== null && userMessageId !== null && last.userMessageId > userMessageId
        ? "the user has written since"
        : Json.isObject(revert) || gone
          ? "the user has taken the message back"
          : null
  return detail === null ? last : yield* new AgentHostError({ reason: "rejected", sessionId, detail })
})

const patience = Duration.seconds(5)

/** The host answers at once and works later: a message that it then cannot use never appears. */
const watch = Effect.fnUntraced(function* (sessionId: string, reviewId: string) {
  const client = yield* OpenCodeClient
  const found = Effect.map(client.messages(sessionId, 8), (messages) => hasReview(messages, reviewId))
  yield* Effect.repeat(found, { until: (there) => there, schedule: Schedule.spaced("50 millis") }).pipe(
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () =>
        new AgentHostError({ reason: "rejected", sessionId, detail: "the host took the feedback and did nothing" })
    })
  )
})

/** Sends it, and waits until it is there. It is shown then, even where the agent's first word on it ends what is under way here. */
const send = Effect.fnUntraced(function* (sessionId: string, injection: Injection, last: Last) {
  const client = yield* OpenCodeClient
  const { notice: message, reviewId } = injection
  const show = message === "" ? Effect.void : Effect.ignore(client.toast({ message, variant: "info" }))
  yield* client.prompt(sessionId, promptOf(injection, last))
  return yield* Effect.forkDaemon(Effect.interruptible(Effect.tap(watch(sessionId, reviewId), () => show)))
})

/** How a notice is shown; whoever gives a command answers it, so that its notice is not. */
const variants: Readonly<Partial<Record<NoticeKind, Toast["variant"]>>> = {
  complete: "success",
  needs_human: "warning",
  waiting_for_user: "info",
  incomplete: "warning",
  unmoved: "warning",
  exhausted: "warning"
}

const states: Readonly<Record<Status, Activity["state"]>> = { idle: "idle", busy: "working", retry: "waiting" }

const make = Effect.fnUntraced(function* ({ raceWindow, root }: Options) {
  const client = yield* OpenCodeClient
  const clock = yield* Effect.clock
  const record = yield* OpenCodeRecord.make
  const inbox = yield* Mailbox.make<HostEvent>()
  const rousing = Rousing.make()
  let state = OpenCodeEvents.initial
  const sign = (event: unknown): void => {
    const sessionId = OpenCodeEvents.signOf(state, event)
    if (sessionId !== null) rousing.signs.give(sessionId, clock.unsafeCurrentTimeMillis())
  }
  const forget = (sessionId: string): void => {
    record.forget(sessionId)
    rousing.signs.forget(sessionId)
  }
  const offer = (event: unknown): void => {
    sign(event)
    if (!OpenCodeEvents.isRelevant(event)) return
    const [next, events] = OpenCodeEvents.step(state, event, clock.unsafeCurrentTimeMillis())
    state = next
    for (const one of events) {
      if (one.event._tag === "Deleted") forget(one.sessionId)
      if (one.event._tag !== "Abort" || !rousing.isOurs(one.sessionId)) inbox.unsafeOffer(one)
    }
  }
  const inject = Effect.fn("OpenCodeHost.inject")(
    function* (sessionId: string, injection: Injection) {
      if (injection.silentSince !== null) yield* rousing.rouse(sessionId, injection.silentSince)
      const known = yield* routed(injection)
      const last = yield* check(sessionId, injection.userMessageId)
      yield* Fiber.join(yield* Effect.uninterruptible(send(sessionId, known, last)))
    },
    Effect.provideService(OpenCodeClient, client),
    (effect, sessionId) =>
      Effect.ensuring(
        effect,
        Effect.sync(() => rousing.over(sessionId))
      )
  )
  const activity = (sessionId: string) =>
    Effect.map(client.status(sessionId), (status): Activity => ({
      state: states[status],
      lastSign: rousing.signs.last(sessionId)
    }))
  const host: Context.Tag.Service<AgentHost> = {
    name: "opencode",
    capabilities: { push: true, raceWindow, cooldown: abortWindow.cooldown },
    events: Mailbox.toStream(inbox),
    transcript: record.transcript,
    directory: () => Effect.succeed(root),
    activity,
    inject,
    notify: (_, { kind, text }) => {
      const variant = variants[kind]
      return variant === undefined ? Effect.void : client.toast({ message: text, variant })
    }
  }
  const entrance: Context.Tag.Service<EventInbox> = { offer, tell: (event) => void inbox.unsafeOffer(event) }
  return Context.make(AgentHost, host).pipe(Context.add(EventInbox, entrance))
})

export const layer = (options: Options): Layer.Layer<AgentHost | EventInbox, never, OpenCodeClient> =>
  Layer.effectContext(make(options))
