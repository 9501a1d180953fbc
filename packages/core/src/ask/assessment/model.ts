/** What a model is asked to say of a turn. */
import * as Schema from "effect/Schema"

/** Something that is missing, with the label of the event that shows it and the words there that do. */
export const RemainingWork = Schema.Struct({ what: Schema.String, event: Schema.String, quote: Schema.String })

export type RemainingWork = typeof RemainingWork.Type

export const Result = Schema.Literal("pass", "fail", "unknown")

/** What a model says of the checks. */
export const Claims = Schema.Struct({
  tests: Schema.Struct({
    ran: Schema.Boolean,
    results: Result,
    ran_after_changes: Schema.Boolean,
    commands: Schema.Array(Schema.String),
    skipped: Schema.Boolean,
    skip_reason: Schema.NullOr(Schema.String)
  }),
  build: Schema.Struct({ ran: Schema.Boolean, results: Result }),
  pr: Schema.Struct({
    created: Schema.Boolean,
    url: Schema.NullOr(Schema.String),
    ci_status: Result,
    checked: Schema.Boolean
  })
})

/**
 * The answer that a model is asked for, under the names that it is asked by.
 *
 * @category models
 */
export const SelfAssessment = Schema.Struct({
  status: Schema.Literal("complete", "in_progress", "blocked", "stuck", "waiting_for_user"),
  confidence: Schema.Number,
  evidence: Schema.NullOr(Claims),
  remaining_work: Schema.Array(RemainingWork),
  next_steps: Schema.Array(Schema.String),
  needs_user_action: Schema.Array(Schema.String),
  stuck: Schema.Boolean,
  alternate_approach: Schema.NullOr(Schema.String)
}).annotations({ identifier: "SelfAssessment" })

export type SelfAssessment = typeof SelfAssessment.Type

/**
 * What the second reader is asked for, who reads an answer that is none of these.
 *
 * @category models
 */
export const JudgeAnswer = Schema.Struct({
  complete: Schema.Boolean,
  severity: Schema.Literal("NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"),
  feedback: Schema.String,
  missing: Schema.Array(RemainingWork),
  next_actions: Schema.Array(Schema.String),
  requires_human_action: Schema.Boolean
}).annotations({ identifier: "JudgeAnswer" })

export type JudgeAnswer = typeof JudgeAnswer.Type
