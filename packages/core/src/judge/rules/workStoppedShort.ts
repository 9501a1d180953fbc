/** The agent says that it stopped before the end. */
import type { Facts } from "../../session/facts/Facts.ts"
import { matchesAny } from "../../ground/text/Text.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { leftOut } from "./shared.ts"

const stopsShort: ReadonlyArray<RegExp> = [
  /\b(?:if you (?:want|like),? i can|i can|want me to) (?:keep|continue|go on|start|take)\b/i,
  /\b(?:good|reasonable|natural) (?:place|point) to (?:stop|pause)\b/i,
  /\b(?:remaining|still open|next) (?:items?|work|steps?|tasks?)\b/i
]

/** Told to go on until everything is done, the agent stops and names what it could do next. */
const check = (facts: Facts): ReadonlyArray<Finding> => {
  if (!facts.task.wantsAll || facts.evidence.calls === 0) return []
  const quote = facts.reading.prose.closing.slice(-6).find((sentence) => matchesAny(stopsShort, sentence.slice(0, 400)))
  if (quote === undefined) return []
  return leftOut(quote.slice(0, 200), [
    "You were told to go on until everything is done, and stopped with work that you name yourself",
    "work that the agent names and was told to go on with",
    "Go on with the next open item; stop only when all are done or something blocks you."
  ])
}

export const workStoppedShort: Rule = {
  id: "work/stopped-short",
  unattended: "push",
  pattern: "stopped_with_todos",
  waits: true,
  check
}

export const page: Page = {
  what: "Told to go on until everything is done, the agent stops and names what it could do next.",
  why: "The user said when to stop, and this is not it.",
  fires: [
    example(
      "it offers to go on",
      user("Work through the list of findings. Do not stop until all are fixed."),
      edited("src/a.ts"),
      agent("I fixed four of the findings. If you want, I can continue with the others.")
    ),
    example(
      "a good place to stop",
      user("Keep going until everything is migrated."),
      edited("src/a.ts"),
      agent("Half of the modules are migrated. This is a good place to stop.")
    ),
    example(
      "what remains",
      user("Don't stop until all warnings are gone."),
      edited("src/a.ts"),
      agent("Most warnings are gone. Remaining items: the two in the parser.")
    )
  ],
  spares: [
    example(
      "nothing remains",
      user("Don't stop until all warnings are gone."),
      edited("src/a.ts"),
      agent("All warnings are gone.")
    ),
    example(
      "the user set no such end",
      user("Fix some of the warnings."),
      edited("src/a.ts"),
      agent("Three warnings are gone. If you want, I can continue with the others.")
    ),
    example(
      "nothing was done",
      user("Do not stop until you have an answer: which module is the slowest?"),
      agent("The parser is the slowest.")
    )
  ]
}
