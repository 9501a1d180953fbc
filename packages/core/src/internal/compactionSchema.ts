/** The schema of a compaction's assessment, apart from its functions so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"

export const Action = Schema.Literal("continue_task", "needs_github_update", "needs_clarification", "task_complete")

export const CompactionAssessment = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  action: Action,
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  hasActiveGitWork: Schema.Boolean,
  text: Schema.String
})
