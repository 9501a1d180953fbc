/** The agent calls everything done, and its plan has open boxes. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding } from "./shared.ts"

const planName = /plan|todo|task|checklist|backlog/i
const planWords = /\b(?:plan|todos?|to-?do list|tasks?|checklist|backlog|items)\b/i

/** Only a part of it was ordered, or the plan itself. */
const partOnly =
  /\b(?:phase|step|part|item|task|section) (?:\d|one\b)|\b(?:only|first|next)\b|\b(?:write|draft|create|make|prepare) [^.?!]{0,40}\b(?:plan|checklist|list|template)\b/i

const check = ({ evidence, reading, stop, task }: Facts): ReadonlyArray<Finding> => {
  if (!reading.callsAllDone) return []
  const asked = `${task.text} ${task.message}`
  if (partOnly.test(asked.slice(0, 4000))) return []
  const told = `${asked} ${stop.text}`.toLowerCase()
  const plan = Evidence.openPlans(evidence).find(({ path }) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
    return told.includes(name) || (planName.test(name) && planWords.test(asked.slice(0, 4000)))
  })
  if (plan === undefined) return []
  return finding({
    fact: `You call all of it done, and ${plan.open} of the boxes in ${plan.path} are open.`,
    missing: `open boxes in ${plan.path}, which the agent calls done: ${plan.open}`,
    action: `Do what is open in ${plan.path}, and tick what is done.`
  })
}

export const workOpenPlan: Rule = {
  id: "work/open-plan",
  holds: true,
  pattern: "stopped_with_todos",
  waits: true,
  check
}

const plan = (text: string): ReturnType<typeof ran> => ran("cat fix_plan.md", 0, text)

const ordered = user("Work through fix_plan.md until all items are done.")

export const page: Page = {
  what: "The agent calls all of it done, and the plan that the task is about has boxes that nobody ticked.",
  why: "Either the work or the plan is not up to date, and who goes on from the plan goes by its boxes.",
  fires: [
    example(
      "a plan that was read",
      ordered,
      plan("- [x] one\n- [ ] two\n- [ ] three"),
      edited("src/cart.ts"),
      agent("All items of fix_plan.md are done.")
    ),
    example(
      "all tasks",
      user("Do all the tasks in tasks.md."),
      ran("cat tasks.md", 0, "1. [ ] the parser\n2. [ ] its tests"),
      edited("src/parser.ts"),
      agent("All tasks are done.")
    ),
    example(
      "every item",
      user("Keep going until the checklist is done."),
      ran("cat docs/checklist.md", 0, "* [x] rename\n* [ ] update the docs"),
      edited("src/cart.ts"),
      agent("Everything is done.")
    )
  ],
  spares: [
    example(
      "all boxes are ticked",
      ordered,
      plan("- [x] one\n- [x] two"),
      edited("src/cart.ts"),
      agent("All items of fix_plan.md are done.")
    ),
    example(
      "a part was asked for, and is called a part",
      user("Do the first item of fix_plan.md."),
      plan("- [ ] one\n- [ ] two"),
      edited("src/cart.ts"),
      agent("The first item is in.")
    ),
    example(
      "a command may have ticked them",
      ordered,
      plan("- [ ] one"),
      edited("src/cart.ts"),
      ran("sed -i 's/\\[ \\]/[x]/' fix_plan.md"),
      agent("All items of fix_plan.md are done.")
    )
  ]
}
