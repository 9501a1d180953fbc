/**
 * The port to a host: what happens in its sessions, and the few things that are done to them. Its user reads what
 * a host can do, never which host it is.
 */
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
 * `nudge`: the agent can be made to go on. `raceWindow`: how long after a stop
 * the host may still report that it was an abort. `cooldown`: how long after an abort nothing is to be reviewed.
 *
 * @category models
 */
export interface Capabilities {
  readonly nudge: boolean
  readonly raceWindow: Duration.DurationInput
  readonly cooldown: Duration.DurationInput
}

/**
 * Something that happened in a session; `name` is the host's own word for it, for the decision log. The ids of user
 * messages are those of the transcript.
 *
 * @category models
 */
export interface HostEvent {
  readonly sessionId: string
  readonly event: ReviewEvent
  readonly name?: string
}

/**
 * What an agent is at. `waiting`: for the host's next try at the model, or for a limit to pass. `lastSign`: when it gave
 * its last sign of life, even half a word, in ms since the epoch.
 *
 * @category models
 */
export interface Activity {
  readonly state: "idle" | "working" | "waiting"
  readonly lastSign: number
}

/**
 * The feedback to be sent. `reviewId` is unique in the host; `userMessageId` is the message that it belongs to: a host
 * that finds a newer one rejects the injection. `notice` is a line for the user, for hosts that can show one with it.
 * `silentSince`: the agent seems to hang since then; a host that has had a sign of it since rejects the injection, and else
 * ends what it is at. Null after a stop. `model`: who is to go on, as `provider/model`, in hosts that can choose; without
 * it, the session's own.
 *
 * @category models
 */
export interface Injection {
  readonly text: string
  readonly attempt: number
  readonly maxAttempts: number
  readonly reviewId: string
  readonly userMessageId: string | null
  readonly silentSince: number | null
  readonly notice: string
  readonly model?: string
}

export interface HostNotice {
  readonly kind: NoticeKind
  readonly text: string
}

/**
 * `session_gone`: the session was deleted or never was. `unreachable`: the host does not answer. `rejected`: the host, or
 * the adapter's last look before it sends, says no.
 *
 * @category errors
 */
export const Reason = Schema.Literal("session_gone", "unreachable", "rejected")

export type Reason = typeof Reason.Type

const explanations: Readonly<Record<Reason, string>> = {
  session_gone: "is gone: it was deleted, and nothing more is done",
  unreachable: "cannot be reached: check that the host still runs",
  rejected: "did not take it: the session has moved on or refuses input"
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
 * The controls and the record of a test host. A session that was not `put` is gone.
 *
 * @category testing
 */
export class TestHost extends Context.Tag("@reflexion/core/AgentHost/TestHost")<
  TestHost,
  {
    readonly emit: (event: HostEvent) => Effect.Effect<void>
    /** Ends `events` once all that was emitted is consumed. */
    readonly end: Effect.Effect<void>
    /** Gives a session its transcript. */
    readonly put: (sessionId: string, transcript: Transcript) => Effect.Effect<void>
    readonly remove: (sessionId: string) => Effect.Effect<void>
    /** What the agent of a session is at; none can be told before the first. */
    readonly appear: (sessionId: string, activity: Activity) => Effect.Effect<void>
    /** From now on injections and notices fail for this reason; null: they succeed again. */
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
    /** For logs and records; nothing is decided by it. */
    readonly name: string
    readonly capabilities: Capabilities
    /** What happens, in its order within a session; ends when the host does. */
    readonly events: Stream.Stream<HostEvent, AgentHostError>
    /** A session as it stands, its last message included. */
    readonly transcript: (sessionId: string) => Effect.Effect<Transcript, AgentHostError>
    /** The session's first project root, where its records go; null where it has none. */
    readonly directory: (sessionId: string) => Effect.Effect<string | null, AgentHostError>
    /** What the agent is at now, null where the host cannot tell. */
    readonly activity: (sessionId: string) => Effect.Effect<Activity | null, AgentHostError>
    /** Makes the agent go on with a text, and returns once the host has taken it, not when the turn is over. */
    readonly inject: (sessionId: string, injection: Injection) => Effect.Effect<void, AgentHostError>
    /** Shows the user a line that the agent never sees; a host without a place for one does nothing. */
    readonly notify: (sessionId: string, notice: HostNotice) => Effect.Effect<void, AgentHostError>
  }
>() {
  /** A host in memory, steered and read through `TestHost`. */
  static readonly Test = (capabilities: Partial<Capabilities> = {}): Layer.Layer<AgentHost | TestHost> =>
    Layer.effectContext(inMemory(capabilities))
}
