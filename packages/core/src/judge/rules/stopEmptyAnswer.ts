/** The agent ends with an empty message. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding } from "./shared.ts"

const check = ({ reading, stop }: Facts): ReadonlyArray<Finding> =>
  reading.closing === "silent" && stop.blank
    ? finding({
        fact: "Your last message is empty.",
        missing: "The agent's answer is empty.",
        action: "Go on with the task, or say what you did and what is left."
      })
    : []

export const stopEmptyAnswer: Rule = { id: "stop/empty-answer", unattended: "push", stuck: true, check }

export const page: Page = {
  what: "The agent's last message has not a word in it.",
  why: "Some models end a turn so by accident; nobody can tell whether the work is done.",
  fires: [
    example("after an edit", user("Fix the total."), edited("src/total.ts"), agent("")),
    example("at once", user("Fix the total."), agent("")),
    example("white space", user("What does the loader do?"), agent(" \n"))
  ],
  spares: [
    example("a word", user("Fix the total."), edited("src/total.ts"), agent("Fixed.")),
    example(
      "a message before it",
      user("Fix the total."),
      edited("src/total.ts"),
      agent("The total is fixed."),
      agent("")
    ),
    example("no message at all", user("Fix the total."), edited("src/total.ts"))
  ]
}
