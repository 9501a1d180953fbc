/** Decides each of the user's conditions for "done" after all stages. Pure. */
import type { AcceptanceItem, AcceptanceResult } from "../../session/donewhen/model.ts"
import * as DoneWhen from "../../session/donewhen/Conditions.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { bare } from "../../model/assessment/TurnRecord.ts"
import { oneLine } from "../../base/text/Text.ts"
import * as CheckResult from "../../checks/CheckResult.ts"
import type { ReviewResult } from "./model.ts"

/** If the check could not run, `evidence` says why. */
const byCheck = (one: AcceptanceResult, { checks = [] }: ReviewResult): AcceptanceResult => {
  const check = checks.find(({ gate }) => gate === DoneWhen.gateOf(one))
  if (check === undefined) return one
  const { result } = check
  const evidence = [`run by reflexion: ${CheckResult.describe(check)}`]
  return { ...one, evidence, result: result === "passed" || result === "failed" ? result : "not_run" }
}

const byModel = (one: AcceptanceResult, judged: ReviewResult): AcceptanceResult => {
  if (judged.asked?.answer == null) return one
  const left = judged.asked.answer.remaining_work.find(({ event }) => bare(event) === one.id)
  const who = judged.asked.model ?? "a model"
  if (left !== undefined) return { ...one, result: "open", evidence: [oneLine(redact(`${who}: ${left.what}`), 300)] }
  if (one.result === "open" || !judged.verdict.complete) return one
  return { ...one, result: "met", evidence: [`${who} read the record, and named nothing as missing`] }
}

export const told = (judged: ReviewResult, items: ReadonlyArray<AcceptanceItem>): ReviewResult => {
  const { acceptance } = judged.verdict
  if (acceptance === undefined || items.length === 0) return judged
  const isRun = (id: string): boolean => items.some((item) => item.id === id && item.command !== null)
  const all = acceptance.map((one) => (isRun(one.id) ? byCheck(one, judged) : byModel(one, judged)))
  return { ...judged, verdict: { ...judged.verdict, acceptance: all } }
}
