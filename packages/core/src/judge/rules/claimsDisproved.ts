/** A claim that the record disproves. */
import type { Known, Problem } from "../verdict/model.ts"

export const contradictionProblems = (known: Known): ReadonlyArray<Problem> =>
  known.contradictions
    .filter(
      (found) =>
        !known.gates.some((gate) => gate.required && gate.run?.callId === found.callId && gate.result !== "passed")
    )
    .map((found) => ({
      kind: "contradiction" as const,
      severity: "HIGH" as const,
      fact: "",
      missing: `"${found.claim}" is contradicted: ${found.fact}`,
      action: "Fix what fails and run it again, or report the failure as it is.",
      stands: true,
      level: "push"
    }))
