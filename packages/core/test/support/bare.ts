/** A reflection for tests, from the given fields. It imports no test library, so a separate process can use it. */
import type { Reflection } from "@reflexion/core/Reflection"

export const bare = (given: Partial<Reflection> & { readonly id: string }): Reflection => ({
  sessionId: "session-1",
  taskId: "task-1",
  subtaskId: "subtask-1",
  attemptNumber: 1,
  category: "root_cause",
  analysis: "The total was rounded before the discount was taken off.",
  suggestion: "Round once, at the end.",
  actionItems: ["Move the rounding to the end of `total`."],
  confidence: 0.7,
  createdAt: "2026-03-01T10:00:00.000Z",
  source: "heuristic",
  model: null,
  tags: ["test_failure"],
  ...given
})
