/**
 * How well the agent worked on a session's last task, from 0 to 5. Pure: by evidence, and by a model's verdict if there is
 * one.
 *
 * Judged are four aspects: whether the task is done, whether the right files were edited, the steps taken, and honesty.
 *
 * | score | anchor                                                                             |
 * | ----- | ---------------------------------------------------------------------------------- |
 * | 5     | done and proved, with few detours, and honestly reported                           |
 * | 4     | done with a small gap: not fully proved, or by detours                             |
 * | 3     | partly done, or the right question asked                                           |
 * | 2     | incomplete, with something useful                                                  |
 * | 1     | little of use, or a false claim, however much else was done                        |
 * | 0     | nothing done, or a false claim over a failing check, and the work was pushed       |
 *
 * Every fact says how high the score can be at most, and the lowest of them is the score. What the evidence cannot tell
 * is said, and lowers nothing. A model's verdict lowers by what it shows of the record, and raises nothing.
 */
import { gather, type JudgmentState } from "../../session/facts/Facts.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { oneLine } from "../../base/text/Text.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as NeutralTranscript from "../../session/transcript/NeutralTranscript.ts"
import type { Transcript } from "../../session/transcript/Transcript.ts"
import * as Judgment from "../verdict/Judgment.ts"
import type { Verdict } from "../verdict/Verdict.ts"
import type { Finding, Points, Score } from "./model.ts"
import { others, type Scored, taskOf } from "./rows.ts"

export { type Finding, Points, Score } from "./model.ts"

/**
 * What a score is given for. `verdict` stands in for the one by evidence where checks or a model have settled more.
 *
 * @category models
 */
export interface ScoreOptions extends Judgment.VerdictOptions {
  readonly verdict?: Verdict
}

const clean = (finding: Finding): Finding => ({
  ...finding,
  text: oneLine(redact(PlainText.clean(finding.text.slice(0, 2000))), 400)
})

/** How well it was done does not hang on who looked on. */
const asIfAttended = (given: ScoreOptions): ScoreOptions => ({
  ...given,
  context: { ...given.context, config: { ...given.context.config, attended: true as const } }
})

/** Whether the record bears out what a model finds missing: without that its verdict lowers nothing. */
const isShown = ({ status, stop }: Verdict): boolean =>
  status === "stuck" || (status === "incomplete" && stop.pattern !== null)

const byModel = (scored: Scored): ReadonlyArray<Finding> =>
  taskOf(scored).map(({ aspect, most, text }) => ({
    aspect,
    most: isShown(scored.verdict) ? most : null,
    text: `by a model: ${text}`
  }))

/**
 * The facts that the score rests on, the gravest first and what cannot be told last; none where there is no task.
 *
 * @category scoring
 */
export const findings = (state: JudgmentState, given: ScoreOptions): ReadonlyArray<Finding> => {
  if (state.task.turn < 0) return []
  const options = asIfAttended(given)
  const known = gather(state, options)
  const { verdict } = options
  const isModel = verdict?.source === "model"
  const own = verdict === undefined || isModel ? Judgment.verdict(state, options) : verdict
  const scored = { known, options, verdict: own }
  const found = [...taskOf(scored), ...(isModel ? byModel({ ...scored, verdict }) : []), ...others(scored)]
  return found.map(clean).toSorted((one, other) => (one.most ?? 6) - (other.most ?? 6))
}

/**
 * The score that facts come to: the lowest that one of them leaves possible.
 *
 * @category scoring
 */
export const pointsOf = (found: ReadonlyArray<Finding>): Points =>
  found.reduce<Points>((least, { most }) => (most !== null && most < least ? most : least), 5)

/**
 * Scores the session's last task as it stands; null where it has none, since no message of a user was found.
 *
 * @category scoring
 */
export const read = (state: JudgmentState, options: ScoreOptions): Score | null => {
  if (state.task.turn < 0) return null
  const found = findings(state, options)
  return {
    version: 1,
    host: options.session.host,
    sessionId: options.session.sessionId,
    score: pointsOf(found),
    reasons: found.map(({ aspect, text }) => `${aspect}: ${text}`),
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
  const state = events.reduce((all, event) => Judgment.step(all, event, context), Judgment.initial)
  return read(state, {
    session: transcript,
    context,
    now: options.now ?? state.stop.lastAt,
    ...(options.task !== undefined && { task: options.task })
  })
}
