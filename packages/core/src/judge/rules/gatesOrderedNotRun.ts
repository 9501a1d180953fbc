/** A check that was ordered has not been run since the last edit. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesOrderedNotRun: Rule = {
  id: "gates/ordered-not-run",
  level: "push",
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}

export const page: Page = {
  what: "A check that the user ordered or the configuration declares was not run since the last edit, and nothing ran that could have been it.",
  why: "The order is not carried out, and nobody knows whether the change works.",
  fires: [
    example(
      "the tests",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      agent("The total is fixed.")
    ),
    example(
      "before the last edit only",
      user("Fix the total and run the tests."),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      edited("src/total.ts"),
      agent("The total is fixed.")
    ),
    example("a commit", user("Fix the total and commit it."), edited("src/total.ts"), agent("The total is fixed."))
  ],
  spares: [
    example(
      "they were run",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("The total is fixed.")
    ),
    example(
      "something ran that nobody knows",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      ran("./ci.sh", 0, ""),
      agent("The total is fixed.")
    ),
    example("nobody asked for them", user("Fix the total."), edited("src/total.ts"), agent("The total is fixed."))
  ]
}
