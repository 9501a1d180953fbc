/** What several rules ask of a turn. */
import { isOrder, wantsReportOnly } from "../../session/task/Intent.ts"
import type { Known, Problem } from "../verdict/model.ts"
import * as Evidence from "../../session/evidence/Evidence.ts"

/** Whether a check has passed since the last edit, and none fails. */
export const isProved = ({ gates }: Known): boolean =>
  gates.some((gate) => gate.result === "passed") && !gates.some((gate) => gate.result === "failed")

/** A change was ordered, not discussed, and nothing on record changes anything. */
export const untouched = (known: Known): boolean =>
  known.task.intent === "act" &&
  !known.task.continued &&
  known.task.mode !== "plan" &&
  known.evidence.actions === 0 &&
  known.evidence.edits.length === 0 &&
  known.evidence.delegated === 0 &&
  known.evidence.denied.length === 0 &&
  !known.evidence.opaque &&
  known.task.about !== "ops" &&
  isOrder(known.task.message) &&
  !wantsReportOnly(known.task.message)

/** What was asked for and left out, in the words of the rule that found it. */
export const leftOut = (
  quote: string,
  [fact, missing, action]: readonly [fact: string, missing: string, action: string]
): ReadonlyArray<Problem> => [
  {
    kind: "left_work",
    severity: "LOW",
    fact: `${fact}: "${quote}"`,
    missing: `${missing}: "${quote}"`,
    action,
    stands: true,
    level: "push"
  }
]

export const mustPass =
  /\b(?:make sure|ensure|until|must|ha(?:ve|s) to|needs? to)\b|\b(?:get|make)\b[^.?!]{0,60}\b(?:pass|green|clean|work|succeed|compile)\b/i

export const noEdits = (known: Known): boolean =>
  Evidence.lastEdit(known.evidence, ["source", "test", "config", "script", "unknown", "conflict"]) === 0

/** Told only to run things, the agent ran them and changed nothing: whatever they print is the answer. */
export const onlyReports = (known: Known): boolean =>
  noEdits(known) &&
  known.task.asks.length > 0 &&
  known.task.asks.every((ask) => ask.how === "run" && !mustPass.test(ask.quote)) &&
  wantsReportOnly(known.task.message) &&
  known.gates.every((gate) => gate.why !== "asked" || (gate.result !== "missing" && gate.result !== "stale"))
