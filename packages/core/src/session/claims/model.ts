/** A statement that a gate passed or failed, and how it stands against the record. */
import * as Schema from "effect/Schema"

/**
 * A claim as it was made. A table of words has read it, or a model.
 *
 * @category models
 */
export const Claim = Schema.Struct({
  /** A check or a delivery; `checks` are all that there are. */
  gate: Schema.String,
  /** `passed` needs evidence to count; `failed`, against the agent's own interest, is believed. */
  outcome: Schema.Literal("passed", "failed", "ran"),
  /** Said of the whole of it, of a part, or nothing is said of that. */
  scope: Schema.Literal("whole", "part", "unsaid"),
  /** How many tests are said to pass. */
  count: Schema.NullOr(Schema.Number),
  /** The sentence. */
  text: Schema.String
})

export type Claim = typeof Claim.Type

/**
 * A claim held against the record.
 *
 * @category models
 */
export const HeldClaim = Schema.Struct({
  claim: Claim,
  /** `not_checkable`: something that nobody here understands may have done it. */
  standing: Schema.Literal("borne_out", "contradicted", "unfounded", "not_checkable"),
  /** What the record has instead, in words. */
  fact: Schema.String,
  /** The calls that show it. */
  calls: Schema.Array(Schema.String),
  /** A run that failed disproves it, or it was ordered and never ran. */
  failing: Schema.Boolean,
  /** The check passed, and the claim says more than that showed. */
  beyond: Schema.Boolean
})

export type HeldClaim = typeof HeldClaim.Type
