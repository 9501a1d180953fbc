/** One line of the decision log: what was decided at one moment of a session, and why. */
import * as CheckResult from "../../checks/CheckResult.ts"
import type { Judged } from "../tiers/JudgeService.ts"
import { oneLine } from "../../base/text/Text.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as Schema from "effect/Schema"
import { Severity, Status } from "../../judge/verdict/Verdict.ts"
import { Kind, type RecordedDecision } from "./model.ts"

export { Kind } from "./model.ts"

/**
 * One decision, as the log stores it.
 *
 * @category models
 */
export const Decision = Schema.Struct({
  /** In ISO 8601. */
  at: Schema.String,
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  directory: Schema.NullOr(Schema.String),
  /** What the host reported, in the host's own words. */
  event: Schema.String,
  decision: Kind,
  reason: Schema.String,
  status: Schema.NullOr(Status),
  severity: Schema.NullOr(Severity),
  /** Counted from 1. */
  attempt: Schema.NullOr(Schema.Number),
  maxAttempts: Schema.NullOr(Schema.Number),
  /** Null if there was no review. */
  durationMs: Schema.NullOr(Schema.Number),
  rules: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
})

export type Decision = typeof Decision.Type

const maxReason = 600

const maxRules = 20

/**
 * Builds a decision, with the rules that led to a nudge and the checks that were run for the review.
 *
 * @category constructors
 */
export const of = (
  { attempt, decision, reason, severity, status }: RecordedDecision,
  where: Pick<Decision, "at" | "host" | "sessionId" | "directory" | "event" | "maxAttempts" | "durationMs">,
  judged: Judged | null
): Decision => {
  const ran = CheckResult.ran(judged?.checks)
  const nudged = judged?.verdict.findings.filter(({ level }) => level === "nudge") ?? []
  return {
    ...where,
    decision,
    reason: ran === null ? reason : `${oneLine(reason, maxReason / 2)} [${ran}]`,
    status,
    severity,
    attempt,
    ...(decision === "nudge" && judged !== null && { rules: [...new Set(nudged.map(({ rule }) => rule))] })
  }
}

/** Removes secrets and limits the size to about 2 kB. */
export const bounded = (decision: Decision): Decision => ({
  ...decision,
  sessionId: decision.sessionId?.slice(0, 100) ?? null,
  directory: decision.directory?.slice(0, 400) ?? null,
  event: decision.event.slice(0, 60),
  reason: redact(oneLine(decision.reason, maxReason)),
  ...(decision.rules !== undefined && { rules: decision.rules.slice(0, maxRules).map((rule) => rule.slice(0, 60)) })
})

/**
 * Encodes a decision as one line of JSON, without a line break. The line has at most about 2 kB and no secrets.
 *
 * @category encoding
 */
export const encode = (decision: Decision): string => JSON.stringify(bounded(decision))
