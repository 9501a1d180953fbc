/** Whether code was changed and nobody tried it: what a rule says to the agent, and what a check may be run for. */
import * as Evidence from "../evidence/Evidence.ts"
import type { Facts } from "./model.ts"

/** "I'll run them myself": then the agent need not. */
const byUser =
  /\bi(?:'ll| will| can|'m going to| am going to)(?: then| later| just)? (?:run|test|execute|check|try|verify|build|make sure)\b/i

/**
 * Whether code was changed in this task and nothing was run since that could have shown a defect, though nobody kept the
 * agent from it.
 *
 * @category predicates
 */
export const isUntried = ({ evidence, task }: Pick<Facts, "evidence" | "task">): boolean => {
  const { delegated, denied, exercised, possible } = evidence
  const edit = Evidence.lastEdit(evidence, ["source", "script"])
  return (
    edit > 0 &&
    Math.max(exercised, delegated, ...possible.map(({ order }) => order)) <= edit &&
    denied.length === 0 &&
    task.intent !== "ask" &&
    task.forbids.length === 0 &&
    !byUser.test(task.message.slice(0, 4000))
  )
}
