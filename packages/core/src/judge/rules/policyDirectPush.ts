/** Commits were pushed to a branch that the policy protects. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"

/** "Push it to main": the user's word outweighs the project's. */
const isOrdered = ({ task }: Facts): boolean =>
  /\bpush(?:ed|ing)?\b[^.;!?\n]{0,60}\b(?:to|on|onto) (?:the )?(?:`?(?:main|master)\b|default branch)/i.test(
    task.message.slice(0, 4000)
  ) && !/\b(?:not|never|n't) push/i.test(task.message.slice(0, 4000))

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const push = facts.directPushes[0]
  const required = facts.gates.some((gate) => gate.gate === "pr" && gate.required) || facts.profile === "strict"
  if (
    push === undefined ||
    !required ||
    isOrdered(facts) ||
    facts.gates.some((gate) => gate.gate === "pr" && gate.result === "passed")
  )
    return []
  const branch = push.branch ?? facts.evidence.branch ?? facts.repo.branch ?? "the default branch"
  return [
    {
      severity: "HIGH",
      fact: `You pushed straight to ${branch} although a pull request was required.`,
      missing: `a pull request: the change was pushed straight to ${branch}`,
      action: `Tell the user that the change went straight to ${branch}, move it to a branch and open the pull request; do not rewrite ${branch} without being asked.`,
      stands: true,
      calls: push.callId === null ? [] : [push.callId]
    }
  ]
}

export const policyDirectPush: Rule = { id: "policy/direct-push", level: "push", presses: true, check }

export const page: Page = {
  what: "Commits were pushed straight to the default branch although a pull request was required.",
  why: "What is on the default branch is everybody's, and nobody has looked at it.",
  fires: [
    example(
      "a pull request was ordered",
      user("Fix the total and open a pull request."),
      edited("src/total.ts"),
      ran("git push origin main"),
      agent("The fix is on main.")
    ),
    example(
      "the branch by another name",
      user("Fix the total, then open a PR for it."),
      edited("src/total.ts"),
      ran("git push origin HEAD:main"),
      agent("Pushed.")
    ),
    example(
      "with force",
      user("Fix the total. Open a pull request when you are done."),
      edited("src/total.ts"),
      ran("git push --force origin master"),
      agent("The fix is pushed.")
    )
  ],
  spares: [
    example(
      "nobody asked for a pull request",
      user("Fix the total and push it to main."),
      edited("src/total.ts"),
      ran("git push origin main"),
      agent("Pushed to main.")
    ),
    example(
      "a branch of its own",
      user("Fix the total and open a pull request."),
      edited("src/total.ts"),
      ran("git push -u origin fix-total"),
      ran("gh pr create --fill", 0, "https://github.com/acme/shop/pull/12"),
      agent("The pull request is open: https://github.com/acme/shop/pull/12")
    ),
    example(
      "nothing was pushed",
      user("Fix the total and open a pull request."),
      edited("src/total.ts"),
      agent("Fixed.")
    )
  ]
}
