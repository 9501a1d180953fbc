/**
 * What was decided at one moment of a session, and why: a line of the decision log, which `reflexion log` prints.
 *
 * @since 0.1.0
 */
import { oneLine } from "../../ground/text/Text.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import { type Decision } from "./decisionSchema.ts"

export { Kind, Decision } from "./decisionSchema.ts"


const maxReason = 600

/**
 * One line of JSON without its line break, at most some 2 kB: secrets out, texts clipped.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encode = (decision: Decision): string =>
  JSON.stringify({
    at: decision.at,
    host: decision.host,
    sessionId: decision.sessionId?.slice(0, 100) ?? null,
    directory: decision.directory?.slice(0, 400) ?? null,
    event: decision.event.slice(0, 60),
    decision: decision.decision,
    reason: redact(oneLine(decision.reason, maxReason)),
    status: decision.status,
    severity: decision.severity,
    attempt: decision.attempt,
    maxAttempts: decision.maxAttempts,
    durationMs: decision.durationMs
  } satisfies Decision)
