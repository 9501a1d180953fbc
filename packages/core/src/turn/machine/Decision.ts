/**
 * What was decided at one moment of a session, and why: a line of the decision log, which `reflexion log` prints.
 *
 * @since 0.1.0
 */
import * as Internal from "./decisionSchema.ts"
import { oneLine } from "../../ground/text/Text.ts"
import { redact } from "../../ground/redaction/Redaction.ts"

/**
 * `push`: the agent was told to go on. `reminder`: it was told something beside its work, which sends nobody on. `notice`:
 * the user was told something. `none`: nothing was said, for the reason given. `abstain`: it could not or must not be judged. `stop` and `start` are the user's commands, `rearm` a new task;
 * `failure` is a fault of reflexion's own or of its surroundings, after which it did nothing.
 *
 * @since 0.1.0
 * @category models
 */
export const Kind = Internal.Kind

/**
 * @since 0.1.0
 * @category models
 */
export type Kind = typeof Internal.Kind.Type

/**
 * `at` is ISO 8601; `directory` the session's project root; `event` what the host reported, in the host's own word;
 * `attempt` the number of the push, counted from 1; `durationMs` milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export const Decision = Internal.Decision

/**
 * @since 0.1.0
 * @category models
 */
export type Decision = typeof Internal.Decision.Type

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
