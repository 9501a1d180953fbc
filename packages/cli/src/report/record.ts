/** The record of a review, as `.reflection/` keeps it, and a judged turn of a past session, as stops of a report. */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import { CheckResult } from "@reflexion/core/internal/checks/CheckResult"
import { Verdict } from "@reflexion/core/Verdict"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { FullVerdict as Told } from "../judge/SessionFold.ts"
import { limits, type Stop } from "./model.ts"
import { outcomeOf } from "./words.ts"

const { contradictions, cost, gates, host, reason, task, ...judged } = Verdict.fields

const Usage = cost.pick("modelCalls", "inputTokens", "outputTokens")

/** What a report needs of it; what else there is, of this version or another, is passed over. */
const Record = Schema.Struct({
  version: Schema.Literal(1),
  sessionId: Schema.String,
  host,
  timestamp: Schema.Finite,
  task,
  evidence: Schema.Struct({
    gates,
    contradictions,
    checks: Schema.optionalWith(Schema.Array(CheckResult), { default: () => [] })
  }),
  selfAssessment: Schema.optionalWith(
    Schema.NullOr(Schema.Struct({ model: Schema.NullOr(Schema.String), problem: Schema.NullOr(Schema.String) })),
    { default: () => null }
  ),
  verdict: Schema.Struct({
    turn: judged.turn,
    status: judged.status,
    severity: judged.severity,
    reason,
    feedback: judged.feedback,
    missing: judged.missing,
    confidence: judged.confidence,
    source: judged.source,
    stop: judged.stop
  }),
  progress: Schema.optionalWith(
    Schema.NullOr(Schema.Struct({ followed: Schema.Literal("all", "some", "none"), summary: Schema.String })),
    { default: () => null }
  ),
  decision: Schema.Struct({
    kind: Schema.String,
    reason: Schema.String,
    attempt: Schema.NullOr(Schema.Number),
    maxAttempts: Schema.Number,
    notice: Schema.NullOr(Schema.String)
  }),
  crossReview: Schema.optionalWith(
    Schema.NullOr(
      Schema.Struct({
        consensus: Schema.NullOr(Schema.Struct({ cost: Usage })),
        known: Schema.optionalWith(Schema.Boolean, { default: () => false })
      })
    ),
    { default: () => null }
  ),
  cost
})

const decode = Schema.decodeUnknownOption(Schema.parseJson(Record))

/** Whatever is shown has no control characters, no secrets and a bounded length. */
const text = (given: string): string => {
  const plain = safeText(given.slice(0, 4 * limits.text))
  return plain.length <= limits.text ? plain : `${plain.slice(0, limits.text)}…`
}

const nullable = (given: string | null): string | null => (given === null ? null : text(given))

/** Every string of a value as `text` leaves it. */
const cleaned = <A>(value: A, schema: Schema.Schema<A>): A => {
  const inside = (one: unknown): unknown => {
    if (typeof one === "string") return text(one)
    if (Array.isArray(one)) return one.slice(0, 200).map(inside)
    return typeof one === "object" && one !== null
      ? Object.fromEntries(Object.entries(one).map(([key, item]) => [key, inside(item)]))
      : one
  }
  const found = inside(value)
  return Schema.is(schema)(found) ? found : value
}

const moment = (at: string | null): number | null => {
  const time = at === null ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? null : time
}

/** What a report says of a verdict, wherever that was made; without control characters and secrets, and of bounded length. */
const judgedOf = (
  verdict: Pick<
    Verdict,
    "turn" | "status" | "severity" | "reason" | "feedback" | "missing" | "confidence" | "source" | "stop"
  >,
  evidence: Pick<Verdict, "gates" | "contradictions">
) => ({
  turn: verdict.turn.index,
  userMessageAt: nullable(verdict.turn.userMessageAt),
  stoppedAt: nullable(verdict.turn.stoppedAt),
  status: verdict.status,
  severity: verdict.severity,
  reason: text(verdict.reason),
  feedback: nullable(verdict.feedback),
  missing: verdict.missing.map(text),
  confidence: verdict.confidence,
  source: verdict.source,
  kind: verdict.stop.kind,
  pattern: verdict.stop.pattern,
  gates: cleaned(evidence.gates, gates),
  contradictions: cleaned(evidence.contradictions, contradictions)
})

const progressOf = (progress: Stop["progress"] | undefined): Stop["progress"] =>
  progress == null ? null : { followed: progress.followed, summary: text(progress.summary) }

const unused = { modelCalls: 0, inputTokens: 0, outputTokens: 0 }

/**
 * The stop of a record's text; none where it is no record that can be read.
 *
 * @category decoding
 */
export const stopOf = (json: string): Option.Option<Stop> =>
  Option.map(decode(json), (record) => {
    const { decision, evidence, selfAssessment, verdict } = record
    const pushed = decision.kind === "push"
    const consensus = record.crossReview?.consensus?.cost ?? null
    const { durationMs, ...usage } = record.cost
    return {
      ...judgedOf(verdict, evidence),
      id: `${text(record.sessionId)}@${record.timestamp}`,
      origin: "review",
      host: text(record.host),
      sessionId: text(record.sessionId),
      at: record.timestamp,
      task: text(record.task.summary),
      outcome: outcomeOf(verdict, { pushed, abstained: decision.kind === "abstain" }),
      pushed,
      checks: evidence.checks.map(({ at, cached, command, detail, durationMs: lasted, exitCode, gate, result }) => ({
        gate: text(gate),
        command: text(command),
        result,
        exitCode,
        detail: text(detail),
        at,
        durationMs: lasted,
        cached
      })),
      attempt: decision.attempt,
      maxAttempts: decision.maxAttempts,
      decision: text(decision.reason),
      notice: nullable(decision.notice),
      progress: progressOf(record.progress),
      asked:
        selfAssessment === null
          ? null
          : { model: nullable(selfAssessment.model), problem: nullable(selfAssessment.problem) },
      reviewers: record.crossReview?.known === true ? unused : consensus,
      usage,
      durationMs
    } satisfies Stop
  })

/**
 * A past session's turn as it is judged now. `named` is what the session is called where its record has no id.
 *
 * @category constructors
 */
export const stopOfVerdict = (verdict: Told, named: string): Stop => {
  const sessionId = text(verdict.sessionId ?? named)
  return {
    ...judgedOf(verdict, verdict),
    id: `${sessionId}#${verdict.turn.index}`,
    origin: "session",
    host: text(verdict.host),
    sessionId,
    at: moment(verdict.turn.stoppedAt),
    task: text(verdict.task.summary),
    outcome: outcomeOf(verdict, { pushed: verdict.shouldContinue, abstained: false }),
    pushed: verdict.shouldContinue,
    checks: [],
    attempt: null,
    maxAttempts: 0,
    decision: "judged for this report; nobody was pushed",
    notice: null,
    progress: progressOf(verdict.progress),
    asked: null,
    reviewers: null,
    usage: unused,
    durationMs: verdict.cost.durationMs
  }
}
