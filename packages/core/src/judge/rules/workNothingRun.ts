/** The user wants it to work, and nothing was run that could show that it does. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"

/** An order to see to it, whatever the means. */
const wanted =
  /\b(?:make sure|ensure|verify|check|confirm|see) (?:that )?(?:it|this|that|everything|the \w+(?: \w+)?) (?:really |still |actually |all )?(?:works?|runs?|starts?|compiles?)\b/i

/** "I'll check that it works" */
const byUser = /\bi(?:'ll| will| can)\b/i

const asksForIt = (message: string): boolean => {
  const at = wanted.exec(message.slice(0, 4000))
  return at !== null && !byUser.test(message.slice(Math.max(0, at.index - 20), at.index))
}

const check = ({ evidence, gates, task }: Facts): ReadonlyArray<Finding> => {
  const edit = Evidence.lastEdit(evidence, ["source", "test", "script", "conflict"])
  const isTried =
    Math.max(evidence.exercised, evidence.delegated, ...evidence.possible.map(({ order }) => order)) > edit
  const isNamed = gates.some(({ required, result }) => required && result !== "passed")
  if (edit === 0 || isTried || isNamed || task.intent === "ask" || !asksForIt(task.message)) return []
  return [
    {
      severity: "LOW",
      fact: "You were asked to make sure that it works, and nothing was run since your last edit.",
      missing: "a run that shows that it works: nothing was run since the last edit",
      action: "Run what shows that it works, and report what it prints.",
      stands: true
    }
  ]
}

export const workNothingRun: Rule = {
  id: "work/nothing-run",
  level: "tell",
  pattern: "unverified",
  waits: true,
  check
}

export const page: Page = {
  what: "The user asked to make sure that it works, and nothing at all was run after the last edit of code.",
  why: "It was looked at and not tried.",
  fires: [
    example(
      "make sure it works",
      user("Fix the rounding in the total and make sure it works."),
      edited("src/total.ts"),
      agent("The rounding is fixed.")
    ),
    example(
      "tried before the last edit only",
      user("Add a `list` command and check that it runs."),
      edited("src/list.ts"),
      ran("node src/list.ts"),
      edited("src/list.ts"),
      agent("The command is there.")
    ),
    example(
      "the server",
      user("Move the port into the configuration, and verify that the server still starts."),
      edited("src/server.ts"),
      agent("The port is in the configuration now.")
    )
  ],
  spares: [
    example(
      "it was tried",
      user("Add a `list` command and check that it runs."),
      edited("src/list.ts"),
      ran("node src/list.ts"),
      agent("The command is there and lists what it should.")
    ),
    example(
      "the user tries it",
      user("Fix the rounding, I'll make sure it works."),
      edited("src/total.ts"),
      agent("The rounding is fixed.")
    ),
    example(
      "nobody asked for that",
      user("Fix the rounding in the total."),
      edited("src/total.ts"),
      agent("The rounding is fixed.")
    )
  ]
}
