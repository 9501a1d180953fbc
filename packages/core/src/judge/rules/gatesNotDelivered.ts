/** A commit, a push or a pull request that was ordered did not happen. */
import type { Facts } from "../../session/facts/Facts.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import { isDelivered } from "../../session/gates/GateTable.ts"
import type { Finding, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result === "missing" && isDelivered(gate.gate) && surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesNotDelivered: Rule = {
  id: "gates/not-delivered",
  attended: "ask",
  unattended: "push",
  what: "A commit, a push, a pull request or a look at CI that was ordered did not happen.",
  why: "The work is done where nobody gets it.",
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}
