/** The final text says that work of the task is left. */
import { overlaps } from "../../ground/text/Text.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { row } from "../../ground/text/Rows.ts"
import { agent, edited, example, user } from "./example.ts"
import { isOrdered } from "./shared.ts"
import type { Finding, Page, Rule } from "./model.ts"

/** The user has part of it left for another time, or asks for what is left. */
const putOff = row(
  "later|yet|tomorrow|for now|at a time|batch|skip|leave|only|first|start|begin|of|phase|step|part|stage",
  /\b(?:later|yet|tomorrow|for now|at a time|batch(?:es)?|skip|leave|only|first|start|begin|(?:one|two|some|half) of|(?:phase|step|part|stage) (?:\d{1,2}|one|two|three))\b/i,
  "Port the lexer for now.",
  "Port the lexer and the parser."
).pattern

/** What the agent says of a thing tells nothing of whose it is; then it has to be in a short order. */
const partLeft = ({ reading, task }: Facts): string | null =>
  reading.closing === "finished" && task.message.length <= 600 && isOrdered(task)
    ? (reading.unfinished.find((text) => overlaps(text, task.message)) ?? null)
    : null

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const { evidence, reading, task } = facts
  const isSaid = reading.closing === "left_work"
  const text = isSaid ? (reading.leftWork[0] ?? "work that the final text says is left") : partLeft(facts)
  if (text === null || putOff.test(task.message)) return []
  return [
    {
      severity: "LOW",
      fact: `You wrote that work is left: "${text}"`,
      missing: text,
      action: "Finish what you say is left, or say why it cannot be done now.",
      stands: task.intent === "act" && evidence.actions > 0
    }
  ]
}

export const workLeft: Rule = { id: "work/left", unattended: "push", pattern: "stopped_with_todos", waits: true, check }

export const page: Page = {
  what: "The final text says itself that work of the task is left.",
  why: "Nobody knows better than the agent that it is not finished.",
  fires: [
    example(
      "a part that is not done yet",
      user("Port the lexer and the parser to the new API."),
      edited("src/lexer.ts"),
      agent("The lexer is ported. The parser is not ported yet.")
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
      "more than was asked",
      user("Port the lexer to the new API."),
      edited("src/lexer.ts"),
      agent("The lexer is ported. Benchmarks are not written yet.")
    ),
    example(
      "the user puts it off",
      user("Port the lexer for now; leave the parser for later."),
      edited("src/lexer.ts"),
      agent("The lexer is ported. The parser is not ported yet.")
    ),
    example(
      "somebody else's",
      user("Port the CSV parser."),
      edited("src/csv.ts"),
      agent("The CSV parser is ported. The platform team still needs to update the image for the parser.")
    )
  ]
}
