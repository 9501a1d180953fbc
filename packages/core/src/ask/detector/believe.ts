/**
 * How far it is believed what a model says of a session that evidence cannot decide: by the law of the stops. The threshold is
 * ours, what a fact contradicts voids the answer, and no word of the model's goes anywhere.
 */
import * as StopSignal from "../../session/stop/StopSignal.ts"
import type { Assessment } from "../../judge/stuck/StuckAssessment.ts"
import { type Finding, says } from "../../judge/stuck/StuckFinding.ts"
import { conclude, type Look } from "../../judge/stuck/StuckLook.ts"
import { speaksOfFailure } from "../../judge/stuck/StuckText.ts"
import { pushThreshold } from "../assessment/SelfAssessment.ts"
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
  if (reading().question !== null || reading().dependsOn !== null || !stop.spokeLast) return true
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

/** That a reminder is right needs our threshold; of what sends nobody on it is enough that the model is rather sure. */
const isSure = ({ confidence, push, reason }: Answer): boolean =>
  reason === "genuinely_stuck" ? push >= pushThreshold && push <= 1 : confidence >= least && push < pushThreshold

const bounded = (share: number): number => (share > 0 ? Math.min(most, share) : 0)

const words: Readonly<Record<Answer["reason"] | Answer["problem"], string>> = {
  cut_off: "stopped by mistake: its message was cut off",
  announced_step: "stopped by mistake: it announced a step and took none",
  unhandled_failure: "stopped by mistake: a call failed, and it did nothing about it",
  only_planned: "stopped by mistake: it only planned what it was told to do",
  none: "stopped by mistake",
  genuinely_stuck: "stopped by mistake",
  waiting_for_user: "waits for its user",
  working: "is still at work",
  complete: "did what it was told"
}

const findingOf = ({ confidence, problem, push, reason }: Answer): Finding => ({
  reason,
  confidence: bounded(reason === "genuinely_stuck" ? push : confidence),
  facts: [`a model says that the agent ${words[reason === "genuinely_stuck" ? problem : reason]}`],
  decided: true,
  say: reason === "genuinely_stuck" && problem !== "none" ? says[problem] : null
})

/** The assessment with the model's answer in it; what is not believed leaves it as evidence has it. */
export const believe = (look: Look, answer: Answer | null): Assessment => {
  if (answer === null || !isSure(answer) || contradicts(look, answer)) return look.assessment
  const found = findingOf(answer)
  const facts = [...look.found.facts, ...found.facts]
  return conclude(look.nudging, { ...found, facts }, { refused: look.refused, source: "model" })
}
