/** OpenCode as a host, in one directory: its events as they arrive, and its sessions through its API. */
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
import { CurrentProgram } from "../decoder/Program.ts"
import { OpenCodeClient, type Prompt, type Status, type Toast } from "./OpenCodeClient.ts"
import * as Bounded from "./Bounded.ts"
import * as OpenCodeEvents from "./OpenCodeEvents.ts"
import * as OpenCodeRecord from "./OpenCodeRecord.ts"
import { SessionWords } from "./SessionWords.ts"

export class EventInbox extends Context.Tag("@reflexion/opencode/OpenCodeHost/EventInbox")<
  EventInbox,
  {
    /** Reads the event at once, because the host changes it later. Never throws. */
    readonly offer: (event: unknown) => void
    /** Takes events of the plugin itself. The host does not send these events. */
    readonly tell: (event: HostEvent) => void
  }
>() {}

export interface Options {
  readonly root: string
  /** For this long after a stop, the user may still interrupt. In ms. */
  readonly raceWindow: number
}

const rejected = (sessionId: string, detail: string) => new AgentHostError({ reason: "rejected", sessionId, detail })

const patience = "5 seconds"

const until = <E, R>(look: Effect.Effect<boolean, E, R>, onTimeout: () => AgentHostError) =>
  Effect.repeat(look, { until: (is) => is, schedule: Schedule.spaced("50 millis") }).pipe(
    Effect.timeoutFail({ duration: patience, onTimeout })
  )

/** Removes a model that the host lacks, because the host would accept the message and then do nothing. */
export const routed = Effect.fnUntraced(function* (injection: Injection) {
  const { model, ...rest } = injection
  if (model === undefined) return injection
  const client = yield* OpenCodeClient
  const known = yield* Effect.orElseSucceed(client.models, () => new Set<string>())
  if (known.has(model)) return injection
  yield* Effect.logWarning(`OpenCode has no model ${model}, which the configuration's routing names`)
  return rest
})

/** The variant fits only the same model, because each model has its own names for variants. */
const chosen = (name: string | undefined, last: OpenCodeRecord.Last): Pick<Prompt, "model" | "variant"> => {
  const named = name === undefined ? null : ModelRouting.parse(name)
  if (named === null) return { model: last.model, variant: last.variant }
  const model = { providerID: named.provider, modelID: named.model }
  const same = model.providerID === last.model?.providerID && model.modelID === last.model.modelID
  return { model, variant: same ? last.variant : null }
}

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

/** The last check before sending. Fails if the session is busy, or if the user has written a newer message. */
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

/** Sends the feedback and checks that it appears in the session. A message that the host cannot use never appears. */
const send = Effect.fnUntraced(function* (sessionId: string, injection: Injection, last: OpenCodeRecord.Last) {
  const client = yield* OpenCodeClient
  const { notice: message, reviewId } = injection
  const show = message === "" ? Effect.void : Effect.ignore(client.toast({ message, variant: "info" }))
  const isThere = Effect.map(client.messages(sessionId, 8), (messages) => hasReview(messages, reviewId))
  yield* client.prompt(sessionId, promptOf(injection, last))
  const watch = until(isThere, () => rejected(sessionId, "the host took the feedback and did nothing"))
  return yield* Effect.forkDaemon(Effect.interruptible(Effect.tap(watch, () => show)))
})

/** True if the agent finished on its own just before the abort. */
const hasStopped = (messages: ReadonlyArray<unknown>): boolean => {
  const info = Json.object(Json.object(messages.at(-1))["info"])
  const finish = Json.string(info["finish"])
  return info["role"] === "assistant" && finish !== null && finish !== "tool-calls" && !Json.isObject(info["error"])
}

const makeRousing = () => {
  /** When each agent last showed activity, in ms since the epoch. */
  const signs = new Map<string, number>()
  const expected = new Set<string>()
  const lastSign = (sessionId: string): number => signs.get(sessionId) ?? 0
  const rouse = Effect.fnUntraced(function* (sessionId: string, silentSince: number) {
    const client = yield* OpenCodeClient
    const status = yield* client.status(sessionId)
    if (status === "retry") return yield* rejected(sessionId, "the model is about to be asked again")
    if (lastSign(sessionId) > silentSince) return yield* rejected(sessionId, "the agent continues")
    if (status === "idle") return
    expected.add(sessionId)
    yield* client.abort(sessionId)
    // The host answers before the aborted work has really ended.
    const rests = Effect.map(client.status(sessionId), (now) => now === "idle")
    yield* until(rests, () => rejected(sessionId, "the call in which the agent hangs could not be ended"))
    if (hasStopped(yield* client.messages(sessionId, 1))) return yield* rejected(sessionId, "the agent has stopped")
  })
  return {
    sign: (sessionId: string, at: number) => Bounded.put(signs, sessionId, at),
    lastSign,
    rouse,
    forget: (sessionId: string) => signs.delete(sessionId),
    /** The host reports each of our aborts once. Any other abort comes from the user. */
    isOurs: (sessionId: string): boolean => expected.delete(sessionId)
  }
}

/** A command has its own answer, so its notice is not shown. */
const variants: Readonly<Partial<Record<NoticeKind, Toast["variant"]>>> = {
  complete: "success",
  needs_human: "warning",
  waiting_for_user: "info",
  incomplete: "warning",
  unmoved: "warning",
  exhausted: "warning",
  limit: "info"
}

const states: Readonly<Record<Status, Activity["state"]>> = { idle: "idle", busy: "working", retry: "waiting" }

const make = Effect.fnUntraced(function* ({ raceWindow, root }: Options) {
  const client = yield* OpenCodeClient
  const words = yield* SessionWords
  const program = yield* CurrentProgram
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
    name: program.name,
    capabilities: { nudge: true, raceWindow, cooldown: abortWindow.cooldown },
    events: Mailbox.toStream(inbox),
    transcript: (sessionId) =>
      OpenCodeRecord.transcript(sessionId).pipe(
        Effect.provideService(OpenCodeClient, client),
        Effect.provideService(SessionWords, words),
        Effect.provideService(CurrentProgram, program)
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
