/**
 * What was learned from a failed attempt, in words: one record of the episodic memory (Shinn et al., "Reflexion: Language
 * Agents with Verbal Reinforcement Learning", NeurIPS 2023).
 */
import * as Schema from "effect/Schema"

/** The names that a lesson may have in it. */
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

/** The most that a reflection says: characters of what went wrong, of other text, items of a list, characters of an item. */
export const limits = { analysis: 1800, text: 500, items: 5, item: 200 } as const

/**
 * What kind of lesson it is.
 *
 * @category models
 */
export const Category = Schema.Literal(...categories)

export type Category = typeof Category.Type

/**
 * Who wrote it: a model, the rules that read a failure's output, or a person.
 *
 * @category models
 */
export const Source = Schema.Literal(...sources)

export type Source = typeof Source.Type

/**
 * `attemptNumber` is that of the attempt that failed, from 1; `analysis` says what went wrong, `suggestion` what to do
 * instead; `confidence` is between 0 and 1; `createdAt` is ISO 8601. `source` and `model` are null where nobody knows
 * them: records of other systems have the first eleven fields alone, and are reflections as they are.
 *
 * @category models
 */
export const Reflection = Schema.Struct({
  id: Schema.NonEmptyString,
  sessionId: Schema.String,
  taskId: Schema.String,
  subtaskId: Schema.String,
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
 * A reflection as other systems have it: the first eleven fields are enough.
 *
 * @category models
 */
export type EncodedReflection = typeof Reflection.Encoded
