/** Checks and deliveries that a task must pass and has not: each that is open is one rule's. */
import type { RuleName } from "../../session/config/RuleNames.ts"
import type { Facts, GateFact } from "../../session/facts/Facts.ts"
import { isDelivered, orderOf } from "../../session/vocabulary/GateTable.ts"
import { findingOf, openGates, surelyFails, surelyOpen } from "./gateFindings.ts"
import type { Finding, Rule } from "./model.ts"

/** The rule of an open check, by how it stands and how sure that is. */
const ruleOf = (gate: GateFact, facts: Facts): RuleName => {
  if (gate.result === "failed") return surelyFails(gate, facts) ? "gates/failing-after-edit" : "gates/failing-unordered"
  if (!surelyOpen(gate, facts)) return "gates/maybe-not-run"
  if (gate.result === "stale") return "gates/stale"
  return isDelivered(gate.gate) ? "gates/not-delivered" : "gates/ordered-not-run"
}

/** What is found of the open checks that are this rule's. */
const openAs =
  (rule: RuleName) =>
  (facts: Facts): ReadonlyArray<Finding> =>
    openGates(facts)
      .filter((gate) => ruleOf(gate, facts) === rule)
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
  check: openAs("gates/failing-after-edit")
}

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
  check: openAs("gates/ordered-not-run")
}

export const gatesStale: Rule = {
  id: "gates/stale",
  attended: "ask",
  unattended: "push",
  what: "A check that the user ordered or the configuration declares ran before the last edit and not since, and nothing ran that could have been it.",
  why: "What it has shown is not what is there now.",
  pattern: "unverified",
  presses: true,
  waits: true,
  check: openAs("gates/stale")
}

export const gatesNotDelivered: Rule = {
  id: "gates/not-delivered",
  attended: "ask",
  unattended: "push",
  what: "A commit, a push, a pull request or a look at CI that was ordered did not happen.",
  why: "The work is done where nobody gets it.",
  pattern: "unverified",
  presses: true,
  waits: true,
  check: openAs("gates/not-delivered")
}

// With nobody there as well: whether a failure that nobody ordered to be fixed is of the agent's making is not known.
export const gatesFailingUnordered: Rule = {
  id: "gates/failing-unordered",
  attended: "off",
  unattended: "tell",
  what: "A check fails at the end that nobody ordered in plain words, or whose failure may be of another making.",
  why: "It is worth a look; whether it is the task's is the user's to say.",
  holds: true,
  presses: true,
  check: openAs("gates/failing-unordered")
}

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
  check: openAs("gates/maybe-not-run")
}

const ciPending = ({ gates, reading }: Facts): ReadonlyArray<Finding> =>
  gates
    .filter(
      ({ gate, required, result, run }) =>
        gate === "ci" && required && result === "unknown" && run?.pending === true && reading.closing !== "awaits"
    )
    .map(({ denied, detail, evidence, gate }) => ({
      gate,
      severity: "MEDIUM",
      fact: `CI was to be confirmed, and had not finished when you looked last: ${detail}.`,
      missing: `ci: ${detail}`,
      action: orderOf(gate, "missing"),
      stands: !denied,
      calls: evidence.flatMap(({ callId }) => callId ?? [])
    }))

export const gatesCiPending: Rule = {
  id: "gates/ci-pending",
  attended: "ask",
  unattended: "ask",
  what: "CI was to be confirmed, and the last look at it on record says that it is still running.",
  why: "It may yet turn red, and then nobody looks.",
  pattern: "unverified",
  waits: true,
  check: ciPending
}
