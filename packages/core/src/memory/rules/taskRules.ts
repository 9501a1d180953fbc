/** The rules about one task's runs. */
import { isFailure, type AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import { finding, idOf, minuteOf, nameOfRun, subjectOfRun } from "./RuleFinding.ts"
import { limits, type Run, type Task, type TaskRule } from "./RulesState.ts"
import type { Found, Options } from "./model.ts"

/** So many timeouts of a task's last runs are a pattern; so many runs show what a task is like. */
const enough = 3

export interface Looked {
  readonly options: Options
  readonly task: Task
  readonly key: string
  readonly outcome: AttemptOutcome
  readonly at: number
  /** The runs of the window, with this one. */
  readonly runs: ReadonlyArray<Run>
}

type Seen = { readonly count: number; readonly detail: string } | null

const failing = ({ options, outcome, task }: Looked): Seen => {
  if (task.failures < options.consecutive_failure_limit) return null
  const timeouts = task.timeouts === 0 ? "" : `, ${task.timeouts} of them by a timeout`
  return {
    count: task.failures,
    detail: `${nameOfRun(outcome)} failed ${task.failures} times in a row since ${minuteOf(task.since)}${timeouts}.`
  }
}

const timingOut = ({ outcome, runs }: Looked): Seen => {
  const timeouts = runs.filter(({ status }) => status === "timeout").length
  return timeouts < enough
    ? null
    : { count: timeouts, detail: `${nameOfRun(outcome)} timed out in ${timeouts} of its last ${runs.length} runs.` }
}

/** One that nobody knows is not short. */
const unknownLength = Number.MAX_SAFE_INTEGER

/** A task without an id is a person's: what an agent does with tools for one is in the files, and its last word may be short. */
const lengthOf = ({ resultLength, taskId, tools }: AttemptOutcome): number =>
  taskId === null && tools.length > 0 ? unknownLength : (resultLength ?? unknownLength)

/** Of what failed it is seldom known how much it yielded, and that says nothing then. */
const yields = ({ length, status }: Pick<Run, "length" | "status">, { min_result_length }: Options): boolean =>
  length >= min_result_length && (status === "completed" || length !== unknownLength)

const stale = ({ options, outcome, runs }: Looked): Seen => {
  const completed = runs.filter(({ status }) => status === "completed").length
  return runs.some((run) => yields(run, options)) || completed < enough
    ? null
    : {
        count: completed,
        detail: `${nameOfRun(outcome)} completes and yields nothing: of its last ${runs.length} runs none has a result of ${options.min_result_length} characters.`
      }
}

/** A task is paused after as many failures as the limit says: those are all that there will be. */
const regressed = ({ options, outcome, task }: Looked): Seen =>
  task.passedAt === null || task.failures < Math.min(enough, options.consecutive_failure_limit)
    ? null
    : {
        count: task.failures,
        detail: `${nameOfRun(outcome)} used to pass, last at ${minuteOf(task.passedAt)}, and failed each time since ${minuteOf(task.since)}.`
      }

interface TaskRuleOf {
  readonly rule: TaskRule
  readonly looks: (looked: Looked) => Seen
  /** Whether what was found is over, so that the next is another episode. */
  readonly isOver: (looked: Looked) => boolean
}

const rules: ReadonlyArray<TaskRuleOf> = [
  { rule: "consecutive_failures", looks: failing, isOver: ({ task }) => task.failures === 0 },
  {
    rule: "timeout_pattern",
    looks: timingOut,
    // A state that was told of it knows nothing at first of what timed out.
    isOver: ({ runs, task }) =>
      runs.every(({ status }) => status !== "timeout") &&
      (task.runs.length >= limits.runs || task.runs.length > runs.length)
  },
  {
    rule: "stale_task",
    looks: stale,
    isOver: ({ options, outcome }) => yields({ length: lengthOf(outcome), status: outcome.status }, options)
  },
  { rule: "regression", looks: regressed, isOver: ({ task }) => task.passes >= enough }
]

const foundBy = ({ isOver, looks, rule }: TaskRuleOf, looked: Looked): ReadonlyArray<Found> => {
  const { at, key, outcome, task } = looked
  const flagged = task.flags[rule]
  // What came before the finding ends no episode: it is seen again where a state was lost.
  if (flagged !== undefined && at >= flagged && isOver(looked)) delete task.flags[rule]
  if (task.flags[rule] !== undefined) return []
  const seen = looks(looked)
  if (seen === null) return []
  task.flags[rule] = at
  const id = idOf(rule, key, outcome.id)
  return [
    { finding: finding(rule, { id, at, subject: subjectOfRun(outcome), detail: seen.detail }), count: seen.count }
  ]
}

/** Someone had it run again: what was before says nothing of it. */
const resumed = (task: Task): void => {
  task.held = false
  task.runs = []
  task.failures = 0
  task.timeouts = 0
  task.passedAt = null
  task.flags = {}
}

const counted = (task: Task, outcome: AttemptOutcome, at: number): void => {
  task.runs.push({ at, status: outcome.status, length: lengthOf(outcome) })
  if (task.runs.length > limits.runs) task.runs.shift()
  if (isFailure(outcome)) {
    if (task.failures === 0) task.since = at
    task.failures += 1
    task.timeouts += outcome.status === "timeout" ? 1 : 0
    task.passes = 0
    return
  }
  task.failures = 0
  task.timeouts = 0
  task.passes += 1
  if (task.passes >= enough) task.passedAt = at
}

export const step = (
  options: Options,
  task: Task,
  run: {
    readonly key: string
    readonly outcome: AttemptOutcome
    readonly at: number
    readonly paused: boolean
    readonly from: number
  }
): ReadonlyArray<Found> => {
  const { from, key, outcome, paused } = run
  const isLeftOver = task.held && run.at <= (task.flags.consecutive_failures ?? 0)
  if (paused || isLeftOver) return []
  if (task.held) resumed(task)
  // One that is told of late is no earlier than those before it: a finding is as late as all that shows it.
  const at = Math.max(run.at, task.runs.at(-1)?.at ?? run.at)
  counted(task, outcome, at)
  const looked = { options, task, key, outcome, at, runs: task.runs.filter((one) => one.at >= from) }
  return rules.flatMap((rule) => foundBy(rule, looked))
}
