import type { Severity } from "../Verdict.ts"
import type { Known } from "../Known.ts"
import type { Level } from "../levels.ts"
import { contradictionProblems, gateProblems, policyProblems } from "./requiredGate.ts"
import { permissionProblems } from "./needlessQuestion.ts"
import {
  defectProblems,
  deferredProblems,
  notBegun,
  stepProblems,
  stoppedShort,
  textProblems,
  todoProblems
} from "./lastWords.ts"
import { sparedTests } from "./onlyTestsChanged.ts"
import { isHalt } from "../../../session/task/TakenBack.ts"

/**
 * One thing that keeps the task from being done. `stands`: it is the agent's to do, and nothing excuses it; the agent is told
 * of it if its level is `push` as well.
 */
export interface Problem {
  readonly kind:
    | "gate"
    | "contradiction"
    | "policy"
    | "defect"
    | "announced"
    | "todos"
    | "left_work"
    | "handed_over"
    | "permission"
    | "not_begun"
    | "cut_off"
  readonly gate?: string
  readonly severity: Severity
  readonly fact: string
  readonly missing: string
  readonly action: string | null
  readonly stands: boolean
  readonly level: Level
}

/** Whether the agent is sent on for it. */
export const isPushed = ({ level, stands }: Problem): boolean => stands && level === "push"

/** Everything that is missing: what is pushed for before what is only told, gravest first. After "stop" nothing is. */
export const problems = (known: Known): ReadonlyArray<Problem> => {
  const found = isHalt(known.task.message) ? [] : all(known)
  return [...found.filter(isPushed), ...found.filter((problem) => !isPushed(problem))]
}

const all = (known: Known): ReadonlyArray<Problem> => [
  ...defectProblems(known),
  ...policyProblems(known),
  ...contradictionProblems(known),
  ...gateProblems(known),
  ...notBegun(known),
  ...textProblems(known),
  ...deferredProblems(known),
  ...sparedTests(known),
  ...stepProblems(known),
  ...stoppedShort(known),
  ...permissionProblems(known),
  ...todoProblems(known)
]
