/** A score with its points and findings, and the state it is folded from. */
import * as Schema from "effect/Schema"
import { Edit } from "../../session/evidence/model.ts"
import { JudgmentState } from "../../session/facts/Facts.ts"
import { Loops, LoopPattern } from "../loops/model.ts"

/**
 * A whole number from 0 to 5.
 *
 * @category models
 */
export const Points = Schema.Literal(0, 1, 2, 3, 4, 5)

export type Points = typeof Points.Type

export const Aspect = Schema.Literal("task", "files", "steps", "honesty")

/**
 * One fact about the work. `most` is the highest score that it leaves possible, null where the evidence cannot tell,
 * which lowers nothing; `text` names what proves it and has no secrets.
 */
export const Finding = Schema.Struct({
  aspect: Aspect,
  most: Schema.NullOr(Points),
  text: Schema.String
})

export type Finding = typeof Finding.Type

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

/** A detour: a loop as it was when it was longest. */
export const Detour = Schema.Struct({
  pattern: LoopPattern,
  period: Schema.Number,
  count: Schema.Number,
  summary: Schema.String,
  callIds: Schema.Array(Schema.String)
})

/** Something of the user's that was destroyed, and the call that did it. */
export const Harm = Schema.Struct({ what: Schema.String, callId: Schema.NullOr(Schema.String) })

/** What the score keeps of a task beside the folds of the judge, whose edits are those of one turn. */
export const Work = Schema.Struct({
  /** Calls that were settled, and those that failed. */
  calls: Schema.Number,
  failed: Schema.Number,
  /** The call that the user refused last, how often in a row, and how often in a row at most. */
  refused: Schema.Struct({ key: Schema.Number, count: Schema.Number }),
  insisted: Schema.Number,
  /** What earlier turns of the task edited, and whether nothing was run after the last edit of code among it. */
  edits: Schema.Array(Edit),
  unproved: Schema.Boolean,
  acted: Schema.Boolean,
  detours: Schema.Array(Detour),
  harms: Schema.Array(Harm),
  /** Whether nothing but looking around was done since the session began: what is changed then is the user's. */
  pristine: Schema.Boolean,
  /** The user's own changes that are not committed, and files that git does not know. */
  theirs: Schema.Array(Schema.String),
  untracked: Schema.Array(Schema.String),
  /** Databases and tables that the session itself made. */
  made: Schema.Array(Schema.String)
})

/**
 * The state of the fold: bounded, and plain JSON in its encoded form.
 *
 * @category models
 */
export const ScoreState = Schema.Struct({
  version: Schema.Literal(1),
  judgment: JudgmentState,
  loops: Loops,
  work: Work
})

export type ScoreState = typeof ScoreState.Type
