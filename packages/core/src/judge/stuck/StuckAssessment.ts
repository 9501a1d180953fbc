/** Says whether a session is stuck, waiting, working or done. It uses verdict, silence, running tools and loops. */
import { look } from "./StuckLook.ts"
import * as Pulse from "./LastSigns.ts"
import * as Judgment from "../verdict/Judgment.ts"
import * as Loops from "../loops/Loops.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import type { Transcript, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { AssessOptions, Assessment, StuckState } from "./model.ts"

export type { AssessOptions } from "./model.ts"

export { Reason, Assessment, type StuckState } from "./model.ts"

/** @category models */
export interface DecidedAssessment {
  readonly assessment: Assessment
  /** False if a model may decide better, for example if only the agent says that the work is done. */
  readonly decided: boolean
}

export const initial: StuckState = {
  judgment: Judgment.initial,
  loops: Loops.initial,
  pulse: Pulse.initial
}

/** @category folds */
export const step = (state: StuckState, event: TranscriptEvent, context: Judgment.JudgmentContext): StuckState => ({
  judgment: Judgment.step(state.judgment, event, context),
  loops: Loops.step(state.loops, event),
  pulse: Pulse.step(state.pulse, event)
})

/** @category assessing */
export const assess = (state: StuckState, options: AssessOptions): DecidedAssessment => {
  const { assessment, found } = look(state, options)
  return { assessment, decided: found.decided }
}

/** @category folds */
export const replay = (transcript: Transcript, context: Judgment.JudgmentContext): StuckState =>
  NeutralTranscript.events(transcript).reduce((state, event) => step(state, event, context), initial)

/** @category assessing */
export const assessTranscript = (
  transcript: Transcript,
  options: Omit<AssessOptions, "session" | "context"> & { readonly context?: Partial<Judgment.JudgmentContext> }
): DecidedAssessment => {
  const context = { ...Judgment.defaultContext, cwd: transcript.cwd, ...options.context }
  return assess(replay(transcript, context), { ...options, session: transcript, context })
}
