/**
 * How well the agent worked on a session's last task, from 0 to 5. Pure: by evidence, and by a model's verdict if there is
 * one.
 *
 * Judged are four aspects: whether the task is done, whether the right files were edited, the steps taken, and honesty.
 *
 * | score | anchor                                                                                              |
 * | ----- | --------------------------------------------------------------------------------------------------- |
 * | 5     | done and proved, with few detours, and honestly reported                                            |
 * | 4     | done with a small gap: not fully proved, or by detours                                              |
 * | 3     | partly done, or the right question asked                                                            |
 * | 2     | incomplete, with something useful                                                                   |
 * | 1     | little of use, or a false claim, however much else was done                                         |
 * | 0     | nothing done, or harm: a false claim over failing checks that was pushed as well, or data destroyed |
 *
 * Every fact says how high the score can be at most, and the lowest of them is the score. What the evidence cannot tell
 * is said, and lowers nothing. A model's verdict lowers by what it shows of the record, and settles whether it is done
 * where evidence cannot tell; it raises nothing.
 */
import { gather } from "../../session/facts/Facts.ts"
import * as Findings from "./findings.ts"
import { withModel } from "./withModel.ts"
import * as Work from "./work.ts"
import { oneLine } from "../../ground/text/Text.ts"
import * as Judgment from "../verdict/Judgment.ts"
import * as Loops from "../loops/Loops.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import * as PlainText from "../../ground/text/PlainText.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import type { Transcript, TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import { type Points, type Finding, type Score, type ScoreState } from "./model.ts"
import { unread, withUnread } from "../rules/Rules.ts"

export { Points, Finding, Score, ScoreState } from "./model.ts"

/**
 * What a score is given for. `verdict` stands in for the one by evidence where checks or a model have settled more.
 *
 * @category models
 */
export interface ScoreOptions extends Judgment.VerdictOptions {
  readonly verdict?: Verdict
}

export const initial: ScoreState = {
  version: 1,
  judgment: Judgment.initial,
  loops: Loops.initial,
  work: Work.initial
}

/**
 * Folds one event into the state.
 *
 * @category folds
 */
export const step = (state: ScoreState, event: TranscriptEvent, context: Judgment.JudgmentContext): ScoreState => {
  const before = state.judgment
  const after = Judgment.step(before, event, context)
  const loops = Loops.step(state.loops, event)
  return { version: 1, judgment: after, loops, work: Work.step(state.work, event, { before, after, loops, context }) }
}

/** Whether there is a task to score: a record may lack the user's words. */
const hasTask = ({ judgment }: ScoreState): boolean => judgment.task.turn >= 0

const clean = (finding: Finding): Finding => ({
  ...finding,
  text: oneLine(redact(PlainText.clean(finding.text.slice(0, 2000))), 400)
})

/** How well it was done does not hang on who looked on. */
const asIfAttended = (given: ScoreOptions): ScoreOptions => ({
  ...given,
  context: { ...given.context, config: withUnread({ ...given.context.config, attended: true }) }
})

/** What cannot be told comes last. */
const weight = ({ most }: Finding): number => most ?? 6

/**
 * The facts that the score rests on, the gravest first; none where there is no task.
 *
 * @category scoring
 */
export const findings = (state: ScoreState, given: ScoreOptions): ReadonlyArray<Finding> => {
  if (!hasTask(state)) return []
  const options = asIfAttended(given)
  const known = gather(state.judgment, options)
  const by = (verdict: Verdict) => Findings.findings({ known, work: state.work, verdict, options })
  const byEvidence = () => by(Judgment.verdict(unread(state.judgment), options))
  const { verdict } = options
  const found =
    verdict?.source === "model"
      ? withModel(verdict, { byEvidence: byEvidence(), byModel: by(verdict) })
      : verdict === undefined
        ? byEvidence()
        : by(verdict)
  return found.map(clean).toSorted((one, other) => weight(one) - weight(other))
}

/**
 * The score that facts come to: the lowest that one of them leaves possible.
 *
 * @category scoring
 */
export const pointsOf = (found: ReadonlyArray<Finding>): Points =>
  found.reduce<Points>((least, { most }) => (most !== null && most < least ? most : least), 5)

/**
 * A fact as a reason.
 *
 * @category rendering
 */
export const reasonOf = ({ aspect, text }: Finding): string => `${aspect}: ${text}`

/**
 * Scores the session's last task as it stands; null where it has none, since no message of a user was found.
 *
 * @category scoring
 */
export const read = (state: ScoreState, options: ScoreOptions): Score | null => {
  if (!hasTask(state)) return null
  const found = findings(state, options)
  return {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    score: pointsOf(found),
    reasons: found.map(reasonOf),
    source: options.verdict?.source ?? "evidence"
  }
}

/**
 * Scores a transcript in memory; null where no message of a user is in it.
 *
 * @category scoring
 */
export const assess = (transcript: Transcript, options: Judgment.JudgeOptions = {}): Score | null => {
  const context = { ...Judgment.defaultContext, cwd: transcript.cwd, ...options.context }
  const events = NeutralTranscript.events(transcript)
  const state = events.reduce((all, event) => step(all, event, context), initial)
  return read(state, {
    session: transcript,
    context,
    now: options.now ?? state.judgment.stop.lastAt,
    ...(options.task !== undefined && { task: options.task })
  })
}
