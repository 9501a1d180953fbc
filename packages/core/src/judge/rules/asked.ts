/** What several rules and the status ask of a turn. */
import type { Facts } from "../../session/facts/Facts.ts"

/** Whether a check has passed since the last edit, and none fails. */
export const isProved = ({ gates }: Facts): boolean =>
  gates.some((gate) => gate.result === "passed") && !gates.some((gate) => gate.result === "failed")

/** Whether a check or delivery that the task needs is not there. */
export const isLacking = ({ gates }: Facts): boolean =>
  gates.some(({ denied, required, result }) => required && !denied && /^(?:missing|stale|failed)$/.test(result))

/** The message itself is an order, rather than a word that goes on with one. */
export const isOrdered = ({ continued, intent }: Facts["task"]): boolean => intent === "act" && !continued
