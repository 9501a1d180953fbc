/** A check that was ordered fails after the last edit. */
import type { Facts } from "../../session/facts/Facts.ts"
import { findingOf, openGates, surelyFails } from "./gateFindings.ts"
import type { Finding, Rule } from "./model.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  openGates(facts)
    .filter((gate) => surelyFails(gate, facts))
    .map((gate) => findingOf(gate, facts))

export const gatesFailingAfterEdit: Rule = {
  id: "gates/failing-after-edit",
  attended: "push",
  unattended: "push",
  what: "A check that the user ordered or the configuration declares fails after the last edit, by its own exit status; or one that reflexion ran itself because nobody is there.",
  why: "The user asked for exactly this, and the record shows that it is not so.",
  fact: true,
  holds: true,
  presses: true,
  check
}
