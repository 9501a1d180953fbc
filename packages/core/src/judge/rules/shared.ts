/** What several rules ask of a turn. */
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding } from "./model.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"

/** Whether a check has passed since the last edit, and none fails. */
export const isProved = ({ gates }: Facts): boolean =>
  gates.some((gate) => gate.result === "passed") && !gates.some((gate) => gate.result === "failed")

/** Nothing on record changes anything, or may have. */
export const unchanged = ({ evidence, task }: Pick<Facts, "evidence" | "task">): boolean =>
  task.mode !== "plan" &&
  evidence.actions === 0 &&
  evidence.edits.length === 0 &&
  evidence.delegated === 0 &&
  evidence.denied.length === 0 &&
  !evidence.opaque &&
  // What nobody here understands may have changed something elsewhere.
  !evidence.possible.some(({ turn }) => turn === evidence.turn)

export { lastTried, userTries } from "../../session/facts/Untried.ts"

/** The message itself is an order, rather than a word that goes on with one. */
export const isOrdered = ({ continued, intent }: Facts["task"]): boolean => intent === "act" && !continued

/** A change was ordered, not discussed, and nothing on record changes anything. */
export const untouched = (facts: Pick<Facts, "evidence" | "task">): boolean =>
  isOrdered(facts.task) &&
  unchanged(facts) &&
  (facts.task.about !== "ops" || facts.evidence.calls === 0)

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

/** What was asked for and left out, in the words of the rule that found it. */
export const leftOut = (
  quote: string,
  [fact, missing, action]: readonly [fact: string, missing: string, action: string]
): ReadonlyArray<Finding> => finding({ fact: `${fact}: "${quote}"`, missing: `${missing}: "${quote}"`, action })

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

/** Nothing was changed, and the last words neither ask nor wait for anything. */
export const endsUntouched = (facts: Facts): boolean =>
  untouched(facts) &&
  facts.reading.question === null &&
  (facts.reading.closing === "finished" || facts.reading.closing === "hands_over")
