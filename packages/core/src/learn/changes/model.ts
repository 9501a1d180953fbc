/** What an analysis of many runs is given and what it comes to. */
import type * as Duration from "effect/Duration"
import type { AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import type { RecommendedAction } from "./RecommendedAction.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import type { ActiveTask } from "../rules/TaskControl.ts"

/**
 * `prompt` takes the place of the usual one: the record stands where it says `{findings}`, `{failed_sessions}` and
 * `{active_tasks}`, behind it where it says none of them, and is marked as no instruction in any case. `perDay` is how
 * many analyses a day (UTC) has at most, 24 unless said otherwise, within `ModelBudget`; `timeout` is for one of them,
 * 60 seconds unless said otherwise; `model` is the name of the model for a provider that does not say it.
 *
 * @category models
 */
export interface Options {
  readonly prompt?: string
  readonly perDay?: number
  readonly timeout?: Duration.DurationInput
  readonly model?: string
}

/**
 * What is analysed: what the rules found, the sessions that failed, and the tasks that are still run. `madeToday`: how many
 * analyses the day (UTC) has had, by whoever remembers that across restarts.
 *
 * @category models
 */
export interface Input {
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly failed: ReadonlyArray<AttemptOutcome>
  readonly activeTasks: ReadonlyArray<ActiveTask>
  readonly madeToday?: number
}

/**
 * `observations` is prose for a person, at most 4,000 characters; there are at most 10 actions, the most urgent first.
 *
 * @category models
 */
export interface Analysis {
  readonly observations: string
  readonly actions: ReadonlyArray<RecommendedAction>
  readonly model: string | null
}
