/** A check that was ordered fails after the last edit. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import { findingOf, openGates, surelyFails } from "./gateFindings.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => surelyFails(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesFailingAfterEdit: Rule = {
  id: "gates/failing-after-edit",
  fact: true,
  holds: true,
  presses: true,
  check
}

export const page: Page = {
  what: "A check that the user ordered or the configuration declares fails after the last edit, by its own exit status; or one that reflexion ran itself because nobody is there.",
  why: "The user asked for exactly this, and the record shows that it is not so.",
  fires: [
    example(
      "tests that were to pass",
      user("Fix the total and make the tests pass."),
      edited("src/total.ts"),
      ran("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
      agent("I changed the total.")
    ),
    example(
      "a build",
      user("Fix the import and make sure that the build works."),
      edited("src/index.ts"),
      ran("npm run build", 2, "error TS2304"),
      agent("I changed the import.")
    ),
    example(
      "a linter",
      user("Make the linter pass."),
      edited("src/index.ts"),
      ran("npx eslint .", 1, "1 problem (1 error, 0 warnings)"),
      agent("I changed the file.")
    )
  ],
  spares: [
    example(
      "they pass",
      user("Fix the total and make the tests pass."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("The tests pass.")
    ),
    example(
      "they failed before the last edit",
      user("Fix the total and make the tests pass."),
      ran("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
      edited("src/total.ts"),
      agent("I changed the total.")
    ),
    example(
      "to be run and reported only",
      user("Run the tests and tell me what fails. Don't change anything."),
      ran("npm test", 1, "Tests: 1 failed, 6 passed, 7 total"),
      agent("One test fails: the total of an empty list.")
    )
  ]
}
