/** The final text ends in steps that it announces. */
import { readProse } from "../../ground/text/AgentSentences.ts"
import { sayOf, stepsLeft } from "../../session/stop/ListedSteps.ts"
import type { Known, Problem } from "../verdict/model.ts"
import { isProved, untouched } from "./shared.ts"

/** "Next steps: 1. … 2. …": the agent's own, at the end of work that it began, or in its place. */
export const stepProblems = (known: Known): ReadonlyArray<Problem> => {
  const { evidence, reading, stop, task } = known
  if (task.intent !== "act" || reading.closing !== "finished" || reading.yields || reading.dependsOn !== null) return []
  if (task.mode === "plan" || isProved(known) || !(evidence.edits.length > 0 || untouched(known))) return []
  const steps = stepsLeft(readProse(stop.spokeLast ? stop.text : ""), `${task.text} ${task.message}`)
  return steps?.sure === true
    ? [{ kind: "announced", severity: "LOW", ...sayOf(steps), stands: true, level: "push" }]
    : []
}
