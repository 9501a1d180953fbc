/** What kind of task it is. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import type { TaskContext } from "../../session/task/TaskContext.ts"
import type { TaskType } from "./Verdict.ts"

/** By what was done where anything was, else by what was asked. */
export const taskTypeOf = (task: TaskContext, evidence: Evidence.Evidence): TaskType => {
  if (Evidence.lastEdit(evidence, ["source", "test", "wording", "conflict"]) > 0) return "coding"
  if (Evidence.lastEdit(evidence, ["docs"]) > 0) return "docs"
  if (task.about === "ops" || (evidence.actions > 0 && task.about === "unknown")) return "ops"
  if (task.intent === "ask" || task.intent === "discuss") return "research"
  return task.about === "code" ? "coding" : task.about === "docs" ? "docs" : "other"
}
