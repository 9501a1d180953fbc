/**
 * What to say to an agent after its context was compacted, so that the task and an open pull request or issue are not
 * lost with it.
 *
 * @since 0.1.0
 */
import * as Schemas from "./internal/compactionSchema.ts"
import * as Judgment from "./Judgment.ts"
import type { Transcript } from "./Transcript.ts"

/**
 * What is to happen next after a compaction.
 *
 * @since 0.1.0
 * @category models
 */
export const Action = Schemas.Action

/**
 * @since 0.1.0
 * @category models
 */
export type Action = typeof Action.Type

/**
 * What a compacted session goes on with. Its encoded form is the JSON contract of `reflexion compaction`, save `file`;
 * `text` is for the agent.
 *
 * @since 0.1.0
 * @category models
 */
export const CompactionAssessment = Schemas.CompactionAssessment

/**
 * @since 0.1.0
 * @category models
 */
export type CompactionAssessment = typeof CompactionAssessment.Type

/**
 * Assesses a transcript.
 *
 * @since 0.1.0
 * @category assessing
 */
export const assess = (transcript: Transcript, options: Judgment.JudgeOptions = {}): CompactionAssessment => {
  const verdict = Judgment.judge(transcript, options)
  return {
    version: 1,
    host: transcript.host,
    sessionId: transcript.sessionId,
    action: verdict.complete ? "task_complete" : "continue_task",
    confidence: verdict.complete ? verdict.confidence : 0.5,
    hasActiveGitWork: false,
    text: `Your task: ${verdict.task.summary}`
  }
}
