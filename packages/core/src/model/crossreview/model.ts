/** The schemas of a cross review. */
import * as Schema from "effect/Schema"
import { Severity } from "../../judge/verdict/Verdict.ts"

/** `reviewer`: does it do what was asked, and does it work? `auditor`: is it safe, and is it what was specified? */
const Role = Schema.Literal("author", "reviewer", "auditor")

/** One defect. `quote` is a changed line of the diff of `file`. */
const Comment = Schema.Struct({ file: Schema.String, quote: Schema.String, comment: Schema.String, severity: Severity })

export type Comment = typeof Comment.Type

/** What a reviewer is asked for. Which of its comments count is found out from the diff. */
export const Review = Schema.Struct({
  complete: Schema.Boolean,
  summary: Schema.String,
  comments: Schema.Array(Comment)
}).annotations({ identifier: "CodeReview" })

export type Review = typeof Review.Type

const seat = { role: Role, modelId: Schema.NullOr(Schema.String) }

/** Who looks at a change; without a verdict as long as there is none. */
const ReviewSession = Schema.Struct({ ...seat, verdict: Schema.optionalWith(Review, { exact: true }) })

export type ReviewSession = typeof ReviewSession.Type

/** `at`: the changed line that a dissent rests on. */
const Said = Schema.Struct({ ...seat, ...Comment.fields, at: Schema.optionalWith(Schema.String, { exact: true }) })

/**
 * What all of them together think. `dissent` blocks, each `at` a changed line; `remarks` are for the user. `leftOut` are
 * those that did not answer; `part` says how much of the diff was seen, where that is not all of it.
 */
export const Consensus = Schema.Struct({
  complete: Schema.Boolean,
  dissent: Schema.Array(Said),
  remarks: Schema.Array(Said),
  sessions: Schema.Array(ReviewSession),
  leftOut: Schema.Array(Schema.Struct({ ...seat, reason: Schema.String })),
  part: Schema.optionalWith(Schema.String, { exact: true }),
  cost: Schema.Struct({ modelCalls: Schema.Number, inputTokens: Schema.Number, outputTokens: Schema.Number })
})

export type Consensus = typeof Consensus.Type
