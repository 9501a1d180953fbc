/** The agent ends with an empty message. */
import { isThanks } from "../../session/task/Intent.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** Neither a word nor a call came of an order. */
const nothingCame = ({ evidence, stop, task }: Facts): boolean =>
  evidence.calls === 0 && stop.messages === 0 && stop.toolCalls === 0 && task.intent === "act"

/** What runs in the background may have the next word, and so has who kept the prompt from the agent. */
const mayGoOn = ({ stop }: Facts): boolean =>
  stop.unheard === true || stop.background.length > 0 || stop.launched || stop.queued || stop.notice !== null

const check = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "silent" &&
  !isThanks(facts.task.message) &&
  (facts.stop.blank || nothingCame(facts)) &&
  !mayGoOn(facts)
    ? finding({
        fact: "Your last message is empty.",
        missing: "The agent's answer is empty.",
        action: "Go on with the task, or say what you did and what is left.",
        // A model that answers a reminder with nothing is not reminded of that again.
        ...(facts.reminded && { most: "tell" as const })
      })
    : []

export const stopEmptyAnswer: Rule = { id: "stop/empty-answer", fact: true, unattended: "push", stuck: true, check }

export const page: Page = {
  what: "The agent's last message has not a word in it, or neither a word nor a call came of an order.",
  why: "Some models end a turn so by accident; nobody can tell whether the work is done.",
  fires: [
    example("after an edit", user("Fix the total."), edited("src/total.ts"), agent("")),
    example("at once", user("Fix the total."), agent("")),
    example("nothing at all", user("Fix the total.")),
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
    example("no message after a call", user("Fix the total."), edited("src/total.ts")),
    example("a question, and no message yet", user("What does the loader do?"))
  ]
}
