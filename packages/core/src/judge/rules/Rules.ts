/** The rules in their order: what keeps the task from being done, each in a file of its own beside this one. */
import { gateProblems } from "./requiredGate.ts"
import { permissionProblems } from "./stopNeedlessQuestion.ts"
import { textProblems } from "./lastWords.ts"
import { sparedTests } from "./workOnlyTestsChanged.ts"
import { isHalt } from "../../session/task/TakenBack.ts"
import type { Known, Problem } from "../verdict/model.ts"
import { defectProblems } from "./workDefectLeft.ts"
import { notBegun } from "./workNotBegun.ts"
import { stepProblems } from "./stopListedSteps.ts"
import { stoppedShort } from "./workStoppedShort.ts"
import { deferredProblems } from "./workPartLeft.ts"
import { todoProblems } from "./todosOpen.ts"
import { contradictionProblems } from "./claimsDisproved.ts"
import { policyProblems } from "./policyDirectPush.ts"

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
