/**
 * What many runs show that one does not, found by rules alone: a fold over outcomes whose state is bounded, whatever the
 * fleet and however long it runs.
 */
import { isFailure, type AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import * as Effectiveness from "../store/Effectiveness.ts"
import { finding, idOf } from "./RuleFinding.ts"
import * as Skills from "./skillRules.ts"
import * as Snapshots from "./snapshot.ts"
import * as States from "./RulesState.ts"
import * as Tasks from "./taskRules.ts"
import type { Snapshot } from "./snapshot.ts"
import type { Found, Options, ReflectionFinding } from "./model.ts"

export type { Found, Options } from "./model.ts"

export { Snapshot } from "./snapshot.ts"

export const defaults: Options = { consecutive_failure_limit: 3, lookback_seconds: 86_400, min_result_length: 50 }

/**
 * An attempt that ended. `paused`: its task is paused, so it only ended later than that. `now`, in ms since the epoch, is
 * the latest that its time is believed to be.
 *
 * @category models
 */
export interface Input {
  readonly outcome: AttemptOutcome
  readonly paused?: boolean
  readonly now?: number
}

/**
 * What is kept of at most 10,000 tasks, 10 runs of each, and of 2,000 skills and files; those go first that were not seen
 * for longest.
 *
 * @category models
 */
export type State = States.State

export const initial: () => State = States.initial

/**
 * Whether it matters for an outcome if its task is paused.
 *
 * @category predicates
 */
export const asksIfPaused = (state: State, outcome: AttemptOutcome): boolean => {
  if (outcome.taskId === null) return false
  const key = States.keyOf(outcome)
  return isFailure(outcome) || (key !== null && state.tasks.get(key)?.held === true)
}

/**
 * Folds one outcome in: `state` is changed. What is found once is not found again before it is over: a streak by an
 * attempt that completes, timeouts by none in the window, short results by a longer one, a regression by three attempts in
 * a row that complete, a skill's failures by fewer than three in the window.
 *
 * @category folds
 */
export const step = (
  options: Options,
  state: State,
  { now = Number.POSITIVE_INFINITY, outcome, paused = false }: Input
): ReadonlyArray<Found> => {
  const at = Math.min(Date.parse(outcome.at), now)
  state.now = Math.max(state.now, at)
  const key = States.keyOf(outcome)
  const from = state.now - options.lookback_seconds * 1000
  const task = key === null ? null : States.taskAt(state, key)
  const ofTask = task === null || key === null ? [] : Tasks.step(options, task, { key, outcome, at, paused, from })
  const isRepeat = isFailure(outcome) && task !== null && task.failures > 1
  return [...ofTask, ...Skills.step(options, state, { outcome, key, at, isRepeat })]
}

/**
 * Tells the state that a task was paused for its failures: once it runs again, they count from the beginning.
 *
 * @category folds
 */
export const paused = (state: State, taskId: string): void => {
  const key = States.keyOf({ taskId, objective: "" })
  if (key !== null) States.taskAt(state, key).held = true
}

/**
 * Whether an attempt failed whose task fails in a row, which was found already, and was not paused for it.
 *
 * @category predicates
 */
export const isUnpaused = (state: State, outcome: AttemptOutcome): boolean => {
  if (outcome.taskId === null || !isFailure(outcome)) return false
  const key = States.keyOf(outcome)
  const task = key === null ? undefined : state.tasks.get(key)
  return task?.flags.consecutive_failures !== undefined && !task.held
}

/** After so many attempts that failed with it, and only if it hurt that much. */
const [enough, harmful] = [3, 0.25]

const adviceFinding = (id: string, record: Effectiveness.Record, now: number): Found => ({
  finding: finding("unhelpful_advice", {
    id: idOf("unhelpful_advice", id, ""),
    at: record.at === 0 ? now : record.at,
    subject: { type: "skill", id },
    detail: `Advice ${id} does not help: of the attempts that had it ${record.failed} failed and ${record.succeeded} succeeded.`
  }),
  count: record.failed
})

/**
 * Advice of the memory that does not help, by what became of the attempts that had it: 3 or more failed, and by
 * `Effectiveness.helpfulness` it is below 0.25. Each is found once.
 *
 * @category folds
 */
export const unhelpful = (
  state: State,
  records: Iterable<readonly [id: string, record: Effectiveness.Record]>,
  now: number
): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (const [id, record] of records) {
    if (record.failed < enough || Effectiveness.helpfulness(record, now) >= harmful || state.advice.has(id)) continue
    for (const oldest of state.advice) {
      if (state.advice.size < States.limits.advice) break
      state.advice.delete(oldest)
    }
    state.advice.add(id)
    found.push(adviceFinding(id, record, now))
  }
  return found
}

/**
 * Tells a new state what was found before: those episodes are not found again until they are over.
 *
 * @category folds
 */
export const recall = (state: State, findings: Iterable<ReflectionFinding>): void => {
  for (const one of findings) States.recall(state, one)
}

/**
 * How much a state keeps.
 *
 * @category accessors
 */
export const size = (
  state: State
): { readonly tasks: number; readonly runs: number; readonly skills: number; readonly parts: number } => {
  const runs = [...state.tasks.values()].reduce((sum, task) => sum + task.runs.length, 0)
  const parts = [...state.skills.values()].reduce((sum, skill) => sum + skill.parts.length, state.all.length)
  return { tasks: state.tasks.size, runs, skills: state.skills.size, parts }
}

export const snapshotOf: (state: State) => Snapshot = Snapshots.snapshotOf

/**
 * The state takes over what the snapshot has.
 *
 * @category encoding
 */
export const ofSnapshot: (snapshot: Snapshot) => State = Snapshots.ofSnapshot
