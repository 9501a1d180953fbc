/** The types of a cross review. */
import * as Schema from "effect/Schema"
import { Severity } from "../../judge/verdict/Verdict.ts"

/** `reviewer`: does the change do what was asked? `auditor`: is it safe and as specified? */
const Role = Schema.Literal("author", "reviewer", "auditor")

const Comment = Schema.Struct({ file: Schema.String, quote: Schema.String, comment: Schema.String, severity: Severity })

export type Comment = typeof Comment.Type

export const Review = Schema.Struct({
  complete: Schema.Boolean,
  summary: Schema.String,
  comments: Schema.Array(Comment)
}).annotations({ identifier: "CodeReview" })

export type Review = typeof Review.Type

const seat = { role: Role, modelId: Schema.NullOr(Schema.String) }

/** `verdict` is missing if the participant has none yet. */
const ReviewSession = Schema.Struct({ ...seat, verdict: Schema.optionalWith(Review, { exact: true }) })

export type ReviewSession = typeof ReviewSession.Type

const Said = Schema.Struct({ ...seat, ...Comment.fields, at: Schema.optionalWith(Schema.String, { exact: true }) })

export const Consensus = Schema.Struct({
  complete: Schema.Boolean,
  /** The comments that make the work incomplete. */
  dissent: Schema.Array(Said),
  remarks: Schema.Array(Said),
  sessions: Schema.Array(ReviewSession),
  leftOut: Schema.Array(Schema.Struct({ ...seat, reason: Schema.String })),
  /** Missing if the whole diff was seen. */
  part: Schema.optionalWith(Schema.String, { exact: true }),
  cost: Schema.Struct({ modelCalls: Schema.Number, inputTokens: Schema.Number, outputTokens: Schema.Number })
})

export type Consensus = typeof Consensus.Type
