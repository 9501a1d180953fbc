/** A lesson as the record that is kept of it. Pure: a hook has no service. */
import type { FailureContext } from "./FailureContext.ts"
import { isTainted, tainted } from "./injection.ts"
import type { Reflection } from "./Reflection.ts"

/**
 * What is learned of a failed attempt; who keeps it adds the rest.
 *
 * @category models
 */
export type Lesson = Pick<
  Reflection,
  "category" | "analysis" | "suggestion" | "actionItems" | "confidence" | "source" | "model" | "tags"
>

/** What was made of words that speak to their reader says so by a tag, and goes into no prompt. */
export const reflectionOf = (
  { attemptNumber, sessionId, subtaskId, taskId, ...failure }: FailureContext,
  lesson: Lesson,
  { createdAt, id }: Pick<Reflection, "createdAt" | "id">
): Reflection => {
  const { errorOutput, filesModified, missing = [], nextActions = [], subtaskDescription } = failure
  const speaks = [errorOutput, subtaskDescription, ...filesModified, ...missing, ...nextActions].some(isTainted)
  const tags = speaks ? [...lesson.tags, tainted] : lesson.tags
  return { id, sessionId, taskId, subtaskId, attemptNumber, createdAt, ...lesson, tags }
}
