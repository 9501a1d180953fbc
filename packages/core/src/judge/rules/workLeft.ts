/** The final text says that work is left. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = ({ evidence, reading, task }: Facts): ReadonlyArray<Finding> =>
  reading.closing === "left_work"
    ? [
        {
          severity: "LOW",
          fact: `You wrote that work is left: "${reading.leftWork[0] ?? ""}"`,
          missing: reading.leftWork[0] ?? "work that the final text says is left",
          action: "Finish what you say is left, or say why it cannot be done now.",
          stands: (task.intent === "act" || task.wantsAll) && evidence.actions > 0
        }
      ]
    : []

export const workLeft: Rule = { id: "work/left", level: "push", pattern: "stopped_with_todos", waits: true, check }

export const page: Page = {
  what: "The final text says itself that work of the task is left.",
  why: "Nobody knows better than the agent that it is not finished.",
  fires: [
    example(
      "still to be done",
      user("Port the three parsers."),
      edited("src/csv.ts"),
      agent("The CSV parser is ported. The other two parsers still need to be migrated.")
    ),
    example(
      "not implemented yet",
      user("Add login and logout."),
      edited("src/login.ts"),
      agent("Login works. I have not implemented logout yet.")
    ),
    example(
      "a stub",
      user("Write the importer."),
      edited("src/import.ts"),
      agent("The importer is there; I left a TODO for the XML branch.")
    )
  ],
  spares: [
    example(
      "nothing is left",
      user("Port the three parsers."),
      edited("src/csv.ts"),
      agent("All three parsers are ported.")
    ),
    example(
      "a question was asked",
      user("What is left to do in the importer?"),
      agent("The XML branch is not implemented yet.")
    ),
    example(
      "somebody else's",
      user("Port the CSV parser."),
      edited("src/csv.ts"),
      agent("The CSV parser is ported. The platform team still needs to update the image.")
    )
  ]
}
