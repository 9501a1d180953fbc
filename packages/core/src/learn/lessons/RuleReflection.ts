/** A lesson as the record that is kept of it. Pure: a hook has no service. */
import type { FailureContext } from "./FailureContext.ts"
import type { Reflection } from "./Reflection.ts"
import { isTainted, tainted } from "./injection.ts"
import type { Lesson } from "./model.ts"

/** What was made of words that speak to their reader says so by a tag, and goes into no prompt. */
export const reflectionOf = (
  failure: FailureContext,
  lesson: Lesson,
  { createdAt, id }: Pick<Reflection, "createdAt" | "id">
): Reflection => {
  const said = [
    failure.errorOutput,
    failure.subtaskDescription,
    ...failure.filesModified,
    ...(failure.missing ?? []),
    ...(failure.nextActions ?? [])
  ].some(isTainted)
  return {
    id,
    sessionId: failure.sessionId,
    taskId: failure.taskId,
    subtaskId: failure.subtaskId,
    attemptNumber: failure.attemptNumber,
    category: lesson.category,
    analysis: lesson.analysis,
    suggestion: lesson.suggestion,
    actionItems: lesson.actionItems,
    confidence: lesson.confidence,
    createdAt,
    source: lesson.source,
    model: lesson.model,
    tags: said ? [...lesson.tags, tainted] : lesson.tags
  }
}
