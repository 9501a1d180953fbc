/** OpenCode as a host: its events as they come in, its sessions through its own API, in one directory. */
import { abortWindow, type NoticeKind } from "@reflexion/core/internal/review/machine/ReviewState"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import { type Activity, AgentHost, AgentHostError, type HostEvent, type Injection } from "@reflexion/core/AgentHost"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Schedule from "effect/Schedule"
import * as Context from "effect/Context"
import * as Mark from "../decoder/Mark.ts"
import { OpenCodeClient, type Prompt, type Status, type Toast } from "./OpenCodeClient.ts"
import * as Bounded from "./Bounded.ts"
import * as OpenCodeEvents from "./OpenCodeEvents.ts"
import * as OpenCodeRecord from "./OpenCodeRecord.ts"
import { SessionWords } from "./SessionWords.ts"

/** The way in for the host's events. */
export class EventInbox extends Context.Tag("@reflexion/opencode/OpenCodeHost/EventInbox")<
  EventInbox,
  {
    /** Takes an event as the host gives it and reads nothing of it later: the host changes its events. Never throws. */
    readonly offer: (event: unknown) => void
    /** Tells of what the host has no event for. */
    readonly tell: (event: HostEvent) => void
  }
>() {}

/** `root`: where the records of reviews go. `raceWindow`: how long after a stop the user may still interrupt it. */
export interface Options {
  readonly root: string
  readonly raceWindow: number
}

const rejected = (sessionId: string, detail: string) => new AgentHostError({ reason: "rejected", sessionId, detail })

const patience = "5 seconds"

/** Looks until it is so, every 50 ms. */
const until = <E, R>(look: Effect.Effect<boolean, E, R>, onTimeout: () => AgentHostError) =>
  Effect.repeat(look, { until: (is) => is, schedule: Schedule.spaced("50 millis") }).pipe(
    Effect.timeoutFail({ duration: patience, onTimeout })
  )

/** A model that the host does not have would take the feedback and say nothing: the session's own goes on then. */
export const routed = Effect.fnUntraced(function* (injection: Injection) {
  const { model, ...rest } = injection
  if (model === undefined) return injection
  const client = yield* OpenCodeClient
  const known = yield* Effect.orElseSucceed(client.models, () => new Set<string>())
  if (known.has(model)) return injection
  yield* Effect.logWarning(`OpenCode has no model ${model}, which the configuration's routing names`)
  return rest
})

/** How hard it thinks is said in a model's own words: those of one mean nothing to another. */
const chosen = (name: string | undefined, last: OpenCodeRecord.Last): Pick<Prompt, "model" | "variant"> => {
  const named = name === undefined ? null : ModelRouting.parse(name)
  if (named === null) return { model: last.model, variant: last.variant }
  const model = { providerID: named.provider, modelID: named.model }
  const same = model.providerID === last.model?.providerID && model.modelID === last.model.modelID
  return { model, variant: same ? last.variant : null }
}

/** The feedback as a message, with the agent and the model that the session has. */
export const promptOf = (
  { attempt, maxAttempts, model, reviewId, text }: Injection,
  last: OpenCodeRecord.Last
): Prompt => ({
  text,
  metadata: Mark.feedback({ attempt, maxAttempts, reviewId }),
  agent: last.agent,
  ...chosen(model, last),
  noReply: false
})

/** The last look before anything is sent: the session is at rest, and nobody has said anything since. */
const check = Effect.fnUntraced(function* (sessionId: string, userMessageId: string | null) {
  const client = yield* OpenCodeClient
  const { last, messages, whole } = yield* OpenCodeRecord.sinceUser(sessionId)
  const { revert } = yield* client.session(sessionId)
  const isKnown = messages.some((message) => OpenCodeRecord.idOf(message) === userMessageId)
  if ((yield* client.status(sessionId)) !== "idle") return yield* rejected(sessionId, "the session is at work again")
  if (last.userMessageId !== null && userMessageId !== null && last.userMessageId > userMessageId)
    return yield* rejected(sessionId, "the user has written since")
  if (Json.isObject(revert) || (whole && userMessageId !== null && !isKnown))
    return yield* rejected(sessionId, "the user has taken the message back")
  return last
})

const hasReview = (messages: ReadonlyArray<unknown>, reviewId: string): boolean =>
  messages
    .flatMap((message) => Json.list(Json.object(message)["parts"]))
    .some((part) => Mark.reviewOf(Json.object(part)["metadata"]) === reviewId)

/** Sends it, and waits until it is there: a message that the host cannot use never appears. */
const send = Effect.fnUntraced(function* (sessionId: string, injection: Injection, last: OpenCodeRecord.Last) {
  const client = yield* OpenCodeClient
  const { notice: message, reviewId } = injection
  const show = message === "" ? Effect.void : Effect.ignore(client.toast({ message, variant: "info" }))
  const isThere = Effect.map(client.messages(sessionId, 8), (messages) => hasReview(messages, reviewId))
  yield* client.prompt(sessionId, promptOf(injection, last))
  const watch = until(isThere, () => rejected(sessionId, "the host took the feedback and did nothing"))
  return yield* Effect.forkDaemon(Effect.interruptible(Effect.tap(watch, () => show)))
})

/** Whether the agent came to an end of its own, just before it was to be aborted. */
const hasStopped = (messages: ReadonlyArray<unknown>): boolean => {
  const info = Json.object(Json.object(messages.at(-1))["info"])
  const finish = Json.string(info["finish"])
  return info["role"] === "assistant" && finish !== null && finish !== "tool-calls" && !Json.isObject(info["error"])
}

/** Ends what an agent hangs in, so that it can be asked to go on. */
const makeRousing = () => {
  /** When each agent last gave a sign of life, in ms. */
  const signs = new Map<string, number>()
  const expected = new Set<string>()
  const lastSign = (sessionId: string): number => signs.get(sessionId) ?? 0
  const rouse = Effect.fnUntraced(function* (sessionId: string, silentSince: number) {
    const client = yield* OpenCodeClient
    const status = yield* client.status(sessionId)
    if (status === "retry") return yield* rejected(sessionId, "the model is about to be asked again")
    if (lastSign(sessionId) > silentSince) return yield* rejected(sessionId, "the agent goes on")
    if (status === "idle") return
    expected.add(sessionId)
    yield* client.abort(sessionId)
    // The host answers before what was aborted has come to its end.
    const rests = Effect.map(client.status(sessionId), (now) => now === "idle")
    yield* until(rests, () => rejected(sessionId, "what the agent hangs in could not be ended"))
    if (hasStopped(yield* client.messages(sessionId, 1))) return yield* rejected(sessionId, "the agent has stopped")
  })
  return {
    sign: (sessionId: string, at: number) => Bounded.put(signs, sessionId, at),
    lastSign,
    rouse,
    forget: (sessionId: string) => signs.delete(sessionId),
    /** Whether an abort that the host reports is ours: of each of ours it reports one, any other is the user's. */
    isOurs: (sessionId: string): boolean => expected.delete(sessionId)
  }
}

/** How a notice is shown; a command's is not, for that has an answer of its own. */
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
  const words = yield* SessionWords
  const clock = yield* Effect.clock
  const inbox = yield* Mailbox.make<HostEvent>()
  const rousing = makeRousing()
  const events = OpenCodeEvents.make()
  const offer = (event: unknown): void => {
    const now = clock.unsafeCurrentTimeMillis()
    const alive = events.signOf(event)
    if (alive !== null) rousing.sign(alive, now)
    for (const one of events.take(event, now)) {
      if (one.event._tag === "Deleted") rousing.forget(one.sessionId)
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
        Effect.sync(() => rousing.isOurs(sessionId))
      )
  )
  const host: Context.Tag.Service<AgentHost> = {
    name: "opencode",
    capabilities: { nudge: true, raceWindow, cooldown: abortWindow.cooldown },
    events: Mailbox.toStream(inbox),
    transcript: (sessionId) =>
      OpenCodeRecord.transcript(sessionId).pipe(
        Effect.provideService(OpenCodeClient, client),
        Effect.provideService(SessionWords, words)
      ),
    directory: () => Effect.succeed(root),
    activity: (sessionId) =>
      Effect.map(client.status(sessionId), (status) => ({
        state: states[status],
        lastSign: rousing.lastSign(sessionId)
      })),
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
