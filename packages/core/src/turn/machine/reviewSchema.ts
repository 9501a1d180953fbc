/** The schema of a review state, apart from its functions so that a bundle which checks its state otherwise can leave it out. */
import type * as Model from "./model.ts"
import * as Schema from "effect/Schema"
import { Mode } from "../../session/transcript/Transcript.ts"

const Phase = Schema.Union(
  Schema.TaggedStruct("quiet", {}),
  Schema.TaggedStruct("settling", { until: Schema.Number }),
  Schema.TaggedStruct("reviewing", {
    review: Schema.Number,
    since: Schema.Number,
    silentSince: Schema.optionalWith(Schema.NullOr(Schema.Number), { exact: true })
  }),
  Schema.TaggedStruct("injecting", {
    review: Schema.Number,
    since: Schema.Number,
    /** To an agent at work: whether it has stopped of its own since. */
    stopped: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { exact: true })
  })
)

/**
 * Bounded, and plain JSON. `root` identifies the genuine user message that armed it; `attempts` counts the pushes since,
 * `mark` is the evidence at the last of them, `told` the notices given since; `halted` says that the turn was aborted or
 * failed and that nobody has asked for anything since; `asked` are the open questions; times are in ms.
 *
 * @since 0.1.0
 * @category models
 */
export const ReviewState = Schema.Struct({
  version: Schema.Literal(1),
  kind: Schema.Literal("root", "subagent", "judge"),
  enabled: Schema.Boolean,
  ended: Schema.Boolean,
  root: Schema.NullOr(Schema.String),
  attempts: Schema.Number,
  mark: Schema.NullOr(Schema.String),
  told: Schema.Array(Schema.String),
  mode: Mode,
  abortedAt: Schema.NullOr(Schema.Number),
  halted: Schema.NullOr(Schema.Literal("aborted", "failed")),
  compacting: Schema.Boolean,
  asked: Schema.Array(Schema.String),
  background: Schema.Number,
  queued: Schema.Number,
  phase: Phase,
  reviews: Schema.Number,
  now: Schema.Number
})

export type ReviewState = Model.ReviewState
