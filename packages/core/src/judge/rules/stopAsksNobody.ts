/** The agent ends with a question, and nobody is there to answer. */
import { type Facts, unanswered } from "../../session/facts/Facts.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding, isProved } from "./shared.ts"

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const open = unanswered(facts)
  // What is asked after proven work is about more than was ordered.
  if (open?.by !== "agent" || (facts.evidence.actions > 0 && isProved(facts))) return []
  return finding({
    fact: `You leave it to the user, and nobody is there to answer: "${open.text}"`,
    missing: `what nobody is there to answer: "${open.text}"`,
    action: "Decide it yourself, do it, and state in your answer what you assumed."
  })
}

export const stopAsksNobody: Rule = {
  id: "stop/asks-nobody",
  unattended: "push",
  pattern: "permission_seeking",
  holds: true,
  presses: true,
  needsRights: true,
  check
}

export const page: Page = {
  what: "The agent ends with a question that it can settle itself, and nobody is there to answer.",
  why: "A run without a person would end there.",
  fires: [
    example(
      "leave for the rest of the task",
      user("Migrate all five modules to the new logger."),
      edited("src/a.ts"),
      agent("I migrated two modules. Shall I continue with the remaining three?")
    ),
    example(
      "a choice",
      user("Add a cache to the loader."),
      edited("src/loader.ts"),
      agent("Should entries live for an hour or for a day?")
    )
  ],
  spares: [
    example(
      "what cannot be undone",
      user("Move the users to the new table."),
      edited("src/move.ts"),
      agent("The users are copied. Shall I drop the old users table?")
    ),
    example(
      "more than was asked",
      user("Fix the rounding in the total."),
      edited("src/total.ts"),
      ran("npm test", 0, "Tests: 7 passed, 7 total"),
      agent("Fixed, and the tests pass. Would you like me to add a changelog entry?")
    ),
    example(
      "the user wants to be asked",
      user("Migrate all five modules. Ask me before each one."),
      edited("src/a.ts"),
      agent("The first is migrated. Shall I continue with the second?")
    )
  ]
}
