/** A check that was ordered ran before the last edit, and not since. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result === "stale" && surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesStale: Rule = {
  id: "gates/stale",
  unattended: "push",
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}

export const page: Page = {
  what: "A check that the user ordered or the configuration declares ran before the last edit and not since, and nothing ran that could have been it.",
  why: "What it has shown is not what is there now.",
  fires: [
    example(
      "one more edit",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      edited("src/total.ts"),
      agent("The total is fixed.")
    ),
    example(
      "it was red, and something was fixed",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      ran("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
      edited("src/total.ts"),
      agent("The total is fixed now.")
    ),
    example(
      "the build, of another file",
      user("Rename `Cart` and run `npm run build`."),
      edited("src/cart.ts"),
      ran("npm run build", 0, "built in 3 s"),
      edited("src/order.ts"),
      agent("It is renamed.")
    )
  ],
  spares: [
    example(
      "run after it",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("The total is fixed.")
    ),
    example(
      "something ran that nobody knows",
      user("Fix the total and run the tests."),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      edited("src/total.ts"),
      ran("./ci.sh", 0, ""),
      agent("The total is fixed.")
    ),
    example(
      "nobody asked for it",
      user("Fix the total."),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      edited("src/total.ts"),
      agent("The total is fixed.")
    )
  ]
}
