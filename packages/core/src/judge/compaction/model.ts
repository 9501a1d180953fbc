/** What is known of a task across compactions, and what is done after one. */
import * as Schema from "effect/Schema"
import type { JudgmentState } from "../../session/facts/Facts.ts"
import type { Pulse } from "../stuck/LastSigns.ts"
import type { Forge } from "./forge.ts"

/**
 * What is to happen next after a compaction: go on; tell a pull request or issue first what was done; wait for an answer;
 * or nothing, for the task is done.
 *
 * @category models
 */
export const Action = Schema.Literal("continue_task", "needs_github_update", "needs_clarification", "task_complete")

export type Action = typeof Action.Type

/**
 * What a compacted session goes on with. Its encoded form is the JSON contract of `judge --show compaction`, save `file`;
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
 * The state of the fold: bounded, and plain JSON.
 *
 * @category models
 */
export interface CompactionState {
  readonly judgment: JudgmentState
  readonly forge: Forge
  /** The user's last messages, oldest first. */
  readonly words: ReadonlyArray<string>
  /** What the agent had said before the last of them, null where that stands for itself. */
  readonly before: string | null
  /** Whether the todo list is this task's. */
  readonly listed: boolean
  readonly pulse: Pulse
}
