/** What the process answers to the shell. */
import type { Assessment } from "@reflexion/core/StuckAssessment"
import type { Verdict } from "@reflexion/core/Verdict"

/** 0: complete, nothing to do. 1: not complete, stuck, looping. 2: could not tell. 3: abstained. */
export type ExitCode = 0 | 1 | 2 | 3

export const ofVerdict = (verdict: Verdict): ExitCode => {
  if (verdict.complete) return 0
  return verdict.status === "abstained" ? 3 : 1
}

/** Of a session that is stuck or in a loop 1. One that the evidence does not decide is left alone like one at work. */
export const ofAssessment = ({ loops, stuck }: Pick<Assessment, "loops" | "stuck">): ExitCode =>
  stuck || loops.length > 0 ? 1 : 0

const gravest: ReadonlyArray<ExitCode> = [2, 1, 3, 0]

/** Of several sessions: 2 over 1 over 3 over 0. */
export const combine = (codes: ReadonlyArray<ExitCode>): ExitCode => gravest.find((code) => codes.includes(code)) ?? 0
