/**
 * Whether a session is stuck, waits for its user, works, or is done, by evidence alone: the judge's verdict joined with
 * what a verdict cannot see, which is silence, running tools and loops. Pure, without a model.
 *
 * @since 0.1.0
 */
import { readProse } from "./internal/prose.ts"
import * as Nudge from "./internal/stuckNudge.ts"
import * as Pulse from "./internal/stuckPulse.ts"
import * as Rules from "./internal/stuckRules.ts"
import * as Schemas from "./internal/stuckSchema.ts"
import { taskTypeOf } from "./internal/taskType.ts"
import { oneLine } from "./internal/text.ts"
import * as Judgment from "./Judgment.ts"
import * as Loops from "./Loops.ts"
import * as NeutralTranscript from "./NeutralTranscript.ts"
import { redact } from "./Redaction.ts"
import * as StopSignal from "./StopSignal.ts"
import type { SessionInfo, Transcript, TranscriptEvent } from "./Transcript.ts"
import type { Verdict } from "./Verdict.ts"

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
 * The state of the fold: bounded, and plain JSON in its encoded form.
 *
 * @since 0.1.0
 * @category models
 */
export const StuckState = Schemas.StuckState

/**
 * @since 0.1.0
 * @category models
 */
export type StuckState = typeof StuckState.Type

/**
 * What an assessment is given for. `now` is its moment in ISO 8601, null for that of the last event. `silence` are the
 * seconds under which nobody is nudged, the configuration's if left out; `attempt` is the number that a nudge would have,
 * counted from 1; `heardAt` is the last sign of life, where the host knows of one that is no event.
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
export const initial: StuckState = {
  version: 1,
  judgment: Judgment.initial,
  loops: Loops.initial,
  pulse: Pulse.initial
}

/**
 * Folds one event into the state.
 *
 * @since 0.1.0
 * @category folds
 */
export const step = (state: StuckState, event: TranscriptEvent, context: Judgment.JudgmentContext): StuckState => ({
  version: 1,
  judgment: Judgment.step(state.judgment, event, context),
  loops: Loops.step(state.loops, event),
  pulse: Pulse.step(state.pulse, event)
})

const momentOf = (at: string | null | undefined): number | null => {
  const time = at === null || at === undefined ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? null : time
}

interface Times {
  readonly now: number | null
  readonly silence: number | null
}

const timesOf = (state: StuckState, { heardAt, now }: AssessOptions): Times => {
  const signs = [momentOf(state.judgment.stop.lastAt), momentOf(heardAt)].filter((at) => at !== null)
  if (signs.length === 0) return { now: momentOf(now), silence: null }
  const last = Math.max(...signs)
  const at = momentOf(now) ?? last
  return { now: at, silence: Math.max(0, at - last) / 1000 }
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

const answered: ReadonlySet<Verdict["status"]> = new Set(["complete", "waiting_for_user", "needs_human"])

/** Whether there is still code to write: who has answered, reviewed or asked did not only plan. */
const isToBuild = ({ evidence, stop, task }: Judgment.JudgmentState, verdict: () => Verdict): boolean =>
  taskTypeOf(task, evidence) === "coding" && !(stop.spokeLast && answered.has(verdict().status))

const know = (state: StuckState, options: AssessOptions, attempt: number): Rules.Known => {
  const { judgment } = state
  const { context, session } = options
  const verdict = once((): Verdict =>
    Judgment.verdict(judgment, { session, context, attempt, now: options.now ?? judgment.stop.lastAt })
  )
  return {
    ...timesOf(state, options),
    judgment,
    pulse: state.pulse,
    loops: Loops.read(state.loops, { coding: isToBuild(judgment, verdict) }),
    stall: Math.max(context.config.stuck.stall, context.config.stuck.silence),
    reading: StopSignal.read({ ...judgment.stop, text: redact(judgment.stop.text) }),
    prose: readProse(judgment.stop.spokeLast ? redact(judgment.stop.text) : ""),
    verdict
  }
}

const maxFacts = 8

const facts = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(texts.map((text) => oneLine(redact(text), 300)))].filter((text) => text !== "").slice(0, maxFacts)

/**
 * Assesses the session as it stands.
 *
 * @since 0.1.0
 * @category assessing
 */
export const assess = (state: StuckState, options: AssessOptions): Assessed => {
  const attempt = Math.max(options.attempt ?? 1, state.judgment.pushes.count + 1)
  const known = know(state, options, attempt)
  const found = Rules.find(known)
  const nudging = { known, options, attempt }
  const stuck = found.reason === "genuinely_stuck"
  const refused = stuck ? Nudge.refusal(nudging) : null
  const nudge = stuck && refused === null ? Nudge.textOf(nudging, found) : null
  const assessment: Assessment = {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    stuck,
    reason: found.reason,
    shouldNudge: nudge !== null,
    confidence: found.confidence,
    evidence: facts(refused === null ? found.facts : [...found.facts, `not nudged: ${refused}`]),
    loops: known.loops,
    nudge,
    silence: known.silence,
    source: "evidence"
  }
  return { assessment, decided: found.decided }
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
