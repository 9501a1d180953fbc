/** A check that is required may not have been run. */
import type { Facts } from "../../session/facts/Facts.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import type { Finding, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result !== "failed" && !surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesMaybeNotRun: Rule = {
  id: "gates/maybe-not-run",
  attended: "ask",
  unattended: "ask",
  what: "A required check was not run since the last edit, and nobody ordered it in so many words, or another ran that does nearly as much.",
  why: "It may be missing, and it may not.",
  // With nobody there as well: it may have run. Where surely nothing did, `work/nothing-run` pushes.
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}
