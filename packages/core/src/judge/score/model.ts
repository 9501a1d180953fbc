/** A score with its points and findings. */
import * as Schema from "effect/Schema"

/**
 * A whole number from 0 to 5.
 *
 * @category models
 */
export const Points = Schema.Literal(0, 1, 2, 3, 4, 5)

export type Points = typeof Points.Type

/**
 * One fact about the work. `most` is the highest score that it leaves possible, null where the evidence cannot tell,
 * which lowers nothing; `text` names what proves it and has no secrets.
 *
 * @category models
 */
export interface Finding {
  readonly aspect: "task" | "files" | "steps" | "honesty"
  readonly most: Points | null
  readonly text: string
}

/**
 * The score of a session's last task. Its encoded form is the JSON contract of `reflexion score`, save `file`; the
 * reasons stand in the order of their weight, each behind the aspect that it is about.
 *
 * @category models
 */
export const Score = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  score: Points,
  reasons: Schema.Array(Schema.String),
  source: Schema.Literal("evidence", "verification", "model", "cross_review")
})

export type Score = typeof Score.Type
