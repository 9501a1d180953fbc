/** What a model holds of a turn, whichever of the two questions it was asked. */
import type { JudgeAnswer, RemainingWork, SelfAssessment } from "./model.ts"

/** `sure`: enough so to call the task complete. */
export interface Opinion {
  readonly said: SelfAssessment["status"]
  readonly confidence: number
  readonly sure: boolean
  readonly blocker: boolean
  readonly work: ReadonlyArray<RemainingWork>
  readonly next: ReadonlyArray<string>
  readonly human: ReadonlyArray<string>
  readonly alternate: string | null
  /** Null where no claims were made, as by the judge. */
  readonly assessment: SelfAssessment | null
}

const needed = 0.8

export const ofAssessment = (assessment: SelfAssessment): Opinion => ({
  said: assessment.stuck && assessment.status === "in_progress" ? "stuck" : assessment.status,
  confidence: assessment.confidence,
  sure: assessment.confidence >= needed,
  blocker: false,
  work: assessment.remaining_work,
  next: assessment.next_steps,
  human: assessment.needs_user_action,
  alternate: assessment.alternate_approach,
  assessment
})

const asked = 0.7

/** The judge says how grave it is and not how sure it is: its yes counts where it finds nothing at all. */
export const ofJudge = (answer: JudgeAnswer): Opinion => ({
  said: answer.complete ? "complete" : answer.requires_human_action ? "blocked" : "in_progress",
  confidence: asked,
  sure: answer.severity === "NONE" && !answer.requires_human_action,
  blocker: answer.severity === "BLOCKER",
  work: answer.missing,
  next: answer.next_actions,
  human: answer.requires_human_action ? [...answer.next_actions, answer.feedback] : [],
  alternate: null,
  assessment: null
})
