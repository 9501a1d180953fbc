/** Finds out whether code was changed and nobody ran the code. A rule then tells the agent, and a check may be run. */
import * as Evidence from "../evidence/Evidence.ts"
import type { Facts } from "./model.ts"

/** After a message such as "I'll run them myself", the agent need not run the tests. */
const byUser =
  /\bi(?:'ll| will| can|'m going to| am going to)(?: then| later| just)? (?:run|test|execute|check|try|verify|build|make sure)\b/i

/**
 * True if code was changed, and nothing that could show a defect ran afterwards. False if something kept the agent from
 * running the code.
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
