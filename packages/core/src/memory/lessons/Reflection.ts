/**
 * A lesson from a failed attempt, in words: a record of the episodic memory (Shinn et al., "Reflexion: Language Agents
 * with Verbal Reinforcement Learning", NeurIPS 2023).
 */
import * as Schema from "effect/Schema"

export const categories = [
  "root_cause",
  "misconception",
  "approach_flaw",
  "missing_context",
  "tool_misuse",
  "test_gap",
  "verification",
  "environment",
  "approach_error",
  "edge_case"
] as const

export const sources = ["model", "heuristic", "human"] as const

/** `analysis` (what went wrong), `text` (other text) and `item` (one list item) are in characters. */
export const limits = { analysis: 1800, text: 500, items: 5, item: 200 } as const

/** @category models */
export const Category = Schema.Literal(...categories)

export type Category = typeof Category.Type

/**
 * The author of a lesson: a model, the rules that read a failure's output, or a person.
 *
 * @category models
 */
export const Source = Schema.Literal(...sources)

export type Source = typeof Source.Type

/**
 * One reflection. Records of other systems have only the first eleven fields.
 *
 * @category models
 */
export const Reflection = Schema.Struct({
  id: Schema.NonEmptyString,
  sessionId: Schema.String,
  taskId: Schema.String,
  subtaskId: Schema.String,
  /** The number of the attempt that failed, from 1. */
  attemptNumber: Schema.Int.pipe(Schema.positive()),
  category: Category,
  analysis: Schema.String,
  suggestion: Schema.String,
  actionItems: Schema.Array(Schema.String),
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  createdAt: Schema.String,
  source: Schema.optionalWith(Schema.NullOr(Source), { default: () => null }),
  model: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  tags: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
})

export type Reflection = typeof Reflection.Type

/**
 * A reflection as other systems store it. The first eleven fields are enough.
 *
 * @category models
 */
export type EncodedReflection = typeof Reflection.Encoded
