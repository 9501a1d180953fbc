/** The schemas of stuckness, apart from its functions so that a bundle which decodes none can leave them out. */
import * as Schema from "effect/Schema"

export const Loop = Schema.Struct({
  pattern: Schema.Literal(
    "planning",
    "action",
    "same_result",
    "failing_call",
    "alternation",
    "cycle",
    "monologue",
    "context_error"
  ),
  period: Schema.Number,
  count: Schema.Number,
  calls: Schema.Array(Schema.Struct({ tool: Schema.String, summary: Schema.String })),
  callIds: Schema.Array(Schema.String)
})

export const Reason = Schema.Literal("genuinely_stuck", "waiting_for_user", "working", "complete")

export const Assessment = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  stuck: Schema.Boolean,
  reason: Reason,
  shouldNudge: Schema.Boolean,
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  evidence: Schema.Array(Schema.String),
  loops: Schema.Array(Loop),
  nudge: Schema.NullOr(Schema.String),
  silence: Schema.NullOr(Schema.Number),
  source: Schema.Literal("evidence", "model")
})
