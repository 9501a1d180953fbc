/** The schemas of a cross review. */
import * as Schema from "effect/Schema"
import { Severity } from "../../judge/verdict/Verdict.ts"

/**
 * `reviewer`: does it do what was asked, and does it work? `auditor`: is it safe, and is it what was specified?
 *
 * @category models
 */
export const Role = Schema.Literal("author", "reviewer", "auditor")

export type Role = typeof Role.Type

/**
 * One defect. `quote` is a changed line of the diff of `file`.
 *
 * @category models
 */
export const Comment = Schema.Struct({
  file: Schema.String,
  quote: Schema.String,
  comment: Schema.String,
  severity: Severity
})

export type Comment = typeof Comment.Type

/**
 * What somebody thinks of a change, and what a reviewer is asked for. Which of its comments count is found out from the diff.
 *
 * @category models
 */
export const Review = Schema.Struct({
  complete: Schema.Boolean,
  summary: Schema.String,
  comments: Schema.Array(Comment)
}).annotations({ identifier: "CodeReview" })

export type Review = typeof Review.Type

/**
 * Who looks at a change; without a verdict as long as there is none.
 *
 * @category models
 */
export const ReviewSession = Schema.Struct({
  role: Role,
  modelId: Schema.NullOr(Schema.String),
  verdict: Schema.optionalWith(Review, { exact: true })
})

export type ReviewSession = typeof ReviewSession.Type

/** `at`: the changed line that a dissent rests on. */
export const Attributed = Schema.Struct({
  role: Role,
  modelId: Schema.NullOr(Schema.String),
  ...Comment.fields,
  at: Schema.optionalWith(Schema.String, { exact: true })
})

export const LeftOut = Schema.Struct({
  role: Role,
  modelId: Schema.NullOr(Schema.String),
  reason: Schema.String
})

/**
 * What all of them together think. `dissent` blocks, each `at` a changed line; `remarks` are for the user. `leftOut` are
 * those that did not answer; `part` says how much of the diff was seen, where that is not all of it.
 */
export const Consensus = Schema.Struct({
  complete: Schema.Boolean,
  dissent: Schema.Array(Attributed),
  remarks: Schema.Array(Attributed),
  sessions: Schema.Array(ReviewSession),
  leftOut: Schema.Array(LeftOut),
  part: Schema.optionalWith(Schema.String, { exact: true }),
  cost: Schema.Struct({ modelCalls: Schema.Number, inputTokens: Schema.Number, outputTokens: Schema.Number })
})

export type Consensus = typeof Consensus.Type
