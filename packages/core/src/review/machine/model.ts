/** The types of the review state machine. */
import * as Schema from "effect/Schema"
import type { Severity, Status } from "../../judge/verdict/Verdict.ts"
import { Mode } from "../../session/transcript/Transcript.ts"

/**
 * The kind of a decision.
 * - `nudge`: the agent was told to go on.
 * - `reminder`: the agent was told something that does not make it go on.
 * - `notice`: the user was told something.
 * - `none`: nothing was said, and the reason is given.
 * - `abstain`: the turn could not or must not be judged.
 * - `stop`, `start`: commands of the user.
 * - `wrong`: the user marked the last nudge as wrong.
 * - `rearm`: a new task began.
 * - `failure`: reflexion or its environment failed.
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

/** True if a usage limit ended the turn. Then the review waits, or has waited, for the limit's end. */
const limited = Schema.optionalWith(Schema.Literal(true), { exact: true })

const Phase = Schema.Union(
  Schema.TaggedStruct("quiet", {}),
  Schema.TaggedStruct("settling", { until: Schema.Number, limited }),
  Schema.TaggedStruct("reviewing", {
    review: Schema.Number,
    since: Schema.Number,
    silentSince: Schema.NullOr(Schema.Number),
    limited
  }),
  Schema.TaggedStruct("injecting", {
    review: Schema.Number,
    since: Schema.Number,
    /** Null if the agent was not working when the review began. True if the agent has stopped by itself since then. */
    stopped: Schema.NullOr(Schema.Boolean)
  })
)

/**
 * The state of the machine. It is plain JSON and has a bounded size. All times are in milliseconds.
 *
 * @category models
 */
export const ReviewState = Schema.Struct({
  version: Schema.Literal(1),
  kind: Schema.Literal("root", "subagent", "judge"),
  enabled: Schema.Boolean,
  ended: Schema.Boolean,
  /** The id of the user message that began the task. */
  root: Schema.NullOr(Schema.String),
  attempts: Schema.Number,
  mark: Schema.NullOr(Schema.String),
  failures: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [], exact: true }),
  told: Schema.Array(Schema.String),
  mode: Mode,
  abortedAt: Schema.NullOr(Schema.Number),
  /** Why the turn halted. Null if it has not halted, or continues. */
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
  | { readonly _tag: "Error"; readonly limitEnd?: number }
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
 * An event, with its time `at` in milliseconds.
 * - `UserMessage`: `genuine: false` for a message of a harness or of reflexion.
 * - `Idle`: the agent's turn has ended.
 * - `Silence`: no stop was reported, and no sign of life came since `since`.
 * - `Error`: the turn failed. `limitEnd` is the end of the usage limit that stopped the agent.
 * - `Asked`, `Answered`: permission requests and questions of the host, by id.
 * - `Queued`, `Background`: the number of waiting inputs and of running background tasks.
 * - `ChildSession`: the session belongs to a subagent or to reflexion's own judge.
 * - `ReviewFinished`, `ReviewFailed`, `InjectionDone`, `InjectionFailed`: answer the action with the same number.
 * - `Command`: a command of the user. `by` is set if the agent or another process (`elsewhere`) gave it.
 * - `Clock`: only time has passed.
 *
 * @category models
 */
export type ReviewEvent = What & { readonly at: number }

/**
 * The result of a review.
 *
 * @category models
 */
export interface ReviewOutcome {
  readonly status: Status
  readonly severity: Severity
  /** True if the agent should go on. `ReviewOptions` decides whether a nudge is allowed at all. */
  readonly shouldContinue: boolean
  readonly gateRequired: boolean
  /** True if a rule has found something that the user should read. */
  readonly tells: boolean
  readonly reason: string
  /** See `Judgment.mark`. */
  readonly mark: string
  /** A fingerprint of the failing checks. Missing if the verdict has other findings too. */
  readonly failures?: string
  /** Our earlier nudges in this turn, read from the transcript. */
  readonly nudges: { readonly count: number; readonly mark: string | null }
}

export type NoticeKind =
  | "complete"
  | "needs_human"
  | "waiting_for_user"
  | "incomplete"
  | "unmoved"
  | "exhausted"
  | "limit"
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
 * An action for the driver.
 * - `Review`: judge the turn that has ended, or the working session that has been silent since `silentSince`. Answer
 *   with `ReviewFinished` or `ReviewFailed`.
 * - `CancelReview`: the answer of this review is no longer needed.
 * - `Inject`: save the state and send the feedback of this attempt. Answer with `InjectionDone` or `InjectionFailed`. A
 *   silent session may still be working.
 * - `Notify`: tell the user. With the notice `limit`, `until` is the end of the usage limit.
 * - `Wake`: send a `Clock` event at that time.
 * - `Record`: write a line to the decision log.
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
  | { readonly _tag: "Notify"; readonly notice: NoticeKind; readonly until?: number }
  | { readonly _tag: "Wake"; readonly at: number }
  | RecordedDecision

/**
 * The options of the machine. All times are in milliseconds.
 *
 * @category models
 */
export interface ReviewOptions {
  readonly maxAttempts: number
  /** False if the configuration or the host allows no nudges. */
  readonly nudges: boolean
  /** True if the agent may go on after a usage limit, once per user message. */
  readonly continuesAfterLimit?: boolean
  /** How long after a turn's end the host may still report an abort. */
  readonly raceWindow: number
  /** For this long after an abort, no turn is reviewed. */
  readonly cooldown: number
  readonly timeout: number
}
