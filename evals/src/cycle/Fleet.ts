/** A month of a fleet of scheduled tasks, some of which break; the same month whenever it is asked for. */
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"

export const hour = 3_600_000
export const day = 24 * hour

/** What is wrong from a time on, and by when a rule is to have found it. */
export interface Fault {
  readonly rule: "consecutive_failures" | "timeout_pattern" | "stale_task" | "regression" | "skill_failure_correlation"
  readonly subjectId: string
  readonly from: number
  readonly until: number
}

/** How often a run that nothing is wrong with ends so, each by itself: nothing keeps two of them apart. */
export interface Noise {
  readonly failed: number
  readonly timeout: number
  /** Results of few characters. */
  readonly short: number
}

/** Without `noise` a run in fifty fails, and its task's next run does not. */
export interface Fleet {
  readonly start: number
  readonly tasks: number
  readonly days: number
  readonly runsADay: number
  readonly faults: ReadonlyArray<Fault>
  readonly noise?: Noise
}

/** Tasks that read files which no other task reads: those that break as well. */
const withOwnFiles = 100

const skillsOf = (task: number): ReadonlyArray<string> => [
  "style",
  `area-${task % 20}`,
  ...(task % 10 === 3 ? ["deploy"] : [])
]

export const nameOf = (task: number): string => `task-${task}`

/** A hash of three numbers, from 0 to 1: no state, so that a month is the same from wherever it is begun. */
const chance = (task: number, run: number, salt: number): number => {
  let value = Math.imul(task + 1, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35)
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return ((value ^ (value >>> 16)) >>> 0) / 0x1_0000_0000
}

/** A run in fifty fails for nothing; its task's next run does not: what is retried passes. */
const failsForNothing = (task: number, run: number): boolean =>
  chance(task, run, 1) < 0.02 && !(chance(task, run - 1, 1) < 0.02)

const usualOf = ({ noise }: Fleet, task: number, run: number): Pick<AttemptOutcome, "status" | "resultLength"> => {
  const resultLength = 60 + Math.floor(chance(task, run, 3) * 4000)
  if (noise === undefined) return { status: failsForNothing(task, run) ? "failed" : "completed", resultLength }
  const [end, length] = [chance(task, run, 4), chance(task, run, 5)]
  return {
    status: end < noise.failed ? "failed" : end < noise.failed + noise.timeout ? "timeout" : "completed",
    resultLength: length < noise.short ? 10 : resultLength
  }
}

/** Some of the faults are over for a task in some of its runs: the pattern is not that every run is one. */
const shown = (fault: Fault, task: number, run: number): Partial<AttemptOutcome> => {
  switch (fault.rule) {
    case "consecutive_failures":
    case "regression":
      return { status: "failed" }
    case "timeout_pattern":
      return run % 3 === 0 ? { status: "timeout" } : {}
    case "stale_task":
      return { status: "completed", resultLength: 4 }
    case "skill_failure_correlation":
      return chance(task, run, 2) < 0.6 ? { status: "failed" } : {}
  }
}

const faultAt = ({ faults }: Fleet, task: number, loaded: ReadonlyArray<string>, at: number): Fault | undefined =>
  faults.find(
    ({ from, rule, subjectId, until }) =>
      at >= from &&
      at < until &&
      (rule === "skill_failure_correlation" ? loaded.includes(subjectId) : subjectId === nameOf(task))
  )

const filesOwn = (task: number): ReadonlyArray<string> =>
  task < withOwnFiles ? Array.from({ length: 5 }, (_, index) => `src/${nameOf(task)}/${index}.ts`) : []

/** One run in twenty reads two files of as many as there are tasks, whichever: what it ends in has nothing to do with them. */
const filesAtRandom = ({ tasks }: Fleet, task: number, run: number): ReadonlyArray<string> =>
  chance(task, run, 6) < 0.05 ? [7, 8].map((salt) => `docs/page-${Math.floor(chance(task, run, salt) * tasks)}.md`) : []

const loadedOf = (fleet: Fleet, task: number, run: number): AttemptOutcome["loaded"] => [
  ...skillsOf(task).map((name) => ({ kind: "skill" as const, name })),
  ...[...new Set([...filesOwn(task), ...filesAtRandom(fleet, task, run)])].map((name) => ({
    kind: "file" as const,
    name
  }))
]

/** The outcomes of a day, in the order in which they end. */
export function* outcomesOf(fleet: Fleet, dayIndex: number): Generator<AttemptOutcome> {
  const { runsADay, start, tasks } = fleet
  const apart = day / runsADay
  for (let round = 0; round < runsADay; round += 1)
    for (let task = 0; task < tasks; task += 1) {
      const run = dayIndex * runsADay + round
      const at = start + run * apart + Math.floor((task * apart) / tasks)
      const fault = faultAt(fleet, task, skillsOf(task), at)
      yield {
        id: `${task}-${run}`,
        taskId: nameOf(task),
        sessionId: `session-${task}-${run}`,
        objective: `Do what task ${task} is for`,
        durationMs: 60_000,
        tools: [],
        loaded: loadedOf(fleet, task, run),
        backend: "codex",
        at: new Date(at).toISOString(),
        ...usualOf(fleet, task, run),
        ...(fault === undefined ? {} : shown(fault, task, run))
      }
    }
}
