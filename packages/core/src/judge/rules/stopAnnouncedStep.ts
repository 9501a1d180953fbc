/** The last words announce a step, and the agent stops before taking it. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** Thanks, a wish for another time and a question are answered by a promise, and no step is due. */
const isDue = ({ evidence, task, taskType }: Facts): boolean =>
  evidence.calls > 0 ||
  (task.intent === "ask" && task.turn > 0 && !asksForPlans.test(task.message.slice(0, 400))) ||
  (task.intent === "act" && (task.continued || workTypes.has(taskType)))

/** "What will you do next?" is answered by steps; "And the tests?" after work is not. */
const asksForPlans = /\b(?:will|would|should|going to|next|plan)\b/i

const workTypes: ReadonlySet<Facts["taskType"]> = new Set(["coding", "docs", "ops"])

const check = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "announces" && isDue(facts)
    ? finding({
        fact: "You announced a next step and stopped before taking it.",
        missing: "the step that the final text announces",
        action: "Take the step that you announced."
      })
    : []

export const stopAnnouncedStep: Rule = {
  id: "stop/announced-step",
  unattended: "push",
  pattern: "stopped_with_todos",
  holds: true,
  waits: true,
  check
}

export const page: Page = {
  what: "The last words announce a next step, and the agent stops before taking it.",
  why: "Some models end their turn behind an announcement; a word is enough to have them go on.",
  fires: [
    example(
      "now the tests",
      user("Fix the total and add a test."),
      edited("src/total.ts"),
      agent("The total is fixed. Now I'll add the test.")
    ),
    example(
      "let me",
      user("Port the three parsers."),
      edited("src/csv.ts"),
      agent("The CSV parser is ported. Let me port the XML parser next:")
    ),
    example(
      "next it will",
      user("Rename `Cart` to `Basket` everywhere."),
      edited("src/cart.ts"),
      agent("I renamed the class. Next, I'll update the imports.")
    )
  ],
  spares: [
    example("it is done", user("Fix the total."), edited("src/total.ts"), agent("The total is fixed.")),
    example(
      "it waits for a word",
      user("Fix the total."),
      edited("src/total.ts"),
      agent("The total is fixed. Once you have tried it, I'll open the pull request.")
    ),
    example(
      "what the code will do",
      user("Add a retry to the loader."),
      edited("src/loader.ts"),
      agent("The loader will now try again three times.")
    )
  ]
}
