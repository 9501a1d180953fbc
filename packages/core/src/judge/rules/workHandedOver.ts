/** The agent has the user do what it can do itself. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { overlaps } from "../../ground/text/Text.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import { isOrdered } from "./shared.ts"
import type { Finding, Page, Rule } from "./model.ts"

/** "I'll run the tests myself" */
const runByUser =
  /\bi(?:'ll| will|'m going to| am going to| can)(?: then| later| just)? (?:run|test|execute|check|try|verify|build)\b/i

/** What is handed over is the agent's own: it changed code and left the check of it, or it was asked to run that itself. */
const isOwn = ({ evidence, reading, task, taskType }: Facts): boolean =>
  !runByUser.test(task.message.slice(0, 2000)) &&
  evidence.actions > 0 &&
  evidence.denied.length === 0 &&
  (reading.handsOver?.confirm === true
    ? taskType === "coding" && evidence.exercised < Evidence.lastEdit(evidence, ["source", "test"])
    : isOrdered(task) &&
      overlaps((reading.handsOver?.text ?? "").replaceAll(/\b(?:run|please|don't forget)\b/gi, ""), task.message) &&
      /\b(?:run|apply|execute|start|install|migrate|deploy|build)\b/i.test(task.message.slice(0, 1000)))

const check = (facts: Facts): ReadonlyArray<Finding> => {
  if (facts.reading.closing !== "hands_over") return []
  const text = facts.reading.handsOver?.text ?? ""
  return [
    {
      severity: "LOW",
      fact: `You asked the user to do what you can do yourself: "${text}"`,
      missing: `a step handed to the user: "${text}"`,
      action: "Run it yourself and report what it prints.",
      stands: isOwn(facts)
    }
  ]
}

export const workHandedOver: Rule = {
  id: "work/handed-over",
  unattended: "push",
  pattern: "unverified",
  needsRights: true,
  check
}

export const page: Page = {
  what: "The agent tells the user to run or check what it can run itself.",
  why: "A change that its author has not tried is half of one.",
  fires: [
    example(
      "the check of its own change",
      user("Fix the rounding in the total."),
      edited("src/total.ts"),
      agent("The rounding is fixed. Please run the tests to confirm that they pass.")
    ),
    example(
      "the migration that was ordered",
      user("Write the migration and run it."),
      edited("migrations/12.sql"),
      agent("The migration is written. Please run the migration with `npm run migrate`.")
    ),
    example(
      "to verify",
      user("Repair the build script."),
      edited("build.ts"),
      agent("The script is repaired. Please run `npm run build` and tell me whether it works.")
    )
  ],
  spares: [
    example(
      "the user runs it",
      user("Fix the rounding; I'll run the tests myself."),
      edited("src/total.ts"),
      agent("The rounding is fixed. Please run the tests to confirm that they pass.")
    ),
    example(
      "it was run",
      user("Fix the rounding in the total."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("The rounding is fixed. Run `npm test` to see for yourself.")
    ),
    example(
      "how to use it",
      user("Add a command that lists the carts."),
      edited("src/list.ts"),
      ran("node src/list.ts"),
      agent("The command is there: run `shop list` to use it.")
    )
  ]
}
