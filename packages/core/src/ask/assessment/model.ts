/** What a model is asked to say of a turn. */
import * as Schema from "effect/Schema"

/**
 * Something that is missing. `kind`: a part of the user's order, a check, a file, a step that was announced, or leave asked
 * for it; `event` is the label of the line that shows it, `quote` the words there that do, `name` the check's or the file's.
 */
export const RemainingWork = Schema.Struct({
  what: Schema.String,
  kind: Schema.Literal("order", "check", "file", "step", "other"),
  event: Schema.String,
  quote: Schema.String,
  name: Schema.NullOr(Schema.String)
})

export type RemainingWork = typeof RemainingWork.Type

export const Result = Schema.Literal("pass", "fail", "unknown")

/** What the final text claims of a check, in its own words; the facts say whether it is so. */
export const FinalClaim = Schema.Struct({
  check: Schema.String,
  outcome: Schema.Literal("passed", "failed", "ran"),
  quote: Schema.String
})

export type FinalClaim = typeof FinalClaim.Type

/** What a model says of the checks; null where it does not say whether they ran. */
export const Claims = Schema.Struct({
  tests: Schema.Struct({
    ran: Schema.NullOr(Schema.Boolean),
    results: Result,
    ran_after_changes: Schema.Boolean,
    commands: Schema.Array(Schema.String),
    skipped: Schema.Boolean,
    skip_reason: Schema.NullOr(Schema.String)
  }),
  build: Schema.Struct({ ran: Schema.NullOr(Schema.Boolean), results: Result }),
  pr: Schema.Struct({
    created: Schema.Boolean,
    url: Schema.NullOr(Schema.String),
    ci_status: Result,
    checked: Schema.Boolean
  })
})

/**
 * The answer that a model is asked for, under the names that it is asked by. `push`: the probability that an automatic "you
 * are not done" would be right now; what follows from it is not the model's to say.
 *
 * @category models
 */
export const SelfAssessment = Schema.Struct({
  status: Schema.Literal("complete", "in_progress", "blocked", "stuck", "waiting_for_user"),
  confidence: Schema.Number,
  push: Schema.Number,
  evidence: Schema.NullOr(Claims),
  claims: Schema.Array(FinalClaim),
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
  push: Schema.Number,
  feedback: Schema.String,
  missing: Schema.Array(RemainingWork),
  next_actions: Schema.Array(Schema.String),
  requires_human_action: Schema.Boolean
}).annotations({ identifier: "JudgeAnswer" })

export type JudgeAnswer = typeof JudgeAnswer.Type
