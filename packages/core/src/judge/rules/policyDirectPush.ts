/** Commits were pushed to a branch that the policy protects. */
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"
import { finding } from "./shared.ts"

const toDefault = "(?:to|on|onto|into) (?:the )?`?(?:main|master|trunk|default branch)"

/** "Push it to main": the user's word outweighs the project's. */
const ordering = new RegExp(
  `(?<!(?:\\b(?:not|never|no)|n't)\\b[^.;!?\\n]{0,30})\\bpush(?:ed|ing)?\\b[^.;!?\\n]{0,60}\\b${toDefault}\\b`,
  "i"
)

/** "Don't push to main", "never commit directly to master" */
const forbidding = new RegExp(
  `(?:\\b(?:not|never|no)|n't) (?:ever )?(?:directly |straight )?(?:push|commit)\\w*\\b[^.;!?\\n]{0,40}\\b${toDefault}\\b`,
  "i"
)

const isOrdered = ({ task }: Facts): boolean => ordering.test(task.message.slice(0, 4000))

const isForbidden = ({ repo, task }: Facts): boolean =>
  repo.protectsDefault || [task.message, task.text].some((text) => forbidding.test(text))

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const push = facts.directPushes[0]
  const pr = facts.gates.some((gate) => gate.gate === "pr" && gate.required)
  const required = pr || isForbidden(facts) || facts.profile === "strict"
  if (
    push === undefined ||
    !required ||
    isOrdered(facts) ||
    facts.gates.some((gate) => gate.gate === "pr" && gate.result === "passed")
  )
    return []
  const branch = push.branch ?? facts.evidence.branch ?? facts.repo.branch ?? "the default branch"
  return finding({
    severity: "HIGH",
    fact: `You pushed straight to ${branch} although ${pr ? "a pull request was required" : "that was not to be done"}.`,
    missing: `a pull request: the change was pushed straight to ${branch}`,
    action: `Tell the user that the change went straight to ${branch}, move it to a branch and open the pull request; do not rewrite ${branch} without being asked.`,
    calls: push.callId === null ? [] : [push.callId]
  })
}

export const policyDirectPush: Rule = {
  id: "policy/direct-push",
  attended: "ask",
  unattended: "push",
  what: "Commits were pushed straight to the default branch although a pull request was required.",
  why: "What is on the default branch is everybody's, and nobody has looked at it.",
  presses: true,
  check
}
