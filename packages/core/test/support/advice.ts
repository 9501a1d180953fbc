import { Effect } from "effect"
import { ReflexionStore } from "../../src/memory/store/ReflexionStore.ts"

/** Advice in the memory, with how the attempts that had it ended: "C" completed, "F" failed. */
export const advice = (ends: string, at: number) =>
  Effect.gen(function* () {
    const store = yield* ReflexionStore
    yield* store.append({
      id: "r1",
      sessionId: "s",
      taskId: "t",
      subtaskId: "t",
      attemptNumber: 1,
      category: "root_cause",
      analysis: "a",
      suggestion: "s",
      actionItems: [],
      confidence: 0.5,
      createdAt: new Date(at).toISOString(),
      source: null,
      model: null,
      tags: []
    })
    for (const end of ends) yield* store.recordOutcome({ reflectionIds: ["r1"], success: end === "C" })
  })
