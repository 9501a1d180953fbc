/** Types for a claim about a gate, and for its comparison with the record. */
import * as Schema from "effect/Schema"

/**
 * A claim in the agent's text, found by a table of words or by a model.
 *
 * @category models
 */
export const Claim = Schema.Struct({
  /** The check or delivery. `checks` means all checks. */
  gate: Schema.String,
  /** `passed` needs evidence. `failed` is believed, because it is against the agent's own interest. */
  outcome: Schema.Literal("passed", "failed", "ran"),
  scope: Schema.Literal("whole", "part", "unsaid"),
  /** How many tests pass, according to the claim. Null if it gives no number. */
  count: Schema.NullOr(Schema.Number),
  text: Schema.String
})

export type Claim = typeof Claim.Type

/**
 * A claim and its comparison with the record.
 *
 * @category models
 */
export const HeldClaim = Schema.Struct({
  claim: Claim,
  /** The result of the comparison. `not_checkable`: an unknown command may have done what the claim says. */
  standing: Schema.Literal("borne_out", "contradicted", "unfounded", "not_checkable"),
  /** What the record shows instead, in words. */
  fact: Schema.String,
  calls: Schema.Array(Schema.String),
  /** True if a failed run disproves the claim, or if the check was ordered and never ran. */
  failing: Schema.Boolean,
  /** True if the check passed, but the claim says more than the check showed. */
  beyond: Schema.Boolean
})

export type HeldClaim = typeof HeldClaim.Type
