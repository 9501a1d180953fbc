/** A check that was ordered has never run. */
import type { Facts } from "../../session/facts/Facts.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import { isDelivered } from "../../session/gates/GateTable.ts"
import type { Finding, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result === "missing" && !isDelivered(gate.gate) && surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesOrderedNotRun: Rule = {
  id: "gates/ordered-not-run",
  attended: "push",
  unattended: "push",
  what: "A check that the user ordered or the configuration declares never ran, and nothing ran that could have been it.",
  why: "The order is not carried out, and nobody knows whether the change works.",
  fact: true,
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}
