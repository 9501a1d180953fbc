/** A check that was ordered ran before the last edit, and not since. */
import type { Facts } from "../../session/facts/Facts.ts"
import { findingOf, openGates, surelyOpen } from "./gateFindings.ts"
import type { Finding, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => gate.result === "stale" && surelyOpen(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesStale: Rule = {
  id: "gates/stale",
  attended: "ask",
  unattended: "push",
  what: "A check that the user ordered or the configuration declares ran before the last edit and not since, and nothing ran that could have been it.",
  why: "What it has shown is not what is there now.",
  pattern: "unverified",
  presses: true,
  waits: true,
  check
}
