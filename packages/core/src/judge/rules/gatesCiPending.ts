/** CI was to be confirmed, and had not finished when the agent looked last. */
import type { Facts } from "../../session/facts/Facts.ts"
import { orderOf } from "../../session/gates/GateTable.ts"
import type { Finding, Rule } from "./model.ts"

const check = ({ gates, reading }: Facts): ReadonlyArray<Finding> =>
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
  check
}
