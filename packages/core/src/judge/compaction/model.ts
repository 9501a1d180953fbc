/** What is known of a task across compactions, and what is done after one. */
import * as Schema from "effect/Schema"
import { JudgmentState } from "../../session/facts/Facts.ts"

/**
 * What is to happen next after a compaction: go on; tell a pull request or issue first what was done; wait for an answer;
 * or nothing, for the task is done.
 *
 * @category models
 */
export const Action = Schema.Literal("continue_task", "needs_github_update", "needs_clarification", "task_complete")

export type Action = typeof Action.Type

/**
 * What a compacted session goes on with. Its encoded form is the JSON contract of `reflexion compaction`, save `file`;
 * `text` is for the agent, without secrets, at most 6,000 characters.
 *
 * @category models
 */
export const CompactionAssessment = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  action: Action,
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  hasActiveGitWork: Schema.Boolean,
  text: Schema.String
})

export type CompactionAssessment = typeof CompactionAssessment.Type

/**
 * A pull request or an issue. `order` is when it was last ordered or worked on, among all that happened; `branch` the one
 * that was checked out then; `own` whether the session was told to work on it, or does; `subject` whether that work is
 * to read it, as for a review, so that nothing is brought to it.
 */
export const Ref = Schema.Struct({
  kind: Schema.Literal("pr", "issue"),
  number: Schema.String,
  url: Schema.NullOr(Schema.String),
  repo: Schema.NullOr(Schema.String),
  branch: Schema.NullOr(Schema.String),
  order: Schema.Number,
  own: Schema.Boolean,
  subject: Schema.Boolean,
  closed: Schema.Boolean
})

/** Work on a forge; the numbers are the order of the last event of each kind, 0 for none. */
export const ForgeWork = Schema.Struct({
  version: Schema.Literal(1),
  order: Schema.Number,
  begun: Schema.Number,
  refs: Schema.Array(Ref),
  /** The repositories that the session's own remotes and pull requests show. */
  repos: Schema.Array(Schema.String),
  branch: Schema.NullOr(Schema.String),
  branched: Schema.Number,
  committed: Schema.Number,
  pushed: Schema.Number,
  reported: Schema.Number
})

/**
 * The state of the fold: bounded, and plain JSON in its encoded form.
 *
 * @category models
 */
export const CompactionState = Schema.Struct({
  version: Schema.Literal(1),
  judgment: JudgmentState,
  forge: ForgeWork,
  /** What the user said in this task: its first message and the last ones. */
  words: Schema.Array(Schema.String),
  /** What was asked before this task, shortened, null where this is the first. */
  former: Schema.NullOr(Schema.String),
  /** What the agent had said before the user's last words, null where those stand for themselves. */
  before: Schema.NullOr(Schema.String),
  /** Whether the todo list is this task's. */
  listed: Schema.Boolean,
  open: Schema.Array(Schema.Struct({ id: Schema.String, tool: Schema.String, summary: Schema.String }))
})

export type CompactionState = typeof CompactionState.Type
