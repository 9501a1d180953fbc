/** What the rules keep of the runs that they saw: bounded. */
import { subjectOf, type AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { byHand, type ReflectionFinding } from "./model.ts"

export const limits = { tasks: 10_000, skills: 2000, advice: 5000, runs: 10, parts: 24, failing: 6 } as const

/** `at` in ms since the epoch, as every time here. */
export interface Run {
  readonly at: number
  readonly status: AttemptOutcome["status"]
  readonly length: number
}

/** Rules of which a task has one finding until what they found is over. */
export type TaskRule = "consecutive_failures" | "timeout_pattern" | "stale_task" | "regression"

export interface Task {
  /** The last of them, oldest first. */
  runs: Array<Run>
  /** Since the last that completed, or since it was paused. */
  failures: number
  timeouts: number
  /** When the first of the failures was. */
  since: number
  /** Completed in a row. */
  passes: number
  /** When it last passed as a task does that works; null where it never did. */
  passedAt: number | null
  /** The cycle paused it, and has not seen it run again. */
  held: boolean
  /** Of each rule that has found something when that was. */
  flags: { [Rule in TaskRule]?: number }
}

/** Attempts of one part of the window: which part, how many failed, how many completed, how many failed as those before. */
export type Parts = Array<[part: number, failed: number, completed: number, repeats?: number]>

/** Whose attempt failed, by hashes of task and session, in which part last, and 1 until one of them completes. */
export type Failing = [task: number, session: number, part: number, fails: number]

export interface Skill {
  parts: Parts
  /** The last of them, the newest last. */
  failing: Array<Failing>
  flag: number | null
}

/** The maps are in the order of their last use, the longest unused first. */
export interface State {
  now: number
  /** The length of a part of the window, in ms. */
  width: number
  /** When the first outcome ended that the parts may have; null before it. */
  since: number | null
  readonly tasks: Map<string, Task>
  readonly skills: Map<string, Skill>
  all: Parts
  readonly advice: Set<string>
}

export const initial = (): State => ({
  now: 0,
  width: 0,
  since: null,
  tasks: new Map(),
  skills: new Map(),
  all: [],
  advice: new Set()
})

/** The value of a key, which is the last used then; whatever was unused for longest goes where there is no room. */
export const used = <A>(
  map: Map<string, A>,
  key: string,
  { make, most }: { readonly make: () => A; readonly most: number }
): A => {
  const known = map.get(key)
  const value = known ?? make()
  if (known !== undefined) map.delete(key)
  else if (map.size >= most) for (const oldest of map.keys()) if (map.delete(oldest)) break
  map.set(key, value)
  return value
}

export const newTask = (): Task => ({
  runs: [],
  failures: 0,
  timeouts: 0,
  since: 0,
  passes: 0,
  passedAt: null,
  held: false,
  flags: {}
})

export const taskAt = (state: State, key: string): Task => used(state.tasks, key, { make: newTask, most: limits.tasks })

/** 64 bits of a text. */
export const hashOf = (text: string): string =>
  `${KeyHash.ofText(text).toString(36)}${KeyHash.ofText(`reflection ${text}`).toString(36)}`

const longestKey = 80

/** What runs of the same task share, short; null where nothing tells which task it is. */
export const keyOf = (outcome: Pick<AttemptOutcome, "taskId" | "objective">): string | null => {
  const subject = subjectOf(outcome)
  return subject === null || subject.length <= longestKey ? subject : `${subject.slice(0, 40)}#${hashOf(subject)}`
}

/** A task whose finding was followed by a pause is held. */
const ofTask = (state: State, rule: TaskRule, finding: ReflectionFinding): void => {
  const key = finding.subjectType === "task" ? keyOf({ taskId: finding.subjectId, objective: "" }) : null
  if (key === null) return
  const task = taskAt(state, key)
  task.flags[rule] = Math.max(task.flags[rule] ?? 0, Date.parse(finding.at))
  if (rule === "consecutive_failures") task.held = finding.severity === "action_taken"
}

export const newSkill = (): Skill => ({ parts: [], failing: [], flag: null })

/** Whether it was a skill or a file is not said: both have that name then. */
const ofSkill = (state: State, { at, subjectId }: ReflectionFinding): void => {
  for (const kind of ["skill", "file"]) {
    const skill = used(state.skills, `${kind}:${subjectId}`, { make: newSkill, most: limits.skills })
    skill.flag = Math.max(skill.flag ?? 0, Date.parse(at))
  }
}

export const recall = (state: State, finding: ReflectionFinding): void => {
  const { id, rule } = finding
  if (id.startsWith(byHand)) return
  switch (rule) {
    case "analysis":
      return
    case "unhelpful_advice":
      return void state.advice.add(finding.subjectId)
    case "skill_failure_correlation":
      return ofSkill(state, finding)
    default:
      return ofTask(state, rule, finding)
  }
}
