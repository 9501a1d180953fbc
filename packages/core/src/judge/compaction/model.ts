/** The types of the compaction check: the state it keeps, and the result it gives. */
import * as Schema from "effect/Schema"
import type { JudgmentState } from "../../session/facts/Facts.ts"
import type { Pulse } from "../stuck/LastSigns.ts"
import type { Forge } from "./forge.ts"

/**
 * What the agent should do next after a compaction.
 * - `continue_task`: go on.
 * - `needs_github_update`: first report on a pull request or issue.
 * - `needs_clarification`: wait for an answer.
 * - `task_complete`: do nothing.
 *
 * @category models
 */
export const Action = Schema.Literal("continue_task", "needs_github_update", "needs_clarification", "task_complete")

export type Action = typeof Action.Type

/**
 * The result of the check after a compaction. Its encoded form is the JSON contract of `judge --show compaction`,
 * without the field `file`.
 *
 * @category models
 */
export const CompactionAssessment = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  action: Action,
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  /** True if there is a pull request, an issue or a branch other than the default one. */
  hasActiveGitWork: Schema.Boolean,
  /** The text for the agent. It has no secrets and at most 6,000 characters. */
  text: Schema.String
})

export type CompactionAssessment = typeof CompactionAssessment.Type

/**
 * The state that the check keeps between events. It has a bounded size and is plain JSON.
 *
 * @category models
 */
export interface CompactionState {
  readonly judgment: JudgmentState
  readonly forge: Forge
  /** The user's last messages, oldest first. */
  readonly words: ReadonlyArray<string>
  /** What the agent said before the last user message. Null if that message is clear without it. */
  readonly before: string | null
  /** True if the todo list belongs to the current task. */
  readonly listed: boolean
  readonly pulse: Pulse
}
