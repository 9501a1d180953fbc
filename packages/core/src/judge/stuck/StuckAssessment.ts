/**
 * Whether a session is stuck, waits for its user, works, or is done, by evidence alone: the judge's verdict joined with
 * what a verdict cannot see, which is silence, running tools and loops. Pure, without a model.
 */
import { look } from "./StuckLook.ts"
import * as Pulse from "./LastSigns.ts"
import * as Judgment from "../verdict/Judgment.ts"
import * as Loops from "../loops/Loops.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import type { Transcript, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { AssessOptions, Assessment, StuckState } from "./model.ts"

export type { AssessOptions } from "./model.ts"

export { Reason, Assessment, type StuckState } from "./model.ts"

/**
 * An assessment, and whether evidence was enough for it. One that is not decided says `working`, or `complete` where only the
 * agent says so, and nudges nobody.
 *
 * @category models
 */
export interface DecidedAssessment {
  readonly assessment: Assessment
  readonly decided: boolean
}

export const initial: StuckState = {
  judgment: Judgment.initial,
  loops: Loops.initial,
  pulse: Pulse.initial
}

/**
 * Folds one event into the state.
 *
 * @category folds
 */
export const step = (state: StuckState, event: TranscriptEvent, context: Judgment.JudgmentContext): StuckState => ({
  judgment: Judgment.step(state.judgment, event, context),
  loops: Loops.step(state.loops, event),
  pulse: Pulse.step(state.pulse, event)
})

/**
 * Assesses the session as it stands.
 *
 * @category assessing
 */
export const assess = (state: StuckState, options: AssessOptions): DecidedAssessment => {
  const { assessment, found } = look(state, options)
  return { assessment, decided: found.decided }
}

/**
 * The state at a transcript's end.
 *
 * @category folds
 */
export const replay = (transcript: Transcript, context: Judgment.JudgmentContext): StuckState =>
  NeutralTranscript.events(transcript).reduce((state, event) => step(state, event, context), initial)

/**
 * Assesses a transcript in memory.
 *
 * @category assessing
 */
export const assessTranscript = (
  transcript: Transcript,
  options: Omit<AssessOptions, "session" | "context"> & { readonly context?: Partial<Judgment.JudgmentContext> }
): DecidedAssessment => {
  const context = { ...Judgment.defaultContext, cwd: transcript.cwd, ...options.context }
  return assess(replay(transcript, context), { ...options, session: transcript, context })
}
