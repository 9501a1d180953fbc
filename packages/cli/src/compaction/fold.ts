/** A session folded event by event into what it goes on with after a compaction. */
import * as Compaction from "@reflexion/core/Compaction"
import type { JudgmentContext } from "@reflexion/core/Judgment"
import * as PromptedFold from "../session/PromptedFold.ts"
import type { Fold } from "../session/SessionReading.ts"

/**
 * `lastAt` is the time of the session's last event, null where its record has none.
 *
 * @category models
 */
export interface Assessed {
  readonly assessment: Compaction.CompactionAssessment
  readonly lastAt: string | null
}

export interface Options {
  readonly context: JudgmentContext
  /** What was asked, in place of the session's own prompt. */
  readonly task: string | null
}

const fold = ({ context, task }: Options): Fold<Assessed> => {
  let state = Compaction.initial
  return {
    push: (events) => {
      for (const event of events) state = Compaction.step(state, event, context)
    },
    end: (session) => {
      const { lastAt } = state.judgment.stop
      const options = { session, context, now: lastAt, ...(task !== null && { task }) }
      return { assessment: Compaction.read(state, options), lastAt }
    }
  }
}

export const make = (options: Options): Fold<Assessed> => PromptedFold.make(options.task, () => fold(options))
