/** The types of a cross review. */
import * as Schema from "effect/Schema"
import { Severity } from "../../judge/verdict/Verdict.ts"

/**
 * `reviewer` checks whether the change does what was asked and works. `auditor` checks whether it is safe and follows
 * the specification.
 */
const Role = Schema.Literal("author", "reviewer", "auditor")

/** One defect. `quote` is a changed line of `file` in the diff. */
const Comment = Schema.Struct({ file: Schema.String, quote: Schema.String, comment: Schema.String, severity: Severity })

export type Comment = typeof Comment.Type

/** The answer that a reviewer should give. The diff decides which comments count. */
export const Review = Schema.Struct({
  complete: Schema.Boolean,
  summary: Schema.String,
  comments: Schema.Array(Comment)
}).annotations({ identifier: "CodeReview" })

export type Review = typeof Review.Type

const seat = { role: Role, modelId: Schema.NullOr(Schema.String) }

/** One participant of a review. `verdict` is missing if the participant has none yet. */
const ReviewSession = Schema.Struct({ ...seat, verdict: Schema.optionalWith(Review, { exact: true }) })

export type ReviewSession = typeof ReviewSession.Type

/** A comment with its author. `at` is the changed line that a dissent quotes. */
const Said = Schema.Struct({ ...seat, ...Comment.fields, at: Schema.optionalWith(Schema.String, { exact: true }) })

/** The result of all reviewers together. */
export const Consensus = Schema.Struct({
  complete: Schema.Boolean,
  /** The comments that block. Each has a changed line in `at`. */
  dissent: Schema.Array(Said),
  /** Comments for the user. */
  remarks: Schema.Array(Said),
  sessions: Schema.Array(ReviewSession),
  /** The reviewers that did not take part, with the reason. */
  leftOut: Schema.Array(Schema.Struct({ ...seat, reason: Schema.String })),
  /** How much of the diff was seen. Left out if the whole diff was seen. */
  part: Schema.optionalWith(Schema.String, { exact: true }),
  cost: Schema.Struct({ modelCalls: Schema.Number, inputTokens: Schema.Number, outputTokens: Schema.Number })
})

export type Consensus = typeof Consensus.Type
