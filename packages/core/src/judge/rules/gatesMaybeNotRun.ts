/** A check that is required may not have been run. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result !== "failed" && !surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesMaybeNotRun: Rule = {
  id: "gates/maybe-not-run",
  // With nobody there as well: it may have run. Where surely nothing did, `work/nothing-run` pushes.
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}

export const page: Page = {
  what: "A required check was not run since the last edit, and nobody ordered it in so many words, or another ran that does nearly as much.",
  why: "It may be missing, and it may not.",
  fires: [
    example(
      "a type check in place of the build",
      user("Fix the total and run the build."),
      edited("src/total.ts"),
      ran("npx tsc --noEmit", 0),
      agent("The total is right now.")
    ),
    example(
      "a build in place of the type check",
      user("Fix the total and run the type checker."),
      edited("src/total.ts"),
      ran("npm run build", 0),
      agent("The total is right now.")
    ),
    example(
      "a failing run that was pasted",
      user("Fix the total.\n\n--- FAIL: TestTotal (0.00s)"),
      edited("src/total.ts"),
      agent("The total is right now.")
    )
  ],
  spares: [
    example(
      "it was run",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("The total is fixed.")
    ),
    example(
      "it was ordered",
      user("Fix the total and run the tests."),
      edited("src/total.ts"),
      agent("The total is fixed.")
    ),
    example("nobody speaks of one", user("Fix the total."), edited("src/total.ts"), agent("The total is fixed."))
  ]
}
