/** The schema of a decision, apart from its functions so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"
import { Severity, Status } from "../../judge/verdict/Verdict.ts"

export const Kind = Schema.Literal("push", "reminder", "notice", "none", "abstain", "stop", "start", "rearm", "failure")

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
  durationMs: Schema.NullOr(Schema.Number)
})
