/** The answer to the question "is the task done?", with all its proof. */
import * as Schema from "effect/Schema"
import { AcceptanceResult } from "../../session/donewhen/model.ts"
import { Contradiction, TaskType } from "../../session/facts/model.ts"
import { Gate } from "../../session/gates/model.ts"

export { AcceptanceResult } from "../../session/donewhen/model.ts"
export { Contradiction, TaskType } from "../../session/facts/model.ts"
export { Gate, GateEvidence, GateResult } from "../../session/gates/model.ts"

export const Status = Schema.Literal(
  "complete",
  "incomplete",
  "waiting_for_user",
  "needs_human",
  "stuck",
  "working",
  "aborted",
  "abstained"
)

export type Status = typeof Status.Type

/**
 * How serious the missing work is. `BLOCKER` means a confirmed security, data-loss or production defect.
 *
 * @category models
 */
export const Severity = Schema.Literal("NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER")

export type Severity = typeof Severity.Type

/**
 * How the agent stopped. This does not say whether the task is done.
 *
 * @category models
 */
export const StopKind = Schema.Literal("complete", "waiting_for_user", "premature", "stuck", "working", "aborted")

export type StopKind = typeof StopKind.Type

export const StopPattern = Schema.Literal("permission_seeking", "stopped_with_todos", "false_complete", "unverified")

export type StopPattern = typeof StopPattern.Type

/**
 * A reviewer's comment on a changed line, and the agent's answer to it.
 *
 * @category models
 */
export const FoundComment = Schema.Struct({
  file: Schema.String,
  line: Schema.String,
  said: Schema.String,
  answer: Schema.NullOr(Schema.String)
})

export type FoundComment = typeof FoundComment.Type

/** @category models */
export const Finding = Schema.Struct({
  /** The name of the rule, or of another source such as `model/…` or `review/…`. */
  rule: Schema.String,
  /** `nudge` tells the agent to go on, and `tell` tells the user. */
  level: Schema.Literal("off", "tell", "nudge"),
  severity: Severity,
  /** Null if the finding is not about a gate. */
  gate: Schema.NullOr(Schema.String),
  /** What is missing, in words for a person. */
  message: Schema.String,
  /** The ids of the tool calls that prove the finding. */
  evidence: Schema.Array(Schema.String),
  /** The names of what failed in the gate's run. */
  failing: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  comment: Schema.optionalWith(FoundComment, { exact: true })
})

export type Finding = typeof Finding.Type

/**
 * The verdict on one turn. Its encoded form is the JSON contract of `reflexion judge`, without the field `file`.
 *
 * @category models
 */
export const Verdict = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  turn: Schema.Struct({
    index: Schema.Number,
    userMessageId: Schema.NullOr(Schema.String),
    userMessageAt: Schema.NullOr(Schema.String),
    stoppedAt: Schema.NullOr(Schema.String)
  }),
  status: Status,
  complete: Schema.Boolean,
  shouldContinue: Schema.Boolean,
  requiresHumanAction: Schema.Boolean,
  severity: Severity,
  reason: Schema.String,
  feedback: Schema.NullOr(Schema.String),
  /** Most serious first. `missing` contains only their texts. */
  findings: Schema.optionalWith(Schema.Array(Finding), { default: () => [] }),
  missing: Schema.Array(Schema.String),
  nextActions: Schema.Array(Schema.String),
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  source: Schema.Literal("evidence", "verification", "model", "cross_review"),
  task: Schema.Struct({
    type: TaskType,
    summary: Schema.String,
    requirements: Schema.Array(Schema.String)
  }),
  stop: Schema.Struct({ kind: StopKind, pattern: Schema.NullOr(StopPattern) }),
  gates: Schema.Array(Gate),
  contradictions: Schema.Array(Contradiction),
  /** The end of the usage limit that stopped the agent, if the host or the service gives it. */
  limitEnd: Schema.optionalWith(Schema.String, { exact: true }),
  /** The user's conditions for being done, each with its evidence. Left out if there are none. */
  acceptance: Schema.optionalWith(Schema.Array(AcceptanceResult), { exact: true }),
  cost: Schema.Struct({
    modelCalls: Schema.Number,
    inputTokens: Schema.Number,
    outputTokens: Schema.Number,
    /** The judge's own time in milliseconds. */
    durationMs: Schema.Number
  })
})

export type Verdict = typeof Verdict.Type
