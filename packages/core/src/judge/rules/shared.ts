/** What several rules ask of a turn. */
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding } from "./model.ts"

/** Whether a check has passed since the last edit, and none fails. */
export const isProved = ({ gates }: Facts): boolean =>
  gates.some((gate) => gate.result === "passed") && !gates.some((gate) => gate.result === "failed")

/** The message itself is an order, rather than a word that goes on with one. */
export const isOrdered = ({ continued, intent }: Facts["task"]): boolean => intent === "act" && !continued

/** The one thing that a rule has found: small and the agent's to do, unless it says otherwise. */
export const finding = (
  found: Pick<Finding, "action" | "fact" | "missing"> & Partial<Finding>
): ReadonlyArray<Finding> => [{ severity: "LOW", stands: true, ...found }]
