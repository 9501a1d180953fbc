/** A statement that something was done or is so, and how it stands against the record. */
import * as Schema from "effect/Schema"

/**
 * What a claim is about. `check` has its gate as the object, `checks` speaks of all there are; `look` is a trial by hand,
 * `browser` one on a screen; `search` says that nothing else is there.
 *
 * @category models
 */
export const ClaimKind = Schema.Literal(
  "check",
  "checks",
  "commit",
  "push",
  "pr",
  "deploy",
  "benchmark",
  "coverage",
  "look",
  "browser",
  "platform",
  "audit",
  "search",
  "tests_added",
  "docs"
)

export type ClaimKind = typeof ClaimKind.Type

/**
 * A claim as it was made. `gate` is the check or delivery that it is about, or its kind where that has none; `outcome`:
 * `passed` needs evidence to count, `failed`, against the agent's own interest, is believed, `ran` says nothing of what came
 * of it; `scope`: of the whole, of a part, or nobody says; `where`: the last words, or what was written into a commit or a pull
 * request. What will or would be, under a condition, and what the user or a quotation says is no claim.
 *
 * @category models
 */
export const Claim = Schema.Struct({
  kind: ClaimKind,
  gate: Schema.String,
  outcome: Schema.Literal("passed", "failed", "ran"),
  scope: Schema.Literal("whole", "part", "unsaid"),
  count: Schema.NullOr(Schema.Number),
  where: Schema.Literal("final", "pr", "commit"),
  text: Schema.String
})

export type Claim = typeof Claim.Type

/**
 * How a claim stands. `not_checkable`: something that nobody here understands may have done it.
 *
 * @category models
 */
export const Standing = Schema.Literal("borne_out", "contradicted", "unfounded", "not_checkable")

export type Standing = typeof Standing.Type

/**
 * A claim held against the record: `fact` is what that has instead, in words, `calls` are those that show it; `failing`: a run
 * that failed disproves it; `beyond`: the check passed, and the claim says more than that showed.
 *
 * @category models
 */
export const Held = Schema.Struct({
  claim: Claim,
  standing: Standing,
  fact: Schema.String,
  calls: Schema.Array(Schema.String),
  failing: Schema.Boolean,
  beyond: Schema.optionalWith(Schema.Boolean, { exact: true })
})

export type Held = typeof Held.Type
