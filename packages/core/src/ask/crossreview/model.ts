/** The schemas of a cross review. */
import * as Schema from "effect/Schema"
import { Severity } from "../../judge/verdict/Verdict.ts"

export const Role = Schema.Literal("author", "reviewer", "auditor")

export const Comment = Schema.Struct({
  file: Schema.String,
  quote: Schema.String,
  comment: Schema.String,
  severity: Severity
})

export const Review = Schema.Struct({
  complete: Schema.Boolean,
  summary: Schema.String,
  comments: Schema.Array(Comment)
})

export const ReviewSession = Schema.Struct({
  role: Role,
  modelId: Schema.NullOr(Schema.String),
  verdict: Schema.optionalWith(Review, { exact: true })
})

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

/** Why somebody was left out whom nobody is to ask again about the same. */
export const judgedItself = "it judged the turn itself"

/** `part`: how much of the diff was seen, where that is not all of it. */
export const Consensus = Schema.Struct({
  complete: Schema.Boolean,
  dissent: Schema.Array(Attributed),
  remarks: Schema.Array(Attributed),
  sessions: Schema.Array(ReviewSession),
  leftOut: Schema.Array(LeftOut),
  part: Schema.optionalWith(Schema.String, { exact: true }),
  cost: Schema.Struct({ modelCalls: Schema.Number, inputTokens: Schema.Number, outputTokens: Schema.Number })
})

/** What a reviewer is asked for. Which of its comments count is found out from the diff. */
export const Answer = Schema.Struct({
  complete: Schema.Boolean,
  summary: Schema.String,
  comments: Schema.Array(Comment)
}).annotations({ identifier: "CodeReview" })
