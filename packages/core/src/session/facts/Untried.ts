/** Whether code was changed and nobody tried it: what a rule says to the agent, and what a check may be run for. */
import * as Evidence from "../evidence/Evidence.ts"
import type { Facts } from "./model.ts"

/**
 * When anything was run last that could have shown a defect, or may have.
 *
 * @category accessors
 */
export const lastTried = ({ evidence }: Pick<Facts, "evidence">): number =>
  Math.max(evidence.exercised, evidence.delegated, ...evidence.possible.map(({ order }) => order))

/** "I'll run them myself" */
const byUser =
  /\bi(?:'ll| will| can|'m going to| am going to)(?: then| later| just)? (?:run|test|execute|check|try|verify|build|make sure)\b/i

/**
 * Whether the user tries it, so that the agent need not.
 *
 * @category predicates
 */
export const userTries = (message: string): boolean => byUser.test(message.slice(0, 4000))

/**
 * Whether code was changed in this task and nothing was run since, though nobody kept the agent from it.
 *
 * @category predicates
 */
export const isUntried = (facts: Pick<Facts, "evidence" | "task">): boolean => {
  const { evidence, task } = facts
  const edit = Evidence.lastEdit(evidence, ["source", "script"])
  return (
    edit > 0 &&
    lastTried(facts) <= edit &&
    evidence.denied.length === 0 &&
    task.intent !== "ask" &&
    task.forbids.length === 0 &&
    !userTries(task.message)
  )
}
