/** The answer to "is the task done?", with everything that proves it. */
import * as Schema from "effect/Schema"

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
 * `stale`: it ran before the last edit that matters to it. `unknown`: it was issued and its outcome cannot be known.
 *
 * @category models
 */
export const GateResult = Schema.Literal("passed", "failed", "stale", "missing", "unknown", "not_required")

export type GateResult = typeof GateResult.Type

/**
 * A tool call that proves a gate's result. `exitCode` is null where the host has none or a pipe masks it.
 *
 * @category models
 */
export const GateEvidence = Schema.Struct({
  callId: Schema.NullOr(Schema.String),
  command: Schema.String,
  exitCode: Schema.NullOr(Schema.Number),
  at: Schema.NullOr(Schema.String)
})

export type GateEvidence = typeof GateEvidence.Type

/**
 * One gate: `tests`, `build`, `typecheck`, `lint`, `pr`, `ci`, `push`, `commit` where it was asked for, or one that the
 * configuration declares.
 *
 * @category models
 */
export const Gate = Schema.Struct({
  gate: Schema.String,
  required: Schema.Boolean,
  result: GateResult,
  detail: Schema.String,
  evidence: Schema.Array(GateEvidence)
})

export type Gate = typeof Gate.Type

/**
 * A claim of the final text that a tool call disproves.
 *
 * @category models
 */
export const Contradiction = Schema.Struct({
  claim: Schema.String,
  fact: Schema.String,
  callId: Schema.NullOr(Schema.String)
})

export type Contradiction = typeof Contradiction.Type

export const TaskType = Schema.Literal("coding", "docs", "research", "ops", "other")

export type TaskType = typeof TaskType.Type

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
  cost: Schema.Struct({
    modelCalls: Schema.Number,
    inputTokens: Schema.Number,
    outputTokens: Schema.Number,
    durationMs: Schema.Number
  })
})

export type Verdict = typeof Verdict.Type
