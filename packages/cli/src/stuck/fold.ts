/** A session folded event by event into what it is doing at its end. */
import type { JudgmentContext } from "@reflexion/core/Judgment"
import * as StuckAssessment from "@reflexion/core/StuckAssessment"
import * as PromptedFold from "../session/PromptedFold.ts"
import type { Fold } from "../session/SessionReading.ts"

/**
 * `lastAt` is the time of the session's last event, null where its record has none.
 *
 * @category models
 */
export interface Assessed extends StuckAssessment.Assessed {
  readonly lastAt: string | null
}

export interface Options {
  readonly context: JudgmentContext
  /** What was asked, where the record has no prompt. */
  readonly task: string | null
  /** The time to assess at, in ISO 8601, asked for when all is read. */
  readonly now: () => string
}

const fold = ({ context, now }: Options): Fold<Assessed> => {
  let state = StuckAssessment.initial
  return {
    push: (events) => {
      for (const event of events) state = StuckAssessment.step(state, event, context)
    },
    end: (session) => ({
      ...StuckAssessment.assess(state, { session, context, now: now() }),
      lastAt: state.judgment.stop.lastAt
    })
  }
}

export const make = (options: Options): Fold<Assessed> => PromptedFold.make(options.task, () => fold(options))
