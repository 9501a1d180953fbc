/** A check fails at the end, and nobody ordered it in plain words. */
import type { Facts } from "../../session/facts/Facts.ts"
import { findingOf, openGates, surelyFails } from "./gateFindings.ts"
import type { Finding, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result === "failed" && !surelyFails(gate, facts))
    .map((gate) => findingOf(gate, facts))

// With nobody there as well: whether a failure that nobody ordered mended is of the agent's making is not known.
export const gatesFailingUnordered: Rule = {
  id: "gates/failing-unordered",
  attended: "off",
  unattended: "tell",
  what: "A check fails at the end that nobody ordered in plain words, or whose failure may be of another making.",
  why: "It is worth a look; whether it is the task's is the user's to say.",
  holds: true,
  presses: true,
  check
}
