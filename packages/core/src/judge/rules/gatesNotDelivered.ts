/** A commit, a push or a pull request that was ordered did not happen. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import { isDelivered } from "../../session/gates/GateTable.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result === "missing" && isDelivered(gate.gate) && surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesNotDelivered: Rule = {
  id: "gates/not-delivered",
  unattended: "push",
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}

export const page: Page = {
  what: "A commit, a push, a pull request or a look at CI that was ordered did not happen.",
  why: "The work is done where nobody gets it.",
  fires: [
    example("a commit", user("Fix the total and commit it."), edited("src/total.ts"), agent("The total is fixed.")),
    example(
      "a push",
      user("Fix the total, commit and push."),
      edited("src/total.ts"),
      ran("git commit -am 'Fix the total'", 0, "[main 1a2b3c4] Fix the total"),
      agent("The total is fixed and committed.")
    ),
    example(
      "a pull request",
      user("Fix the total and open a PR."),
      edited("src/total.ts"),
      ran("git push -u origin fix-total", 0, "branch 'fix-total' set up to track 'origin/fix-total'"),
      agent("The total is fixed and pushed.")
    )
  ],
  spares: [
    example(
      "it happened",
      user("Fix the total and commit it."),
      edited("src/total.ts"),
      ran("git commit -am 'Fix the total'", 0, "[main 1a2b3c4] Fix the total"),
      agent("Fixed and committed.")
    ),
    example(
      "nothing to commit",
      user("Commit what is left."),
      ran("git status", 0, "nothing to commit, working tree clean"),
      agent("The tree is clean; there was nothing to commit.")
    ),
    example("nobody asked for it", user("Fix the total."), edited("src/total.ts"), agent("The total is fixed."))
  ]
}
