/** A change was ordered, and the agent looks around and plans. */
import { onlyLooks } from "../../session/evidence/Evidence.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"
import { finding, isOrdered } from "./shared.ts"

type Seen = Pick<Facts, "evidence" | "task" | "taskType">

/** Only a change that was ordered can be put off by reading. */
const isToChange = ({ task, taskType }: Seen): boolean =>
  taskType === "coding" && isOrdered(task) && task.mode !== "plan"

/** Whether next to nothing but looking around came of an order so far. */
export const isPlanning = (seen: Seen): boolean => isToChange(seen) && onlyLooks(seen.evidence)

/** An answer after much reading may be what was wanted; a model can tell, and no rule. */
const check = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "silent" && isPlanning(facts)
    ? finding({
        fact: `You looked around in ${facts.evidence.looking.looks} calls and changed next to nothing.`,
        missing: `The last ${facts.evidence.looking.looks} looks around led to next to no change.`,
        action: "Stop reading and begin: make the first change now, run it, and go on from what it shows."
      })
    : []

export const loopsPlanning: Rule = {
  id: "loops/planning",
  attended: "ask",
  unattended: "push",
  what: "A change was ordered, and next to nothing came of it but looking around.",
  why: "Some models read on and on and never begin; what they have read is lost with the context.",
  stuck: true,
  check
}
