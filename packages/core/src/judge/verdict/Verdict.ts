/** The answer to "is the task done?", with everything that proves it. */
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
 * How bad what is missing would be, from nothing to a confirmed security, data-loss or production defect.
 *
 * @category models
 */
export const Severity = Schema.Literal("NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER")

export type Severity = typeof Severity.Type

/**
 * What the agent's stop is, whatever the task's state.
 *
 * @category models
 */
export const StopKind = Schema.Literal("complete", "waiting_for_user", "premature", "stuck", "working", "aborted")

export type StopKind = typeof StopKind.Type

export const StopPattern = Schema.Literal("permission_seeking", "stopped_with_todos", "false_complete", "unverified")

export type StopPattern = typeof StopPattern.Type

/**
 * A reviewer's opinion of a changed line, and what the agent answered when it was told of it.
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

/**
 * What was found: the rule, or who else found it (`model/…`, `review/…`); how far that goes here, the gate that it is about,
 * what is missing in a person's words, and the ids of the tool calls that show it. `failing`: what the gate's run names as
 * failed; `comment`: the review comment that it is.
 *
 * @category models
 */
export const Finding = Schema.Struct({
  rule: Schema.String,
  level: Schema.Literal("off", "tell", "ask", "nudge"),
  severity: Severity,
  gate: Schema.NullOr(Schema.String),
  message: Schema.String,
  evidence: Schema.Array(Schema.String),
  failing: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  comment: Schema.optionalWith(FoundComment, { exact: true })
})

export type Finding = typeof Finding.Type

/**
 * The verdict on one turn. Its encoded form is the JSON contract of `reflexion judge`, save `file`, which the command
 * line adds. `durationMs` is the judge's own time in milliseconds.
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
  /** What was found, gravest first; `missing` only puts it into words. */
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
  /** How the user's conditions for being done stand, each with its evidence; left out where there are none. */
  acceptance: Schema.optionalWith(Schema.Array(AcceptanceResult), { exact: true }),
  cost: Schema.Struct({
    modelCalls: Schema.Number,
    inputTokens: Schema.Number,
    outputTokens: Schema.Number,
    durationMs: Schema.Number
  })
})

export type Verdict = typeof Verdict.Type
