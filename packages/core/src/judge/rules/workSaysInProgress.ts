/** The agent fills in a form that says that it is not finished. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding } from "./shared.ts"

const check = ({ reading: { inProgress } }: Facts): ReadonlyArray<Finding> =>
  inProgress === null
    ? []
    : finding({
        fact: `You wrote yourself that you are not finished: "${inProgress}"`,
        missing: `the agent says that it is not finished: "${inProgress}"`,
        action: "Go on until it is finished, or say what keeps you from it."
      })

export const workSaysInProgress: Rule = {
  id: "work/says-in-progress",
  unattended: "push",
  holds: true,
  pattern: "stopped_with_todos",
  waits: true,
  check
}

export const page: Page = {
  what: "The final text has a status in it by which the agent itself is not finished.",
  why: "Whatever else the text says, its author does not call it done.",
  fires: [
    example(
      "a block of status lines",
      user("Fix the discount."),
      edited("src/cart.ts"),
      agent("---\nSTATUS: IN_PROGRESS\nTESTS: PASSING\nEXIT_SIGNAL: false\n---")
    ),
    example(
      "a part of the items",
      user("Port the seven parsers."),
      edited("src/csv.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("The CSV parser is ported.\n\nPROGRESS: 3/7 items")
    ),
    example(
      "the last line",
      user("Fix the warnings."),
      edited("src/a.ts"),
      agent("Two warnings are fixed.\n\nStatus: in progress")
    )
  ],
  spares: [
    example(
      "its status is done",
      user("Fix the discount."),
      edited("src/cart.ts"),
      agent("---\nSTATUS: COMPLETE\nTESTS: PASSING\nEXIT_SIGNAL: true\n---")
    ),
    example(
      "somebody else's ticket",
      user("Which tickets are open?"),
      ran("tickets list", 0, "T-1 in progress"),
      agent("One of the tickets, T-1, has the status in progress; the others are closed.")
    ),
    example(
      "what a service answers",
      user("Add the status page."),
      edited("src/status.ts"),
      agent("The page is there. While a job runs the service answers:\nSTATUS: IN_PROGRESS\nand then `DONE`.")
    )
  ]
}
