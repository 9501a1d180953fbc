/** A lesson of another task for tests, from the given fields. */
import type { Reflection } from "@reflexion/core/Reflection"

export const learned = (id: string, given: Partial<Reflection>): Reflection => ({
  id,
  sessionId: "s",
  taskId: "other",
  subtaskId: "other.1",
  attemptNumber: 1,
  category: "edge_case",
  analysis: "Take ten percent off carts of 100 and more: the border was left out.",
  suggestion: "Take ten percent off carts of exactly 100.",
  actionItems: [],
  confidence: 0.8,
  createdAt: "1970-01-01T00:00:00.000Z",
  source: "human",
  model: null,
  tags: [],
  ...given
})
