/** A change was ordered, and the agent looks around and plans. */
import { onlyLooks } from "../../session/evidence/Evidence.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, read, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
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

export const loopsPlanning: Rule = { id: "loops/planning", unattended: "push", stuck: true, check }

const looks = (count: number) => Array.from({ length: count }, (_, index) => read(`src/part-${index}.ts`))

export const page: Page = {
  what: "A change was ordered, and next to nothing came of it but looking around.",
  why: "Some models read on and on and never begin; what they have read is lost with the context.",
  fires: [
    example("twelve looks and no word", user("Fix the crash in `src/part-3.ts`."), ...looks(12)),
    example(
      "the history is looking, too",
      user("Fix the crash in `src/part-3.ts`."),
      ...looks(6),
      ran("git status"),
      ran("git log --oneline -5", 0, "a1b2c3 Add the cart"),
      ran("git diff HEAD~1", 0, "+ return 1"),
      ran("gh pr view 7", 0, "Add the cart")
    ),
    example(
      "one edit among twelve looks",
      user("Port the parser in `src/parser.ts` to the new lexer."),
      edited("src/parser.ts"),
      ...looks(12)
    )
  ],
  spares: [
    example("it begins", user("Fix the crash in `src/part-3.ts`."), ...looks(7), edited("src/part-3.ts")),
    example("nothing was to be changed", user("Why does `src/part-3.ts` crash?"), ...looks(12)),
    example(
      "it answers",
      user("Fix the crash in `src/part-3.ts`."),
      ...looks(12),
      agent("There is no crash any more: `parse` was fixed on Monday, and the file is as it has to be.")
    )
  ]
}
