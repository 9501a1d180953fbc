/** Commits were pushed to a branch that the policy protects. */
import type { Known, Problem } from "../verdict/model.ts"

export const policyProblems = (known: Known): ReadonlyArray<Problem> => {
  const push = known.directPushes[0]
  const required = known.gates.some((gate) => gate.gate === "pr" && gate.required) || known.profile === "strict"
  if (push === undefined || !required || known.gates.some((gate) => gate.gate === "pr" && gate.result === "passed"))
    return []
  const branch = push.branch ?? known.evidence.branch ?? known.repo.branch ?? "the default branch"
  return [
    {
      kind: "policy",
      severity: "HIGH",
      fact: `You pushed straight to ${branch} although a pull request was required.`,
      missing: `a pull request: the change was pushed straight to ${branch}`,
      action: `Tell the user that the change went straight to ${branch}, move it to a branch and open the pull request; do not rewrite ${branch} without being asked.`,
      stands: true,
      level: "push"
    }
  ]
}
