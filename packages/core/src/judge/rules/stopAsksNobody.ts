/** The agent ends with a question, and nobody is there to answer. */
import { type Facts, unanswered } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"
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
  attended: "ask",
  unattended: "push",
  what: "The agent ends with a question that it can settle itself, and nobody is there to answer.",
  why: "A run without a person would end there.",
  pattern: "permission_seeking",
  holds: true,
  presses: true,
  needsRights: true,
  check
}
