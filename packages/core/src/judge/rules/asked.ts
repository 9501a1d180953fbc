/** Questions about a turn. Several rules and the status ask them. */
import type { Facts } from "../../session/facts/Facts.ts"

/** True if a check has passed since the last edit and no check fails. */
export const isProved = ({ gates }: Facts): boolean =>
  gates.some((gate) => gate.result === "passed") && !gates.some((gate) => gate.result === "failed")

/** True if a required check or delivery is missing, outdated or failed. */
export const isLacking = ({ gates }: Facts): boolean =>
  gates.some(({ denied, required, result }) => required && !denied && /^(?:missing|stale|failed)$/.test(result))

/** True if the message itself is an order. False if the message only continues an earlier order. */
export const isOrdered = ({ continued, intent }: Facts["task"]): boolean => intent === "act" && !continued
