/** A session folded event by event into the score of its last task. */
import * as Judgment from "@reflexion/core/Judgment"
import * as Score from "@reflexion/core/Score"
import type { Verdict } from "@reflexion/core/Verdict"
import * as HeldEvents from "../session/HeldEvents.ts"
import * as Effect from "effect/Effect"
import * as PromptedFold from "../session/PromptedFold.ts"
import type { Consult } from "../judge/SessionFold.ts"
import type { Fold } from "../session/SessionReading.ts"

/**
 * `findings` are what the reasons are made of, `lastAt` the time of the session's last event, null where its record has
 * none.
 *
 * @category models
 */
export interface Scored {
  readonly score: Score.Score
  readonly findings: ReadonlyArray<Score.Finding>
  readonly task: string
  readonly lastAt: string | null
}

export interface Options {
  readonly context: Judgment.JudgmentContext
  /** What was asked, in place of the session's own prompt. */
  readonly task: string | null
  /** Has the last word on the verdict; null leaves it to evidence. */
  readonly consult: Consult | null
}

/**
 * What comes of a session: its score, which may have to be waited for.
 *
 * @category models
 */
export type Scoring = Effect.Effect<Scored>

interface Scorable {
  readonly state: Judgment.JudgmentState
  readonly options: Judgment.VerdictOptions
}

const scored = ({ options, state }: Scorable, verdict?: Verdict): Scored | null => {
  const given = { ...options, ...(verdict !== undefined && { verdict }) }
  const score = Score.read(state, given)
  if (score === null) return null
  const { task } = Judgment.verdict(state, options)
  const { lastAt } = state.stop
  return { score, findings: Score.findings(state, given), task: task.summary, lastAt }
}

const asked = (
  scorable: Scorable,
  {
    byEvidence,
    consult,
    events
  }: { readonly byEvidence: Scored; readonly consult: Consult; readonly events: HeldEvents.Held | null }
): Scoring => {
  const { options, state } = scorable
  const judged = Judgment.review(state, options)
  const consulted = consult({ state, options, judged, events, last: true })
  return Effect.map(consulted, (verdict) => scored(scorable, verdict) ?? byEvidence)
}

const fold = ({ consult, context, task }: Options): Fold<Scoring | null> => {
  let state = Judgment.initial
  const record = consult === null ? null : HeldEvents.make()
  return {
    push: (events) => {
      for (const event of events) {
        state = Judgment.step(state, event, context)
        record?.push(event)
      }
    },
    end: (session) => {
      const options = { session, context, now: state.stop.lastAt, ...(task !== null && { task }) }
      const byEvidence = scored({ state, options })
      if (byEvidence === null) return null
      return consult === null || record === null
        ? Effect.succeed(byEvidence)
        : asked({ state, options }, { byEvidence, consult, events: record.held() })
    }
  }
}

/**
 * The fold; it ends in null where the session has no task.
 *
 * @category constructors
 */
export const make = (options: Options): Fold<Scoring | null> => PromptedFold.make(options.task, () => fold(options))
