/** A check that was ordered has never run. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import { isDelivered } from "../../session/gates/GateTable.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result === "missing" && !isDelivered(gate.gate) && surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesOrderedNotRun: Rule = {
  id: "gates/ordered-not-run",
  fact: true,
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}

export const page: Page = {
  what: "A check that the user ordered or the configuration declares never ran, and nothing ran that could have been it.",
  why: "The order is not carried out, and nobody knows whether the change works.",
  fires: [
    example(
      "the tests",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      agent("The total is fixed.")
    ),
    example(
      "a build",
      user("Fix the total and run `npm run build`."),
      edited("src/total.ts"),
      agent("The total is fixed.")
    ),
    example(
      "before it is done",
      user("Rename `Cart` to `Basket`, and run the type check before you are done."),
      edited("src/cart.ts"),
      agent("It is renamed.")
    )
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
