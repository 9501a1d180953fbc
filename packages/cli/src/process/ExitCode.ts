/** The exit status of the process. */
import type { Assessment } from "@reflexion/core/StuckAssessment"
import type { Verdict } from "@reflexion/core/Verdict"

/** 0: complete, or nothing to do. 1: not complete, stuck or looping. 2: could not be judged. 3: abstained. */
export type ExitCode = 0 | 1 | 2 | 3

export const ofVerdict = (verdict: Verdict): ExitCode => {
  if (verdict.complete) return 0
  return verdict.status === "abstained" ? 3 : 1
}

/** If evidence cannot decide, the session counts as working. */
export const ofAssessment = ({ loops, stuck }: Pick<Assessment, "loops" | "stuck">): ExitCode =>
  stuck || loops.length > 0 ? 1 : 0

const gravest: ReadonlyArray<ExitCode> = [2, 1, 3, 0]

export const combine = (codes: ReadonlyArray<ExitCode>): ExitCode => gravest.find((code) => codes.includes(code)) ?? 0
