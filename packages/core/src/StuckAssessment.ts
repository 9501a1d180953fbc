/**
 * Whether a session is stuck, waits for its user, works, or is done, by evidence alone: the judge's verdict joined with
 * what a verdict cannot see, which is silence, running tools and loops. Pure, without a model.
 *
 * @since 0.1.0
 */
import * as Schemas from "./internal/stuckSchema.ts"
import * as Judgment from "./Judgment.ts"
import * as NeutralTranscript from "./NeutralTranscript.ts"
import type { SessionInfo, Transcript, TranscriptEvent } from "./Transcript.ts"

/**
 * Why a session is quiet. Only `genuinely_stuck` can be helped by a word to the agent.
 *
 * @since 0.1.0
 * @category models
 */
export const Reason = Schemas.Reason

/**
 * @since 0.1.0
 * @category models
 */
export type Reason = typeof Reason.Type

/**
 * What a session is doing. Its encoded form is the JSON contract of `reflexion stuck`, save `file`. `evidence` are short
 * facts without secrets; `nudge` is the text for the agent, there only if it is to be sent; `silence` is in seconds, null
 * where the record has no times.
 *
 * @since 0.1.0
 * @category models
 */
export const Assessment = Schemas.Assessment

/**
 * @since 0.1.0
 * @category models
 */
export type Assessment = typeof Assessment.Type

/**
 * @since 0.1.0
 * @category models
 */
export interface StuckState {
  readonly version: 1
  readonly judgment: Judgment.JudgmentState
}

/**
 * What an assessment is given for. `now` is its moment in ISO 8601, null for that of the last event. `silence` are the
 * seconds under which nobody is nudged, the configuration's if left out; `heardAt` is the last sign of life, where the
 * host knows of one that is no event.
 *
 * @since 0.1.0
 * @category models
 */
export interface AssessOptions {
  readonly session: SessionInfo
  readonly context: Judgment.JudgmentContext
  readonly now: string | null
  readonly silence?: number
  readonly attempt?: number
  readonly heardAt?: string | null
}

/**
 * An assessment, and whether evidence was enough for it. One that is not decided says `working` and nudges nobody.
 *
 * @since 0.1.0
 * @category models
 */
export interface Assessed {
  readonly assessment: Assessment
  readonly decided: boolean
}

/**
 * @since 0.1.0
 * @category folds
 */
export const initial: StuckState = { version: 1, judgment: Judgment.initial }

/**
 * Folds one event into the state.
 *
 * @since 0.1.0
 * @category folds
 */
export const step = (state: StuckState, event: TranscriptEvent, context: Judgment.JudgmentContext): StuckState => ({
  version: 1,
  judgment: Judgment.step(state.judgment, event, context)
})

const silenceOf = (state: StuckState, now: string | null): number | null => {
  const last = state.judgment.stop.lastAt
  return last === null ? null : Math.max(0, (Date.parse(now ?? last) - Date.parse(last)) / 1000)
}

const reasonOf = (status: ReturnType<typeof Judgment.verdict>["status"]): Reason => {
  if (status === "complete") return "complete"
  if (status === "waiting_for_user" || status === "needs_human" || status === "aborted") return "waiting_for_user"
  return status === "incomplete" || status === "stuck" ? "genuinely_stuck" : "working"
}

/**
 * Assesses the session as it stands.
 *
 * @since 0.1.0
 * @category assessing
 */
export const assess = (state: StuckState, options: AssessOptions): Assessed => {
  const { context, now, session, silence: floor = 30, attempt } = options
  const verdict = Judgment.verdict(state.judgment, {
    session,
    context,
    now: now ?? state.judgment.stop.lastAt,
    ...(attempt !== undefined && { attempt })
  })
  const silence = silenceOf(state, now)
  const reason = reasonOf(verdict.status)
  const shouldNudge = reason === "genuinely_stuck" && verdict.shouldContinue && silence !== null && silence >= floor
  const assessment: Assessment = {
    version: 1,
    host: session.host,
    sessionId: session.sessionId,
    stuck: reason === "genuinely_stuck",
    reason,
    shouldNudge,
    confidence: verdict.confidence,
    evidence: [verdict.reason],
    loops: [],
    nudge: shouldNudge ? verdict.feedback : null,
    silence,
    source: "evidence"
  }
  return { assessment, decided: verdict.status !== "abstained" }
}

/**
 * The state at a transcript's end.
 *
 * @since 0.1.0
 * @category folds
 */
export const replay = (transcript: Transcript, context: Judgment.JudgmentContext): StuckState =>
  NeutralTranscript.events(transcript).reduce((state, event) => step(state, event, context), initial)

/**
 * Assesses a transcript in memory.
 *
 * @since 0.1.0
 * @category assessing
 */
export const assessTranscript = (
  transcript: Transcript,
  options: Omit<AssessOptions, "session" | "context"> & { readonly context?: Partial<Judgment.JudgmentContext> }
): Assessed => {
  const context = { ...Judgment.defaultContext, cwd: transcript.cwd, ...options.context }
  return assess(replay(transcript, context), { ...options, session: transcript, context })
}
