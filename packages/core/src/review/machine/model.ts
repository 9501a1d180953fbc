/** The types of the review state machine. */
import * as Schema from "effect/Schema"
import type { Severity, Status } from "../../judge/verdict/Verdict.ts"
import { Mode } from "../../session/transcript/Transcript.ts"

/**
 * `nudge`: the agent was told to go on. `reminder`: it was told something besides its work, which sends nobody on. `notice`:
 * the user was told something. `none`: nothing was said, for the reason given. `abstain`: it could not or must not be judged. `stop` and `start` are the user's commands, `wrong` their mark on the last nudge,
 * `rearm` a new task; `failure` is a fault of reflexion's own or of its surroundings, after which it did nothing.
 *
 * @category models
 */
export const Kind = Schema.Literal(
  "nudge",
  "reminder",
  "notice",
  "none",
  "abstain",
  "stop",
  "start",
  "wrong",
  "rearm",
  "failure"
)

export type Kind = typeof Kind.Type

const Phase = Schema.Union(
  Schema.TaggedStruct("quiet", {}),
  Schema.TaggedStruct("settling", { until: Schema.Number }),
  Schema.TaggedStruct("reviewing", {
    review: Schema.Number,
    since: Schema.Number,
    silentSince: Schema.NullOr(Schema.Number)
  }),
  Schema.TaggedStruct("injecting", {
    review: Schema.Number,
    since: Schema.Number,
    /** To an agent at work: whether it has stopped of its own since. */
    stopped: Schema.NullOr(Schema.Boolean)
  })
)

/**
 * Bounded, and plain JSON. `root` identifies the genuine user message that armed it; `attempts` counts the nudges since,
 * `mark` is the evidence at the last of them, `failures` the sets of failing checks that they named, `told` the notices given since; `halted` says that the turn was aborted or
 * failed and that nobody has asked for anything since; `asked` are the open questions; times are in ms.
 *
 * @category models
 */
export const ReviewState = Schema.Struct({
  version: Schema.Literal(1),
  kind: Schema.Literal("root", "subagent", "judge"),
  enabled: Schema.Boolean,
  ended: Schema.Boolean,
  root: Schema.NullOr(Schema.String),
  attempts: Schema.Number,
  mark: Schema.NullOr(Schema.String),
  failures: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [], exact: true }),
  told: Schema.Array(Schema.String),
  mode: Mode,
  abortedAt: Schema.NullOr(Schema.Number),
  halted: Schema.NullOr(Schema.Literal("aborted", "failed")),
  compacting: Schema.Boolean,
  asked: Schema.Array(Schema.String),
  background: Schema.Number,
  queued: Schema.Number,
  phase: Phase,
  reviews: Schema.Number,
  now: Schema.Number
})

export type ReviewState = typeof ReviewState.Type

type What =
  | { readonly _tag: "UserMessage"; readonly id: string; readonly genuine: boolean }
  | { readonly _tag: "AssistantMessage" }
  | { readonly _tag: "Idle" }
  | { readonly _tag: "Silence"; readonly since: number }
  | { readonly _tag: "Abort" }
  | { readonly _tag: "Error" }
  | { readonly _tag: "Compaction"; readonly running: boolean }
  | { readonly _tag: "ChildSession"; readonly kind: "subagent" | "judge" }
  | { readonly _tag: "ModeChanged"; readonly mode: Mode }
  | { readonly _tag: "Asked"; readonly id: string }
  | { readonly _tag: "Answered"; readonly id: string }
  | { readonly _tag: "Background"; readonly running: number }
  | { readonly _tag: "Queued"; readonly waiting: number }
  | { readonly _tag: "ReviewFinished"; readonly review: number; readonly outcome: ReviewOutcome }
  | { readonly _tag: "ReviewFailed"; readonly review: number; readonly reason: string }
  | { readonly _tag: "InjectionDone"; readonly review: number }
  | { readonly _tag: "InjectionFailed"; readonly review: number; readonly reason: string }
  | {
      readonly _tag: "Command"
      readonly command: "stop" | "start" | "status"
      readonly by?: "user" | "agent" | "elsewhere"
    }
  | { readonly _tag: "Deleted" }
  | { readonly _tag: "Clock" }

/**
 * What can happen, with the time in ms at which it did.
 *
 * `UserMessage` with `genuine: false` is a harness's or our own. `Idle` is a delivered stop; `Silence`: no stop, and no
 * sign of life `since` then. `Asked` and `Answered` are permission requests and questions of the host, by id. `Queued` and
 * `Background` give the number of waiting inputs and of running background tasks. `Compaction` brackets what the host does
 * to the context. `ChildSession` says that this session is a subagent's, or one of our own judges'. `ReviewFinished`,
 * `ReviewFailed`, `InjectionDone` and `InjectionFailed` answer the action of that number. `Command`: typed by the user
 * unless `by` says that the agent gave it, or that it was given `elsewhere`, to another process. `Clock`: nothing but time
 * passed.
 *
 * @category models
 */
export type ReviewEvent = What & { readonly at: number }

/**
 * What a review found. `mark` is the evidence (`Judgment.mark`), `nudges` what the transcript itself shows of our earlier
 * feedback in this turn, `failures` a print of the failing checks that it is about and nothing else, `gateRequired` whether the task had a gate to pass, `tells` whether a rule has found something
 * that the user is to read. `shouldContinue` leaves aside whether we may nudge at all, which is the options' to say.
 *
 * @category models
 */
export interface ReviewOutcome {
  readonly status: Status
  readonly severity: Severity
  readonly shouldContinue: boolean
  readonly gateRequired: boolean
  readonly tells: boolean
  readonly reason: string
  readonly mark: string
  readonly failures?: string
  readonly nudges: { readonly count: number; readonly mark: string | null }
}

export type NoticeKind =
  | "complete"
  | "needs_human"
  | "waiting_for_user"
  | "incomplete"
  | "unmoved"
  | "exhausted"
  | "on"
  | "off"

export interface RecordedDecision {
  readonly _tag: "Record"
  readonly decision: Kind
  readonly reason: string
  readonly status: Status | null
  readonly severity: Severity | null
  readonly attempt: number | null
}

/**
 * What to do. `Review`: judge the stop, or the session at work that is silent since then, and answer with `ReviewFinished`
 * or `ReviewFailed`. `CancelReview`: its answer is no longer wanted. `Inject`: save the state, then send the feedback of
 * that attempt, and answer; a session that is silent may be at work still. `Notify`: tell the user. `Wake`: send a
 * `Clock` at that time. `Record`: write to the decision log.
 *
 * @category models
 */
export type ReviewAction =
  | { readonly _tag: "Review"; readonly review: number; readonly silentSince: number | null }
  | { readonly _tag: "CancelReview"; readonly review: number }
  | {
      readonly _tag: "Inject"
      readonly review: number
      readonly attempt: number
      readonly last: boolean
      readonly silentSince: number | null
    }
  | { readonly _tag: "Notify"; readonly notice: NoticeKind }
  | { readonly _tag: "Wake"; readonly at: number }
  | RecordedDecision

/**
 * `nudges` is false where the configuration or the host allows none. `raceWindow`: how long after a stop an abort may
 * still be reported; `cooldown`: how long after an abort nothing is reviewed; `timeout`: how long a review or an injection
 * may take. All in ms.
 *
 * @category models
 */
export interface ReviewOptions {
  readonly maxAttempts: number
  readonly nudges: boolean
  readonly raceWindow: number
  readonly cooldown: number
  readonly timeout: number
}
