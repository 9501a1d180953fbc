/** How far it is believed what a model says of a session that evidence cannot decide. */
import { redact } from "../../ground/redaction/Redaction.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import type { Assessment } from "../../judge/stuck/StuckAssessment.ts"
import { type Finding, says } from "../../judge/stuck/StuckFinding.ts"
import { conclude, type Look } from "../../judge/stuck/StuckLook.ts"
import { speaksOfFailure } from "../../judge/stuck/StuckText.ts"
import { withoutUnnamed } from "../../ground/text/Addresses.ts"
import { oneLine } from "../../ground/text/Text.ts"
import type { Answer } from "./model.ts"

const least = 0.6
const most = 0.8

/** Whether what the model says is stuck or done goes against what is on record. */
const contradicts = ({ nudging }: Look, { problem, reason }: Answer): boolean => {
  const { judgment, pulse, reading, verdict } = nudging.known
  const { evidence, stop } = judgment
  if (reason === "complete")
    return verdict().findings.length > 0 || StopSignal.openTodos(stop).length > 0 || stop.completed === false
  if (reason !== "genuinely_stuck") return problem !== "none"
  if (reading().question !== null || reading().yields || !stop.spokeLast) return true
  switch (problem) {
    case "cut_off":
      return stop.completed === true && /[.!?。！？]["')\]`*]{0,3}\s{0,9}$/u.test(stop.text)
    case "unhandled_failure":
      return pulse.failed === null || speaksOfFailure(reading().prose)
    case "only_planned":
      return evidence.edits.length > 0 || evidence.actions > 0
    case "announced_step":
      return false
    case "none":
      return true
  }
}

/** What the user wrote, who alone may name a place to go to. */
const said = ({ known: { judgment } }: Look["nudging"]): ReadonlyArray<string> => [
  judgment.task.text,
  judgment.task.message
]

/** A model's words never reach the agent: it says what is the matter, and the words are ours. */
const findingOf = ({ nudging }: Look, answer: Answer): Finding => ({
  reason: answer.reason,
  confidence: Math.min(most, Math.max(0, answer.confidence)),
  facts: [oneLine(redact(withoutUnnamed(answer.why.slice(0, 2000), said(nudging))), 200)],
  decided: true,
  say: answer.reason === "genuinely_stuck" && answer.problem !== "none" ? says[answer.problem] : null
})

/** The assessment with the model's answer in it; what is not believed leaves it as evidence has it. */
export const believe = (look: Look, answer: Answer | null): Assessment => {
  if (answer === null || !(answer.confidence >= least) || contradicts(look, answer)) return look.assessment
  const found = findingOf(look, answer)
  const facts = [...look.found.facts, ...found.facts]
  return conclude(look.nudging, { ...found, facts }, { refused: look.refused, source: "model" })
}
