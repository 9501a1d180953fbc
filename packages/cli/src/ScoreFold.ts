/**
 * A session folded event by event into the score of its last task.
 *
 * @since 0.1.0
 */
import * as Judgment from "@reflexion/core/Judgment"
import * as Score from "@reflexion/core/Score"
import * as PromptedFold from "./PromptedFold.ts"
import type { Fold } from "./SessionReading.ts"

/**
 * `findings` are what the reasons are made of, `lastAt` the time of the session's last event, null where its record has
 * none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Scored {
  readonly score: Score.Score
  readonly findings: ReadonlyArray<Score.Finding>
  readonly task: string
  readonly lastAt: string | null
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly context: Judgment.JudgmentContext
  /** What was asked, in place of the session's own prompt. */
  readonly task: string | null
}

const fold = ({ context, task }: Options): Fold<Scored | null> => {
  let state = Score.initial
  return {
    push: (events) => {
      for (const event of events) state = Score.step(state, event, context)
    },
    end: (session) => {
      const { lastAt } = state.judgment.stop
      const options = { session, context, now: lastAt, ...(task !== null && { task }) }
      const score = Score.read(state, options)
      if (score === null) return null
      const { task: asked } = Judgment.verdict(state.judgment, options)
      return { score, findings: Score.findings(state, options), task: asked.summary, lastAt }
    }
  }
}

/**
 * The fold; it ends in null where the session has no task.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Fold<Scored | null> => PromptedFold.make(options.task, () => fold(options))
