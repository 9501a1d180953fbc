/** What a model holds of a turn, whichever of the two questions it was asked. */
import type { FinalClaim, JudgeAnswer, RemainingWork, SelfAssessment } from "./model.ts"

/**
 * From this probability on that a push is right the agent is pushed. Set after a blind round of 300 stops of 66 projects, in
 * which a large model found 36 of 62 premature ones from 0.65 on and 41 from here on, with 1 and 2 of 223 right ones.
 */
export const pushFrom = 0.6

/** `sure`: enough so to call the task complete; `push`: the probability that a push is right. */
export interface Opinion {
  readonly said: SelfAssessment["status"]
  readonly confidence: number
  readonly push: number
  readonly sure: boolean
  readonly blocker: boolean
  readonly work: ReadonlyArray<RemainingWork>
  readonly claims: ReadonlyArray<FinalClaim>
  readonly next: ReadonlyArray<string>
  readonly human: ReadonlyArray<string>
  /** Null where no claims were made, as by the judge. */
  readonly assessment: SelfAssessment | null
}

const needed = 0.8

export const ofAssessment = (assessment: SelfAssessment): Opinion => ({
  said: assessment.stuck && assessment.status === "in_progress" ? "stuck" : assessment.status,
  confidence: assessment.confidence,
  push: assessment.push,
  sure: assessment.confidence >= needed,
  blocker: false,
  work: assessment.remaining_work,
  claims: assessment.claims,
  next: assessment.next_steps,
  human: assessment.needs_user_action,
  assessment
})

const asked = 0.7

/** The judge says how grave it is and not how sure it is: its yes counts where it finds nothing at all. */
export const ofJudge = (answer: JudgeAnswer): Opinion => ({
  said: answer.complete ? "complete" : answer.requires_human_action ? "blocked" : "in_progress",
  confidence: asked,
  push: answer.push,
  sure: answer.severity === "NONE" && !answer.requires_human_action,
  blocker: answer.severity === "BLOCKER",
  work: answer.missing,
  claims: [],
  next: answer.next_actions,
  human: answer.requires_human_action ? [...answer.next_actions, answer.feedback] : [],
  assessment: null
})
