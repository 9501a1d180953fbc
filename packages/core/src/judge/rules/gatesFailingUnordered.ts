/** A check fails at the end, and nobody ordered it in plain words. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import { findingOf, openGates, surelyFails } from "./gateFindings.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result === "failed" && !surelyFails(gate, facts))
    .map((gate) => findingOf(gate, facts))

// With nobody there as well: whether a failure that nobody ordered mended is of the agent's making is not known.
export const gatesFailingUnordered: Rule = { id: "gates/failing-unordered", holds: true, presses: true, check }

export const page: Page = {
  what: "A check fails at the end that nobody ordered in plain words, or whose failure may be of another making.",
  why: "It is worth a look; whether it is the task's is the user's to say.",
  fires: [
    example(
      "the agent ran it by itself",
      user("Fix the total."),
      edited("src/total.ts"),
      ran("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
      agent("The total is right now.")
    ),
    example(
      "a type check",
      user("Fix the total."),
      edited("src/total.ts"),
      ran("npx tsc --noEmit", 2, "src/total.ts(3,1): error TS2304: Cannot find name 'x'."),
      agent("The total is right now.")
    ),
    example(
      "a build of its own",
      user("Rename `Cart`."),
      edited("src/cart.ts"),
      ran("npm run build", 1, "Build failed"),
      agent("It is renamed.")
    )
  ],
  spares: [
    example(
      "it passes",
      user("Fix the total."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("The total is right now.")
    ),
    example(
      "nothing was edited",
      user("What do the tests say?"),
      ran("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
      agent("One of them is red.")
    ),
    example(
      "a failing test was wanted",
      user("Write a failing test for the empty list."),
      edited("test/empty.test.ts"),
      ran("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
      agent("The test fails, as it should.")
    )
  ]
}
