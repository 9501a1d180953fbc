/** What several rules ask of a turn. */
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding } from "./model.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"

/** Whether a check has passed since the last edit, and none fails. */
export const isProved = ({ gates }: Facts): boolean =>
  gates.some((gate) => gate.result === "passed") && !gates.some((gate) => gate.result === "failed")

/** The message itself is an order, rather than a word that goes on with one. */
export const isOrdered = ({ continued, intent }: Facts["task"]): boolean => intent === "act" && !continued

/** The one thing that a rule has found: small and the agent's to do, unless it says otherwise. */
export const finding = (
  found: Pick<Finding, "action" | "fact" | "missing"> & Partial<Finding>
): ReadonlyArray<Finding> => [{ severity: "LOW", stands: true, ...found }]

/** Whoever says so, the host or the text's own looks. */
export const cutOff = finding({
  fact: "Your last message was cut off.",
  missing: "the rest of the final message",
  action: "Go on from where the message was cut off."
})

export const mustPass =
  /\b(?:make sure|ensure|until|must|ha(?:ve|s) to|needs? to)\b|\b(?:get|make)\b[^.?!]{0,60}\b(?:pass|green|clean|work|succeed|compile)\b/i

export const noEdits = (facts: Facts): boolean =>
  Evidence.lastEdit(facts.evidence, ["source", "test", "config", "script", "unknown", "conflict"]) === 0

/** Told only to run things, the agent ran them and changed nothing: whatever they print is the answer. */
export const onlyReports = (facts: Facts): boolean =>
  noEdits(facts) &&
  facts.task.asks.length > 0 &&
  facts.task.asks.every((ask) => ask.how === "run" && !mustPass.test(ask.quote)) &&
  facts.task.intent === "ask" &&
  facts.gates.every((gate) => gate.why !== "asked" || (gate.result !== "missing" && gate.result !== "stale"))
