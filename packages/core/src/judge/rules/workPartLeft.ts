/** A part that was asked for is put off. */
import { isOrder } from "../../session/task/Intent.ts"
import { overlaps } from "../../ground/text/Text.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { leftOut } from "./shared.ts"

/** A part that the user leaves for another time, or asks about, is not left out. */
const putOff =
  /\b(?:later|tomorrow|for now|at a time|batch(?:es)?|skip|leave|only|first|start|begin|(?:one|two|some|half) of|(?:yet|still \w+) to be|(?:phase|step|part|stage|milestone) (?:\d{1,2}|one|two|three|[a-d]))\b/i

/** "If you want steps, we'd need to …", where the user's message asks for the steps. */
const check = (facts: Facts): ReadonlyArray<Finding> => {
  const { deferred, closing, unfinished } = facts.reading
  if (facts.evidence.actions === 0 || closing !== "finished") return []
  const { message } = facts.task
  const lowered = message.toLowerCase()
  const found =
    deferred.find(({ what }) => what.length > 3 && lowered.includes(what)) ??
    unfinished
      .filter((text) => message.length <= 600 && isOrder(message) && !putOff.test(message) && overlaps(text, message))
      .map((text) => ({ text }))[0]
  if (found === undefined) return []
  return leftOut(found.text, [
    "You left out what was asked for",
    "what was asked for and left out",
    "Do the part that you left out, or say why it cannot be done."
  ])
}

export const workPartLeft: Rule = {
  id: "work/part-left",
  level: "push",
  pattern: "stopped_with_todos",
  waits: true,
  check
}

export const page: Page = {
  what: "A part of what was ordered is put off, in the agent's own words.",
  why: "The user asked for the whole.",
  fires: [
    example(
      "steps that were asked for",
      user("Add the export and write migration steps for it."),
      edited("src/export.ts"),
      agent("The export is in. If you want migration steps, we would need to look at the old data first.")
    ),
    example(
      "a part that is not done yet",
      user("Port the lexer and the parser to the new API."),
      edited("src/lexer.ts"),
      agent("The lexer is ported. The parser port is not done yet.")
    ),
    example(
      "left for later",
      user("Rename the helper and update the documentation of the helper."),
      edited("src/helper.ts"),
      agent("The helper is renamed. The documentation of the helper is not updated yet.")
    )
  ],
  spares: [
    example(
      "all of it is done",
      user("Port the lexer and the parser to the new API."),
      edited("src/lexer.ts"),
      edited("src/parser.ts"),
      agent("Both are ported.")
    ),
    example(
      "the user puts it off",
      user("Port the lexer for now; leave the parser for later."),
      edited("src/lexer.ts"),
      agent("The lexer is ported. The parser is not ported yet.")
    ),
    example(
      "more than was asked",
      user("Port the lexer to the new API."),
      edited("src/lexer.ts"),
      agent("The lexer is ported. Benchmarks are not written yet.")
    )
  ]
}
