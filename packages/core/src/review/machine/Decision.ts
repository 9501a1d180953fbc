/** What was decided at one moment of a session, and why: a line of the decision log, which `reflexion report` shows. */
import * as CheckResult from "../../checks/CheckResult.ts"
import type { Judged } from "../tiers/JudgeService.ts"
import { oneLine } from "../../base/text/Text.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as Schema from "effect/Schema"
import { Severity, Status } from "../../judge/verdict/Verdict.ts"
import { Kind, type RecordedDecision } from "./model.ts"

export { Kind } from "./model.ts"

/**
 * `at` is ISO 8601; `directory` the session's project root; `event` what the host reported, in the host's own word;
 * `attempt` the number of the nudge, counted from 1; `durationMs` milliseconds. `rules`: for what the agent was sent on.
 *
 * @category models
 */
export const Decision = Schema.Struct({
  at: Schema.String,
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  directory: Schema.NullOr(Schema.String),
  event: Schema.String,
  decision: Kind,
  reason: Schema.String,
  status: Schema.NullOr(Status),
  severity: Schema.NullOr(Severity),
  attempt: Schema.NullOr(Schema.Number),
  maxAttempts: Schema.NullOr(Schema.Number),
  durationMs: Schema.NullOr(Schema.Number),
  rules: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
})

export type Decision = typeof Decision.Type

const maxReason = 600

/** Most rules that a line names. */
const maxRules = 20

/**
 * A decision of the state machine, as the log has it: with the rules that a nudge is for, and with what was run for the
 * review.
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

/**
 * One line of JSON without its line break, at most some 2 kB: secrets out, texts clipped.
 *
 * @category encoding
 */
export const encode = (decision: Decision): string =>
  JSON.stringify({
    ...decision,
    sessionId: decision.sessionId?.slice(0, 100) ?? null,
    directory: decision.directory?.slice(0, 400) ?? null,
    event: decision.event.slice(0, 60),
    reason: redact(oneLine(decision.reason, maxReason)),
    ...(decision.rules !== undefined && { rules: decision.rules.slice(0, maxRules).map((rule) => rule.slice(0, 60)) })
  } satisfies Decision)
