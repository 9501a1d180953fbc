/** The interface to a host: events and a few actions. Callers ask what the host can do, never which host it is. */
import { abortWindow } from "../machine/ReviewState.ts"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { NoticeKind, ReviewEvent } from "../machine/ReviewState.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"

/**
 * What a host can do.
 *
 * @category models
 */
export interface Capabilities {
  readonly nudge: boolean
  /** How long after a turn's end the host may still report that the user aborted it. */
  readonly raceWindow: Duration.DurationInput
  /** For this long after an abort, no turn should be reviewed. */
  readonly cooldown: Duration.DurationInput
}

/**
 * Something that happened in a session. The ids of user messages are the same as in the transcript.
 *
 * @category models
 */
export interface HostEvent {
  readonly sessionId: string
  readonly event: ReviewEvent
  readonly name?: string
}

/**
 * What an agent is doing.
 *
 * @category models
 */
export interface Activity {
  /** `waiting`: the host waits for its next request to the model, or for a rate limit to end. */
  readonly state: "idle" | "working" | "waiting"
  /** In milliseconds since the epoch. Even half a word of an answer is a sign. */
  readonly lastSign: number
}

/**
 * The feedback to be sent.
 *
 * @category models
 */
export interface Injection {
  readonly text: string
  readonly attempt: number
  readonly maxAttempts: number
  /** Unique within the host. */
  readonly reviewId: string
  /** The user message that the feedback belongs to, null if unknown. A host with a newer one rejects the injection. */
  readonly userMessageId: string | null
  /**
   * When the silence of the agent began, in milliseconds. Null if the turn has ended. After a newer sign of life, the
   * host rejects the injection. Otherwise the host ends the agent's current step.
   */
  readonly silentSince: number | null
  /** A line for the user, for hosts that can show one with the feedback. */
  readonly notice: string
  /** The model that should go on, as `provider/model`, for hosts that can choose. Without it, the session's own. */
  readonly model?: string
}

export interface HostNotice {
  readonly kind: NoticeKind
  readonly text: string
}

/**
 * Why the host did not act. `session_gone`: the session was deleted or never existed. `unreachable`: no answer from the
 * host. `rejected`: refused by the host, or by the adapter's last check before sending.
 *
 * @category errors
 */
export const Reason = Schema.Literal("session_gone", "unreachable", "rejected")

export type Reason = typeof Reason.Type

const explanations: Readonly<Record<Reason, string>> = {
  session_gone: "was deleted, so nothing more is done",
  unreachable: "cannot be reached: check that the host still runs",
  rejected: "did not take the message: the session has moved on or refuses input"
}

export class AgentHostError extends Schema.TaggedError<AgentHostError>("@reflexion/core/AgentHostError")(
  "AgentHostError",
  {
    reason: Reason,
    sessionId: Schema.NullOr(Schema.String),
    detail: Schema.optional(Schema.String),
    cause: Schema.optional(Schema.Defect)
  }
) {
  override get message() {
    const subject = this.sessionId === null ? "the host" : `session ${this.sessionId}`
    return `${subject} ${explanations[this.reason]}${this.detail === undefined ? "" : ` (${this.detail})`}`
  }
}

/**
 * Controls and inspects a test host. A session counts as gone if `put` did not add it.
 *
 * @category testing
 */
export class TestHost extends Context.Tag("@reflexion/core/AgentHost/TestHost")<
  TestHost,
  {
    readonly emit: (event: HostEvent) => Effect.Effect<void>
    /** Ends `events` after all emitted events are consumed. */
    readonly end: Effect.Effect<void>
    readonly put: (sessionId: string, transcript: Transcript) => Effect.Effect<void>
    readonly remove: (sessionId: string) => Effect.Effect<void>
    readonly appear: (sessionId: string, activity: Activity) => Effect.Effect<void>
    /** Makes injections and notices fail from now on. With null, both succeed again. */
    readonly refuse: (reason: Reason | null) => Effect.Effect<void>
    readonly injections: Effect.Effect<ReadonlyArray<Injection & { readonly sessionId: string }>>
    readonly notices: Effect.Effect<ReadonlyArray<HostNotice & { readonly sessionId: string }>>
  }
>() {}

const doing = (work: () => unknown) => Effect.asVoid(Effect.sync(work))

const inMemory = Effect.fnUntraced(function* (over: Partial<Capabilities>) {
  const inbox = yield* Mailbox.make<HostEvent>()
  const sessions = new Map<string, Transcript>()
  const activities = new Map<string, Activity>()
  const injections: Array<Injection & { readonly sessionId: string }> = []
  const notices: Array<HostNotice & { readonly sessionId: string }> = []
  let refusal: Reason | null = null
  const transcript = (sessionId: string) =>
    Effect.suspend(() => {
      const found = sessions.get(sessionId)
      return found === undefined ? new AgentHostError({ reason: "session_gone", sessionId }) : Effect.succeed(found)
    })
  const taking = (sessionId: string, take: () => unknown) =>
    Effect.suspend(() =>
      refusal === null
        ? Effect.asVoid(Effect.map(transcript(sessionId), take))
        : new AgentHostError({ reason: refusal, sessionId })
    )
  const host: Context.Tag.Service<AgentHost> = {
    name: "test",
    capabilities: { nudge: true, ...abortWindow, ...over },
    events: Mailbox.toStream(inbox),
    transcript,
    directory: (sessionId) => Effect.map(transcript(sessionId), ({ cwd }) => cwd),
    activity: (sessionId) => Effect.sync(() => activities.get(sessionId) ?? null),
    inject: (sessionId, injection) => taking(sessionId, () => injections.push({ sessionId, ...injection })),
    notify: (sessionId, notice) => taking(sessionId, () => notices.push({ sessionId, ...notice }))
  }
  const controls: Context.Tag.Service<TestHost> = {
    emit: (event) => Effect.asVoid(inbox.offer(event)),
    end: Effect.asVoid(inbox.end),
    put: (sessionId, given) => doing(() => sessions.set(sessionId, given)),
    remove: (sessionId) => doing(() => sessions.delete(sessionId)),
    appear: (sessionId, activity) => doing(() => activities.set(sessionId, activity)),
    refuse: (reason) => doing(() => (refusal = reason)),
    injections: Effect.sync(() => [...injections]),
    notices: Effect.sync(() => [...notices])
  }
  return Context.make(AgentHost, host).pipe(Context.add(TestHost, controls))
})

/**
 * A host of coding agents.
 *
 * @category services
 */
export class AgentHost extends Context.Tag("@reflexion/core/AgentHost")<
  AgentHost,
  {
    readonly name: string
    readonly capabilities: Capabilities
    /** In order within each session. The stream ends when the host ends. */
    readonly events: Stream.Stream<HostEvent, AgentHostError>
    readonly transcript: (sessionId: string) => Effect.Effect<Transcript, AgentHostError>
    /** The session's first project root, where its records are written. Null without a root. */
    readonly directory: (sessionId: string) => Effect.Effect<string | null, AgentHostError>
    /** Null if the host does not know. */
    readonly activity: (sessionId: string) => Effect.Effect<Activity | null, AgentHostError>
    /** Makes the agent go on. Returns when the host has accepted the text, before the turn ends. */
    readonly inject: (sessionId: string, injection: Injection) => Effect.Effect<void, AgentHostError>
    /** Shows the user a line that the agent does not see, if the host can. */
    readonly notify: (sessionId: string, notice: HostNotice) => Effect.Effect<void, AgentHostError>
  }
>() {
  static readonly Test = (capabilities: Partial<Capabilities> = {}): Layer.Layer<AgentHost | TestHost> =>
    Layer.effectContext(inMemory(capabilities))
}
