/** The rules in their order: what keeps the task from being done, each in a file of its own beside this one. */
import { gateProblems } from "./requiredGate.ts"
import { permissionProblems } from "./needlessQuestion.ts"
import { textProblems } from "./lastWords.ts"
import { sparedTests } from "./onlyTestsChanged.ts"
import { isHalt } from "../../../session/task/TakenBack.ts"
import type { Known, Problem } from "../model.ts"
import { defectProblems } from "./defectLeft.ts"
import { notBegun } from "./notBegun.ts"
import { stepProblems } from "./announcedSteps.ts"
import { stoppedShort } from "./stoppedShort.ts"
import { deferredProblems } from "./askedPartLeftOut.ts"
import { todoProblems } from "./openTodos.ts"
import { contradictionProblems } from "./disprovedClaim.ts"
import { policyProblems } from "./pushedToMain.ts"

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
